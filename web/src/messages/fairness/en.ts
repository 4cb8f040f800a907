/** Whether a deal was fair. */
export default {
  proved: 'The deal was fair',
  agrees: 'The deal matches its commitment',
  doubtful: 'The deal is not proved to you',
  broken: 'The deal does not match its commitment',
  text:
    'Before the deal the table showed the hash of a secret seed. Then the players committed to their shares, and the ' +
    'shares were opened only when that was settled. Your browser has checked all of it: the seed has this hash, ' +
    'every share is the one that was committed to, and exactly these cards follow from them.',
  'text.1':
    'Before the deal the table showed the hash of a secret seed, and now it shows the seed itself. Your browser has ' +
    'checked both: the seed has this hash, and exactly these cards follow from it and from the players’ shares.',
  'own.proved':
    'Your own share is part of it, and nobody could know it when everything else was settled: nobody has chosen ' +
    'these cards.',
  'own.unheard':
    'Your share is not in this deal: the table says that it did not hear it in time. It is not proved to you that ' +
    'nobody has chosen these cards.',
  'own.other':
    'There is a share for your seat in this deal, but this page did not give it. If you also play on another device, ' +
    'look there; if not, somebody gave it in your name.',
  'own.none': 'You had no share in this deal. It is not proved to you that nobody has chosen these cards.',
  'own.late':
    'This page did not see the hash before the cards were dealt. It can only say that everything fits together.',
  'own.watching': 'It is proved to those who had a share in it.',
  'fault.seed': 'The seed that was shown does not have the hash that was announced.',
  'fault.set': 'The table now names other commitments than those it showed before the shares were opened.',
  'fault.share': 'Your share in the shuffle was left out.',
  'fault.opening': 'A share is not the one that was committed to.',
  'fault.cards': 'Other cards follow from the seed and the shares.',
  'fault.hand': 'You were dealt other cards than the table says now.',
  commit: 'Shown before: SHA-256 of the seed',
  seed: 'Shown after: the seed',
  share: 'Share of {name}',
  'share.proved': 'Share of {name}, committed to and opened: proved',
  'share.unopened': '{name} committed to a share that is not in the deal: not proved',
  'share.uncommitted': 'Share of {name}, given without a commitment: not proved',
  'share.none': 'Without a share, so that nothing is proved to them: {names}.',
} as const satisfies Record<string, string>;
