import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goalOf } from '../src/lib/match';

/** §12: a line for the presets, then one for each field. */
function goalsOfPresets(): [string, string][] {
  const rows = readFileSync(`${process.cwd()}/../docs/rules.md`, 'utf8').matchAll(/^\| (field|goal) \|(.+)\|$/gm);
  const [presets = [], goals = []] = [...rows].map((row) => (row[2] ?? '').split('|').slice(1));
  return presets.map((preset, i) => [preset.trim(), goals[i]?.trim() ?? '']);
}

test('a preset has the goal that the rules give it', () => {
  const goals = goalsOfPresets();
  expect(goals).toContainEqual(['single-round', 'rounds:1']);
  expect(goals.map(([preset]) => [preset, goalOf(preset)])).toEqual(goals);
});

test('a goal of its own comes before that of the preset', () => {
  expect(goalOf('single-round goal=target:500')).toBe('target:500');
  expect(goalOf('standard goal=rounds:1 bombs=in-turn')).toBe('rounds:1');
  expect(goalOf('single-round bombs=anytime')).toBe('rounds:1');
});
