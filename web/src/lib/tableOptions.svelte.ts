/** The settings of a table while somebody chooses them. */
import type { RulesInfo, Settings, TableState } from '../wire';
import { t, tMaybe } from './i18n.svelte';

export const GOALS = ['target:1000', 'target:500', 'target:300', 'rounds:1'];
export const CLOCKS = [20, 45, 90];
export const PACES = { slow: 1.8, normal: 1, fast: 0.4 } as const;
type Pace = keyof typeof PACES;

/** The fields in which a rule set differs from its preset: `standard goal=target:500`. */
export function differences(rules: string): Record<string, string> {
  const [, ...fields] = rules.split(' ');
  return Object.fromEntries(fields.map((field) => field.split('=', 2) as [string, string]));
}

export const goalText = (goal: string): string =>
  goal.startsWith('target:') ? t('new.goal.points', { n: goal.slice(7) }) : t('new.goal.round');

export const valueText = (field: string, value: string): string =>
  field === 'goal' ? goalText(value) : tMaybe(`value.${value}`, {}, value);

/** The nearest of the three paces that have a name. */
export const paceName = (pace: number): Pace => (pace > 1.4 ? 'slow' : pace < 0.7 ? 'fast' : 'normal');

export class TableOptions {
  preset = $state('standard');
  fields = $state<Record<string, string>>({});
  name = $state('');
  isPrivate = $state(true);
  casual = $state(true);
  /** Whether games count for ratings; a table is rated from its beginning or not at all. */
  rated = $state(false);
  mayBeRated = true;
  /** Seconds per decision, 0 for no clock. */
  clock = $state(0);
  pace = $state<Pace>('normal');
  /** What the table has been made with, where it is none of those that have a name. */
  #own = { pace: 1, clock: null as TableState['clock'] };
  info = $state.raw<RulesInfo | null>(null);

  /** What a table has been made with. */
  static of(table: TableState): TableOptions {
    const options = new TableOptions();
    options.preset = table.preset;
    options.fields = differences(table.rules);
    options.name = table.name;
    options.isPrivate = table.private;
    options.casual = table.casual;
    options.rated = table.rated === true;
    options.mayBeRated = false;
    options.clock = table.clock?.decision ?? 0;
    options.pace = paceName(table.pace ?? 1);
    options.#own = { pace: table.pace ?? 1, clock: table.clock };
    return options;
  }

  get #standard(): Readonly<Record<string, string>> {
    return this.info?.presets.find(({ name }) => name === this.preset)?.fields ?? {};
  }

  valueOf(field: string): string {
    return this.fields[field] ?? this.#standard[field] ?? '';
  }

  /** Another preset begins without changes. */
  choosePreset(name: string): void {
    this.preset = name;
    this.fields = {};
  }

  settings(): Settings {
    const changed = Object.entries(this.fields).filter(([field, value]) => value !== this.#standard[field]);
    // A rated table has a clock.
    const clock = this.clock || (this.rated ? (CLOCKS[0] ?? 0) : 0);
    const { pace, clock: own } = this.#own;
    return {
      rules: [this.preset, ...changed.map(([field, value]) => `${field}=${value}`)].join(' '),
      name: this.name.trim(),
      private: this.isPrivate,
      casual: this.casual && !this.rated,
      rated: this.rated,
      pace: paceName(pace) === this.pace ? pace : PACES[this.pace],
      clock: clock && clock === own?.decision ? own : clock ? { decision: clock, reserve: clock * 6 } : null,
    };
  }
}
