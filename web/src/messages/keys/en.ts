/** What keys do at the table. */
export default {
  arrows: 'move between cards',
  space: 'select a card',
  enter: 'play the selection',
  p: 'pass',
  t: 'call Tichu',
  b: 'bomb',
  r: 'all cards of the rank',
  f: 'the best fitting play',
  esc: 'clear the selection',
  o: 'change the order',
  h: 'hint',
  m: 'sounds on or off',
  l: 'last trick',
  s: 'score',
  e: 'say something quickly',
  help: 'this list',
} as const satisfies Record<string, string>;
