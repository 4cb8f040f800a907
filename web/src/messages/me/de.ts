import type en from './en';

/** Die eigenen Ergebnisse. */
const de: Readonly<Record<keyof typeof en, string>> = {
  title: 'Deine Ergebnisse',
  guest: 'Du hast hier noch nicht gespielt. Setz dich an einen Tisch, dann stehen deine Spiele hier.',
  playNow: 'Zur Startseite',
  failed: 'Deine Ergebnisse können nicht geladen werden.',
  loading: 'Einen Augenblick …',
  games: 'Spiele',
  won: '{n} gewonnen',
  perRound: 'Punkte je Runde',
  perRoundText: '{ours} für euch, {theirs} für die anderen',
  firstOut: 'Als Erster fertig',
  double: 'Doppelsiege',
  ofRounds: '{n} von {all} Runden',
  calls: 'Deine Ansagen',
  callsText:
    'Daneben, was Menschen im Durchschnitt tun: in einer großen Zahl von Spielen zwischen Menschen sagt jeder in ' +
    '{tichu} der Runden Tichu an und in {grand} großes Tichu.',
  callRate: 'Angesagt',
  madeRate: 'Geschafft',
  you: 'Du',
  people: 'Menschen',
  timesOf: '{n} von {all}',
  never: 'nie angesagt',
  noneCounted: 'Noch keine gewerteten Spiele. Lockere Spiele stehen unten, zählen aber in keiner Statistik.',
  counted: 'Gezählt über deine letzten Spiele, lockere ausgenommen.',
  list: 'Deine Spiele',
  none: 'Noch keine beendeten Spiele.',
  more: 'Ältere Spiele zeigen',
  win: 'gewonnen',
  loss: 'verloren',
  casual: 'locker',
  rated: 'gewertet',
  watch: 'Das Spiel noch einmal ansehen',
  against: '{us} gegen {them}',
};
export default de;
