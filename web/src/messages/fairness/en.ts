/** Whether a deal was fair. */
export default {
  proved: 'Deal proved fair',
  agrees: 'Deal agrees with its promise',
  broken: 'This deal breaks its promise',
  text:
    'Before the deal the table showed the hash of a secret seed, and now the seed itself. Your browser has done ' +
    'the sum again: the seed has this hash, and exactly these cards follow from it and from the players’ shares.',
  mine:
    'Your own share is part of it, and the table could not know it when it gave its promise: nobody has chosen ' +
    'these cards.',
  late:
    'This page did not hear the promise before the cards were dealt. It can only say that everything fits ' +
    'together.',
  'fault.seed': 'The seed that was shown does not have the promised hash.',
  'fault.share': 'Your share in the shuffle was left out.',
  'fault.cards': 'Other cards follow from the seed and the shares.',
  'fault.hand': 'You were given other cards than the table says now.',
  commit: 'Promised before: SHA-256 of the seed',
  seed: 'Shown after: the seed',
  share: 'Share of {name}',
} as const satisfies Record<string, string>;
