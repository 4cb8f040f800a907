import type en from './en';

/** Ob ehrlich gegeben wurde. */
const de: Readonly<Record<keyof typeof en, string>> = {
  proved: 'Nachweislich ehrlich gegeben',
  agrees: 'Die Karten entsprechen der Zusage',
  broken: 'Diese Karten brechen die Zusage',
  text:
    'Vor dem Geben hat der Tisch die Prüfsumme einer geheimen Zahl gezeigt und jetzt die Zahl selbst. Dein Browser ' +
    'hat nachgerechnet: Die Zahl hat diese Prüfsumme, und aus ihr und den Beiträgen der Spieler folgen genau diese ' +
    'Karten.',
  mine:
    'Dein eigener Beitrag gehört dazu, und der Tisch konnte ihn bei seiner Zusage nicht kennen: Niemand hat diese ' +
    'Karten ausgesucht.',
  late: 'Diese Seite hat die Zusage nicht vor dem Geben gehört. Sie kann nur sagen, dass alles zusammenpasst.',
  'fault.seed': 'Die gezeigte Zahl hat nicht die zugesagte Prüfsumme.',
  'fault.share': 'Dein Beitrag zum Mischen fehlt.',
  'fault.cards': 'Aus der Zahl und den Beiträgen folgen andere Karten.',
  'fault.hand': 'Du hast andere Karten bekommen, als der Tisch jetzt sagt.',
  commit: 'Vorher zugesagt: SHA-256 der Zahl',
  seed: 'Nachher gezeigt: die Zahl',
  share: 'Beitrag von {name}',
};
export default de;
