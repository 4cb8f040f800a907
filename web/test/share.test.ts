import { beforeEach, expect, test, vi } from 'vitest';
import { nonceCommitOf } from '../src/lib/fairness';
import { ShuffleShare } from '../src/lib/share';
import type { Answer, SeatView, ShuffleState, TableState } from '../src/wire';

const NONE = ['', '', '', ''];
type Sent = { type: string; commitment?: string; nonce?: string };

let sent: Sent[];
let answers: ((answer: Answer) => void)[];
let share: ShuffleShare;
const open = (): ShuffleShare =>
  new ShuffleShare('T', (message) => {
    sent.push(message);
    return new Promise((resolve) => answers.push(resolve));
  });
const acknowledge = async (): Promise<void> => {
  answers.shift()!({ type: 'ack', id: '', version: 1 });
  await Promise.resolve();
};
const state = (more: Partial<ShuffleState> = {}, table: Partial<TableState> = {}): TableState =>
  ({
    ...{ game: 'G', round: 0, commit: 'abc' },
    shuffle: { derivation: 2, commitments: NONE, fixed: false, nonces: NONE, ...more },
    ...table,
  }) as unknown as TableState;
const ours = (): string => sent[0]!.commitment!;

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  answers = [];
  share = open();
});

test('a page commits once, and opens when its commitment is in the fixed set', async () => {
  share.hear(state(), 0, false);
  share.hear(state(), 0, false);
  expect(sent).toEqual([{ type: 'TABLE.COMMIT_NONCE', commitment: ours() }]);
  await acknowledge();
  share.hear(state({ commitments: [ours(), '', '', ''] }), 0, false);
  expect(sent).toHaveLength(1);
  share.hear(state({ commitments: [ours(), '', '', ''], fixed: true }), 0, false);
  share.hear(state({ commitments: [ours(), '', '', ''], fixed: true }), 0, false);
  expect(sent).toHaveLength(2);
  const nonce = sent[1]!.nonce!;
  expect(sent[1]).toEqual({ type: 'TABLE.NONCE', nonce });
  expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(nonceCommitOf('abc', 0, nonce)).toBe(ours());
  await acknowledge();
  const nonces = [nonce, '', '', ''];
  share.hear(state({ commitments: [ours(), '', '', ''], fixed: true, nonces }), 0, true);
  share.see({ seat: 0, phase: 'TICHU.DECLARE_GRAND_WINDOW', hand: ['2s'] } as unknown as SeatView);
  expect(share.finish()).toEqual({
    ...{ game: 'G', round: 0, commit: 'abc', derivation: 2, early: true, changed: false },
    ...{ set: [ours(), '', '', ''], nonces, seat: 0, nonce, accepted: 'nonce', hand: ['2s'] },
  });
  expect(share.current).toBeNull();
});

test('what the table has not bound itself to is not opened', () => {
  share.hear(state(), 0, false);
  share.hear(state({ fixed: true }), 0, false);
  share.hear(state({ fixed: true, commitments: ['~' + ours(), '', '', ''] }), 0, false);
  share.hear(state({ fixed: true, commitments: [ours(), '', '', ''] }), 0, false);
  expect(sent).toHaveLength(1);
});

test('a nonce is kept over a reload, and new for every deal and every seat', () => {
  share.hear(state(), 0, false);
  share = open();
  share.hear(state({ commitments: [ours(), '', '', ''], fixed: true }), 0, false);
  expect(sent[1]!.type).toBe('TABLE.NONCE');
  expect(nonceCommitOf('abc', 0, sent[1]!.nonce!)).toBe(ours());
  share.finish();
  share.hear(state({}, { round: 1, commit: 'def' }), 0, false);
  share.hear(state({}, { round: 1, commit: 'def' }), 3, false);
  const commitments = sent.filter(({ type }) => type === 'TABLE.COMMIT_NONCE').map(({ commitment }) => commitment);
  expect(new Set(commitments).size).toBe(3);
});

test('who has come after the set was fixed, or after the cards, or watches says nothing', () => {
  share.hear(state({ fixed: true }), 0, false);
  share.hear(state(), 0, true);
  share.hear(state({}, { round: 1 }), null, false);
  expect(sent).toEqual([]);
  share = open();
  share.hear(state({ fixed: true, nonces: NONE }, { round: 2 }), 0, true);
  expect(share.current).toMatchObject({ early: false, nonce: null, set: NONE });
});

test('another promise for the same deal is remembered, also over a reload', () => {
  share.hear(state(), 0, false);
  share.hear(state({ fixed: true, nonces: NONE }, { commit: 'def' }), 0, true);
  expect(share.current).toMatchObject({ commit: 'abc', changed: true });
  share = open();
  share.hear(state({ fixed: true, nonces: NONE }, { commit: 'def' }), 0, true);
  expect(share.current).toMatchObject({ commit: 'abc', changed: true });
  share.finish();
  share.hear(state({}, { game: 'H', commit: 'def' }), 0, false);
  expect(share.current).toMatchObject({ commit: 'def', changed: false, early: true });
});

test('a deal of the first derivation hears the nonce at once', async () => {
  share.hear(state({ derivation: 1 }), 0, false);
  share.hear(state({ derivation: 1 }), 0, false);
  expect(sent.map(({ type }) => type)).toEqual(['TABLE.NONCE']);
  await acknowledge();
  expect(share.current).toMatchObject({ derivation: 1, accepted: 'nonce', nonce: sent[0]!.nonce });
});

test('a refused share is not said to be accepted', async () => {
  share.hear(state(), 0, false);
  answers.shift()!({ type: 'refused', id: '', reason: 'NOT_NOW', message: '', version: 1 });
  await vi.waitFor(() => expect(share.current).toMatchObject({ accepted: 'nothing' }));
});
