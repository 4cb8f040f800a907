import type en from './en';

/** Eine Partie noch einmal ansehen. */
const de: Readonly<Record<keyof typeof en, string>> = {
  title: 'Eine Partie ansehen', missing: 'Diese Partie gibt es nicht, oder sie läuft noch.', loading: 'Die Partie wird geholt …', failed: 'Die Partie kann nicht geladen werden.',
  against: 'gegen', rounds: 'Runden', actions: 'Was geschah', tools: 'Mit dieser Partie',
  allHands: 'Alle Hände', eyes: 'Wessen Karten', seenBy: 'Wie {name} es sah',
  grand: 'Großes Tichu?', exchange: 'Tausch', trick: 'Stich {n}', taken: '{name} nimmt ihn', deal: 'Die Karten sind verteilt', tichuBy: '{name} sagt Tichu an',
  noGrand: '{name}: kein großes Tichu', decided: '{name} hat entschieden', gives: '{name} gibt drei Karten', noBomb: '{name} bombt nicht',
  grandText: 'Alle haben acht Karten gesehen.', to: 'an {name}', givesTo: '{name} gibt', hidden: 'gewählt, nicht gezeigt',
  handOf: 'Karten von {name}', out: 'als Nummer {n} fertig', called: 'hat {call} angesagt', turn: 'am Zug', passed: 'passt', points: '{n} Punkt gestochen|{n} Punkte gestochen', noCards: 'keine Karten mehr',
  start: 'Zum Geben', end: 'Zum Ende der Runde', back: 'Einen Zug zurück', on: 'Einen Zug weiter', trickBack: 'Einen Stich zurück', trickOn: 'Einen Stich weiter', play: 'Laufen lassen', pause: 'Anhalten', slider: 'Stelle in der Runde',
  stepOf: '{at} von {all}', roundOver: 'Runde {n} ist zu Ende', double: 'Doppelsieg', cardPoints: 'Karten', calls: 'Ansagen', sum: 'Runde', total: 'Gesamt',
  playOn: 'Von hier weiterspielen', playOnText: 'Du setzt dich an einen neuen lockeren Tisch mit genau diesen Karten; Bots übernehmen die anderen. Nichts davon zählt.', playOnAs: 'Spielen als', playOnOver: 'Hier ist die Runde zu Ende: geh dorthin zurück, wo du weiterspielen willst.', playOnGo: 'Platz nehmen',
  copy: 'Link zu dieser Stelle kopieren', copied: 'Kopiert', notCopied: 'Diese Adresse kopieren: {address}', save: 'Partie speichern', saveTtn: 'als Text (.ttn)', saveTch: 'als BrettspielWelt-Log (.tch)', saveJson: 'als JSON (.json)',
  keys: 'Tasten: ← → ein Zug, ↑ ↓ ein Stich, Pos1 und Ende, Bild auf und Bild ab für Runden, Leertaste lässt es laufen, A für alle Hände.',
};
export default de;
