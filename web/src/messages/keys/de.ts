import type en from './en';

/** Was Tasten am Tisch tun. */
const de: Readonly<Record<keyof typeof en, string>> = {
  arrows: 'zwischen den Karten wandern',
  space: 'Karte wählen',
  enter: 'Auswahl spielen',
  p: 'passen',
  t: 'Tichu ansagen',
  b: 'bomben',
  r: 'alle Karten des Werts',
  f: 'die beste passende Kombination',
  esc: 'Auswahl aufheben',
  o: 'Sortierung wechseln',
  h: 'Tipp',
  m: 'Töne an oder aus',
  l: 'letzter Stich',
  s: 'Punkte',
  e: 'schnell etwas sagen',
  help: 'diese Liste',
};
export default de;
