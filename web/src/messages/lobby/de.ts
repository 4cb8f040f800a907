import type en from './en';

/** Der Tisch vor einem Spiel und zwischen zweien: Einstellungen, wer bereit ist, wer gehen muss. */
const de: Readonly<Record<keyof typeof en, string>> = {
  rematch: 'Das nächste Spiel',
  settings: 'Was gespielt wird',
  change: 'Einstellungen ändern',
  save: 'So spielen',
  open: 'offen für alle',
  casual: 'locker: mit Tipps, nichts zählt',
  counts: 'zählt in euren Ergebnissen',
  pace: 'Bots: {pace}',
  ready: 'Ich bin bereit',
  isReady: 'bereit',
  allReady: 'Es geht los, wenn alle bereit sind, die hier sind.',
  back: 'Zurück zum Ergebnis',
  remove: '{name} entfernen?',
  removeText: '{name} verliert den Platz und kann sich wieder setzen, wo einer frei ist.',
  removeYes: 'Entfernen',
};
export default de;
