import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { commitOf, fairDeal, faultOf, nonceCommitOf, ownShare, sharesOf, type Reveal } from '../src/lib/fairness';
import { loadCommitment, recordedCommitment, saveCommitment, type Commitment } from '../src/lib/commitment';
import { sha256 } from '../src/lib/sha256';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

test('the hash has the values of the standard', () => {
  expect(hex(sha256(ascii('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hex(sha256(ascii('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hex(sha256(ascii('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')))).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
  expect(hex(sha256(ascii('a'.repeat(1_000_000))))).toBe(
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  );
});

test('the hash is right for every length of the last block', () => {
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255);
    expect(hex(sha256(message)), String(length)).toBe(createHash('sha256').update(message).digest('hex'));
  }
});

// Written by tichu.core.fairness.
const SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const NONCES = ['0123456789abcdef'.repeat(4), '', 'ff', '00'];
const DEAL =
  '2b3g5s5r8g9gQbPh+6b6gJgKbAsAg / 2s5b6s7rTbTgQgAb+3r4r5g8sQsKs / ' +
  'Ma2g3s4b8b9bArDr+6r9s9rJsJbJr / 3b4s7s7bTsQrKgKr+Do2r4g7g8rTr';
const COMMIT = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd';
const first = { derivation: 1, commitments: [], deal: DEAL, seed: SEED, nonces: NONCES };
const keptOfFirst: Commitment = {
  ...recordedCommitment(COMMIT, 1),
  ...{ early: true, seat: 2, nonce: 'ff', accepted: 'nonce', hand: ['Dr', 'Ma', '2g'] },
};

test('a deal of the first derivation is that of the server', () => {
  expect(commitOf(SEED)).toBe(COMMIT);
  const zeros = { derivation: 1, commitments: [], seed: '00'.repeat(32), nonces: ['', 'c0ffee', '', ''] };
  const [[eight = [], six = []] = []] = fairDeal(zeros);
  expect(eight.sort()).toEqual('4b4r7g7r9rJrAsDr'.match(/../g)!.sort());
  expect(six.sort()).toEqual('2r5g8gTbTrAb'.match(/../g)!.sort());
  expect(faultOf(first, keptOfFirst)).toBeNull();
  expect(ownShare(first, keptOfFirst)).toBe('proved');
  expect(faultOf(first, recordedCommitment(COMMIT, 1))).toBeNull();
});

test('every way to cheat in the first derivation is found', () => {
  expect(faultOf({ ...first, seed: SEED.replace('1f', '1e') }, keptOfFirst)).toBe('seed');
  expect(faultOf({ ...first, seed: 'nothing' }, keptOfFirst)).toBe('seed');
  expect(faultOf({ ...first, nonces: [NONCES[0]!, '', 'fe', '00'] }, keptOfFirst)).toBe('share');
  expect(faultOf({ ...first, nonces: [] }, keptOfFirst)).toBe('share');
  expect(faultOf({ ...first, nonces: [NONCES[0]!, '0', 'ff', '00'] }, keptOfFirst)).toBe('cards');
  expect(faultOf({ ...first, deal: DEAL.replace('2b3g', '2s3g').replace('2s5b', '2b5b') }, keptOfFirst)).toBe('cards');
  // The first eight and the last six are two things.
  expect(faultOf({ ...first, deal: DEAL.replace('2b', 'X').replace('6b', '2b').replace('X', '6b') }, keptOfFirst)).toBe(
    'cards',
  );
  expect(faultOf({ ...first, deal: 'nonsense' }, keptOfFirst)).toBe('cards');
  expect(faultOf(first, { ...keptOfFirst, hand: ['Ph'] })).toBe('hand');
});

// Seats 0 and 2 have committed and opened, seat 1 has committed only, seat 3 has given its nonce without a commitment.
const MINE = 'ff'.repeat(16);
const OPENED = ['0123456789abcdef'.repeat(4), '', MINE, '00'];
const SET = [
  '0ad713ce76601f4ac6204f85d99ba5e5eff5754e9dde67c776e15a54459a3df9',
  '0e6227a40d39715203f9d340060bba7b844245b0340975b893225fe0c7008096',
  'e5dacbbf44fd2679c35869c67fedad6eb371ba2adf3d0e72bd172a47337af7fc',
  '~559b132c3196dc4a5535bbb29e8ea6c65d96528afb07e6d1673be408ad019dc9',
];
const shown: Reveal = {
  derivation: 2,
  seed: SEED,
  commitments: SET,
  nonces: OPENED,
  deal:
    '2s2g4s4r8sJsQgQr+4gQsKsKbAgPh / 2b3r5b6g7g7r9bKg+3s4b8gJgJrDr / ' +
    '2r3b6s6b7b9rTbTg+5r6r9sTrJbAr / Ma7s8b8r9gKrAsAb+Do3g5s5gTsQb',
};
const kept: Commitment = {
  ...recordedCommitment(COMMIT, 2),
  ...{ early: true, set: SET, nonces: OPENED, seat: 2, nonce: MINE, accepted: 'nonce', hand: ['2r', 'Tg'] },
};

const dealOf = (reveal: Omit<Reveal, 'deal'>): Reveal => ({
  ...reveal,
  deal: fairDeal(reveal)
    .map((parts) => parts.map((part) => part.join('')).join('+'))
    .join(' / '),
});
const put = (values: readonly string[], seat: number, value: string): string[] =>
  values.map((one, at) => (at === seat ? value : one));

test('a deal of the second derivation is that of the server, and says for whom it is proved', () => {
  expect(SET[2]).toBe(nonceCommitOf(COMMIT, 2, MINE));
  expect(faultOf(shown, kept)).toBeNull();
  expect(faultOf(shown, recordedCommitment(COMMIT, 2))).toBeNull();
  expect(sharesOf(shown)).toEqual(['proved', 'unopened', 'proved', 'uncommitted']);
  expect(ownShare(shown, kept)).toBe('proved');
  expect(ownShare(shown, recordedCommitment(COMMIT, 2))).toBe('late');
  expect(ownShare(shown, { ...kept, seat: null, nonce: null })).toBe('watching');
});

test('a table that drops an opening is found out: it acknowledged it, or showed it, or the player is told', () => {
  const dropped = dealOf({ ...shown, nonces: put(OPENED, 2, '') });
  expect(faultOf(dropped, kept)).toBe('share');
  // Another player's.
  expect(faultOf(dealOf({ ...shown, nonces: put(OPENED, 0, '') }), kept)).toBe('opening');
  // Never acknowledged and never shown: nothing is wrong, and nothing is proved to this seat.
  const unheard: Commitment = { ...kept, accepted: 'commitment', nonces: dropped.nonces, hand: [] };
  expect(faultOf(dropped, unheard)).toBeNull();
  expect(ownShare(dropped, unheard)).toBe('unheard');
  expect(sharesOf(dropped)[2]).toBe('unopened');
});

test('a table that denies a commitment is found out', () => {
  const denied = dealOf({ ...shown, commitments: put(SET, 2, ''), nonces: put(OPENED, 2, '') });
  expect(faultOf(denied, kept)).toBe('set');
  expect(faultOf(denied, { ...kept, set: null, nonces: null })).toBe('share');
  expect(faultOf(denied, { ...kept, set: null, nonces: null, accepted: 'commitment' })).toBe('share');
  const unheard: Commitment = { ...kept, set: null, nonces: null, accepted: 'nothing', hand: [] };
  expect(faultOf(denied, unheard)).toBeNull();
  expect(ownShare(denied, unheard)).toBe('unheard');
  expect(ownShare(denied, { ...unheard, nonce: null })).toBe('none');
});

test('a table that swaps a nonce, or chooses one last, is found out', () => {
  const swapped = put(OPENED, 0, 'ab');
  expect(faultOf(dealOf({ ...shown, nonces: swapped }), { ...kept, nonces: null })).toBe('opening');
  // With a commitment that fits: the set is another one.
  const refitted = put(SET, 0, nonceCommitOf(COMMIT, 0, 'ab'));
  expect(faultOf(dealOf({ ...shown, commitments: refitted, nonces: swapped }), kept)).toBe('set');
  // A seat that had committed to nothing, or had given nothing openly.
  const late = dealOf({ ...shown, commitments: put(SET, 1, ''), nonces: put(OPENED, 1, 'ab') });
  expect(faultOf(late, { ...kept, set: null, nonces: null })).toBe('opening');
  expect(faultOf(dealOf({ ...shown, nonces: put(OPENED, 3, '') }), { ...kept, nonces: null })).toBe('opening');
});

test('a table that uses an old commitment again is found out', () => {
  const old = nonceCommitOf(commitOf('00'.repeat(32)), 0, 'ab');
  const replayed = dealOf({ ...shown, commitments: put(SET, 0, old), nonces: put(OPENED, 0, 'ab') });
  expect(faultOf(replayed, { ...kept, set: replayed.commitments, nonces: replayed.nonces })).toBe('opening');
  // In the name of this player.
  const mine = dealOf({ ...shown, commitments: put(SET, 2, old), nonces: put(OPENED, 2, '') });
  const unheard: Commitment = { ...kept, accepted: 'nothing', set: mine.commitments, nonces: mine.nonces, hand: [] };
  expect(faultOf(mine, unheard)).toBeNull();
  expect(ownShare(mine, unheard)).toBe('other');
});

test('a table that deals again after it has seen the openings is found out', () => {
  const other = '11'.repeat(32);
  expect(faultOf(dealOf({ ...shown, seed: other }), kept)).toBe('seed');
  expect(faultOf(dealOf({ ...shown, seed: other }), recordedCommitment(commitOf(other), 2))).toBe('opening');
  expect(faultOf(shown, { ...kept, changed: true })).toBe('seed');
  expect(faultOf(dealOf({ ...shown, derivation: 1, commitments: [] }), kept)).toBe('set');
  expect(faultOf({ ...shown, deal: DEAL }, kept)).toBe('cards');
  expect(faultOf(shown, { ...kept, hand: ['Ph'] })).toBe('hand');
});

test('a promise is kept over a reload, for its table', () => {
  saveCommitment('T', kept);
  expect(loadCommitment('T')).toEqual(kept);
  expect(loadCommitment('U')).toBeNull();
  sessionStorage.setItem('tichu.promise', JSON.stringify({ table: 'T', commitment: { commit: COMMIT, early: true } }));
  expect(loadCommitment('T')).toBeNull();
});
