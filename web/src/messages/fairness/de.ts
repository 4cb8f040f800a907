import type en from './en';

/** Ob ehrlich gegeben wurde. */
const de: Readonly<Record<keyof typeof en, string>> = {
  proved: 'Nachweislich ehrlich gegeben',
  agrees: 'Die Karten entsprechen der Zusage',
  doubtful: 'Für dich nicht bewiesen',
  broken: 'Diese Karten brechen die Zusage',
  text:
    'Vor dem Geben hat der Tisch die Prüfsumme einer geheimen Zahl gezeigt. Dann haben sich die Spieler auf ihre ' +
    'Beiträge festgelegt, und erst danach wurden diese aufgedeckt. Dein Browser hat nachgerechnet: Die Zahl hat ihre ' +
    'Prüfsumme, jeder Beitrag ist der festgelegte, und daraus folgen genau diese Karten.',
  'text.1':
    'Vor dem Geben hat der Tisch die Prüfsumme einer geheimen Zahl gezeigt und jetzt die Zahl selbst. Dein Browser ' +
    'hat nachgerechnet: Die Zahl hat diese Prüfsumme, und aus ihr und den Beiträgen der Spieler folgen genau diese ' +
    'Karten.',
  'own.proved':
    'Dein eigener Beitrag gehört dazu, und niemand konnte ihn kennen, als alles andere feststand: Niemand hat diese ' +
    'Karten ausgesucht.',
  'own.unheard':
    'Dein Beitrag ist nicht in diesen Karten: Der Tisch sagt, er habe ihn nicht rechtzeitig gehört. Für dich ist ' +
    'nicht bewiesen, dass niemand diese Karten ausgesucht hat.',
  'own.other':
    'Für deinen Platz gibt es einen Beitrag, aber nicht von dieser Seite. Spielst du auch auf einem anderen Gerät, ' +
    'dann sieh dort nach; wenn nicht, hat ihn jemand in deinem Namen gegeben.',
  'own.none':
    'Von dir ist kein Beitrag in diesen Karten. Für dich ist nicht bewiesen, dass niemand sie ausgesucht hat.',
  'own.late': 'Diese Seite hat die Zusage nicht vor dem Geben gehört. Sie kann nur sagen, dass alles zusammenpasst.',
  'own.watching': 'Bewiesen ist das für alle, die einen Beitrag gegeben haben.',
  'fault.seed': 'Die gezeigte Zahl hat nicht die zugesagte Prüfsumme.',
  'fault.set': 'Der Tisch nennt jetzt andere Festlegungen als vor dem Aufdecken der Beiträge.',
  'fault.share': 'Dein Beitrag zum Mischen fehlt.',
  'fault.opening': 'Ein Beitrag ist nicht der, auf den sich jemand festgelegt hat.',
  'fault.cards': 'Aus der Zahl und den Beiträgen folgen andere Karten.',
  'fault.hand': 'Du hast andere Karten bekommen, als der Tisch jetzt sagt.',
  commit: 'Vorher zugesagt: SHA-256 der Zahl',
  seed: 'Nachher gezeigt: die Zahl',
  share: 'Beitrag von {name}',
  'share.proved': 'Beitrag von {name}, festgelegt und aufgedeckt: bewiesen',
  'share.unopened': '{name} hat einen Beitrag festgelegt, der nicht in den Karten ist: nicht bewiesen',
  'share.uncommitted': 'Beitrag von {name}, ohne Festlegung gegeben: nicht bewiesen',
  'share.none': 'Ohne Beitrag, für sie ist nichts bewiesen: {names}.',
};
export default de;
