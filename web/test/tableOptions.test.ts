import { beforeAll, expect, test } from 'vitest';
import { setLanguage } from '../src/lib/i18n.svelte';
import { differences, goalText, paceName, TableOptions } from '../src/lib/tableOptions.svelte';
import type { TableState } from '../src/wire';

beforeAll(() => setLanguage('en'));

const state = {
  preset: 'standard',
  rules: 'standard goal=target:500 wish=must',
  name: 'Friday',
  private: false,
  casual: false,
  clock: { decision: 45, reserve: 270 },
  pace: 0.4,
} as TableState;

test('what a table was made with comes back as it was', () => {
  const options = TableOptions.of(state);
  options.info = { presets: [{ name: 'standard', fields: { goal: 'target:1000', wish: 'may' } }], fields: [] };
  expect(options.settings()).toEqual({
    rules: 'standard goal=target:500 wish=must',
    name: 'Friday',
    private: false,
    casual: false,
    rated: false,
    clock: { decision: 45, reserve: 270 },
    pace: 0.4,
  });
});

test('a pace and a reserve that nobody has chosen here stay as they were', () => {
  const options = TableOptions.of({ ...state, pace: 0.02, clock: { decision: 30, reserve: 45 } });
  expect(options.settings()).toMatchObject({ pace: 0.02, clock: { decision: 30, reserve: 45 } });
  options.pace = 'slow';
  options.clock = 20;
  expect(options.settings()).toMatchObject({ pace: 1.8, clock: { decision: 20, reserve: 120 } });
  expect(TableOptions.of({ ...state, clock: { decision: 45 } }).settings().clock).toEqual({ decision: 45 });
});

test('another preset begins without changes', () => {
  const options = TableOptions.of(state);
  options.choosePreset('courtesy');
  expect(options.settings().rules).toBe('courtesy');
});

test('a value of the preset is not a difference', () => {
  const options = new TableOptions();
  options.info = { presets: [{ name: 'standard', fields: { goal: 'target:1000' } }], fields: [] };
  options.fields.goal = 'target:1000';
  expect(options.settings().rules).toBe('standard');
  expect(options.valueOf('goal')).toBe('target:1000');
});

test('a rated table has a clock and is not casual', () => {
  const options = new TableOptions();
  options.rated = true;
  expect(options.settings()).toMatchObject({ rated: true, casual: false, clock: { decision: 20, reserve: 120 } });
  expect(TableOptions.of(state).mayBeRated).toBe(false);
});

test('rules are told in words', () => {
  expect(differences('standard goal=rounds:1 wish=must')).toEqual({ goal: 'rounds:1', wish: 'must' });
  expect([goalText('target:500'), goalText('rounds:1')]).toEqual(['500 points', 'one round']);
  expect([paceName(2), paceName(1), paceName(0.02)]).toEqual(['slow', 'normal', 'fast']);
});
