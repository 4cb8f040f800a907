import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { commitOf, fairDeal, faultOf } from '../src/lib/fairness';
import { saveCommitment, loadCommitment, type Commitment } from '../src/lib/commitment';
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
const shown = { deal: DEAL, seed: SEED, nonces: NONCES };
const commitment: Commitment = { commit: COMMIT, early: true, seat: 2, nonce: 'ff', hand: ['Dr', 'Ma', '2g'] };

test('the deal is that of the server', () => {
  expect(commitOf(SEED)).toBe(COMMIT);
  const [[eight = [], six = []] = []] = fairDeal('00'.repeat(32), ['', 'c0ffee', '', '']);
  expect(eight.sort()).toEqual('4b4r7g7r9rJrAsDr'.match(/../g)!.sort());
  expect(six.sort()).toEqual('2r5g8gTbTrAb'.match(/../g)!.sort());
  expect(faultOf(shown, commitment)).toBeNull();
  expect(faultOf(shown, { commit: COMMIT, early: false, seat: null, nonce: null, hand: [] })).toBeNull();
});

test('every way to cheat is found', () => {
  expect(faultOf({ ...shown, seed: SEED.replace('1f', '1e') }, commitment)).toBe('seed');
  expect(faultOf({ ...shown, seed: 'nothing' }, commitment)).toBe('seed');
  expect(faultOf({ ...shown, nonces: [NONCES[0]!, '', 'fe', '00'] }, commitment)).toBe('share');
  expect(faultOf({ ...shown, nonces: [] }, commitment)).toBe('share');
  expect(faultOf({ ...shown, nonces: [NONCES[0]!, '0', 'ff', '00'] }, commitment)).toBe('cards');
  expect(faultOf({ ...shown, deal: DEAL.replace('2b3g', '2s3g').replace('2s5b', '2b5b') }, commitment)).toBe('cards');
  // The first eight and the last six are two things.
  expect(faultOf({ ...shown, deal: DEAL.replace('2b', 'X').replace('6b', '2b').replace('X', '6b') }, commitment)).toBe(
    'cards',
  );
  expect(faultOf({ ...shown, deal: 'nonsense' }, commitment)).toBe('cards');
  expect(faultOf(shown, { ...commitment, hand: ['Ph'] })).toBe('hand');
});

test('a promise is kept over a reload, for its table and its deal', () => {
  saveCommitment('T', commitment);
  expect(loadCommitment('T', COMMIT)).toEqual(commitment);
  expect(loadCommitment('U', COMMIT)).toBeNull();
  expect(loadCommitment('T', 'abc')).toBeNull();
});
