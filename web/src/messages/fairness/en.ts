/** Whether a deal was fair. */
export default {
  proved: 'The deal was fair',
  agrees: 'The deal matches its commitment',
  broken: 'The deal does not match its commitment',
  text:
    'Before the deal the table showed the hash of a secret seed, and now it shows the seed itself. Your browser has ' +
    'checked both: the seed has this hash, and exactly these cards follow from it and from the players’ shares.',
  mine:
    'Your own share is part of it, and the table could not know it when it committed itself: nobody has chosen ' +
    'these cards.',
  late: 'This page did not see the hash before the cards were dealt. It can only say that everything fits together.',
  'fault.seed': 'The seed that was shown does not have the hash that was announced.',
  'fault.share': 'Your share in the shuffle was left out.',
  'fault.cards': 'Other cards follow from the seed and the shares.',
  'fault.hand': 'You were dealt other cards than the table says now.',
  commit: 'Shown before: SHA-256 of the seed',
  seed: 'Shown after: the seed',
  share: 'Share of {name}',
} as const satisfies Record<string, string>;
