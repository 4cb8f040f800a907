/** Shows a finished game: loads it, and moves through it with the address of the page. */
import { untrack } from 'svelte';
import type { GameFile, RoundViews } from '../wire';
import { recordPositions } from './animation';
import { me, Refusal, token } from './api';
import { gameFile, roundViews } from './games';
import { t } from './i18n.svelte';
import { lastStep, pathOf, positionOf, stepFrom, stopFrom, type Position, type Tab } from './replay';
import { go, href, type Route } from './router.svelte';
import { playerName } from './words';

const ADDRESS_DELAY = 300;
const STEP_INTERVAL = 1100;
/** So long the round that was looked at stays on the table while another one is on its way: most come sooner. */
const PATIENCE_MS = 300;

/** What a table at one step is drawn from. */
export type Shown = Pick<Replayer, 'file' | 'views' | 'names' | 'steps' | 'step' | 'position' | 'south'>;

/** What the server is asked for and does not have, rather than a server that cannot answer. */
const isMissing = (error: unknown): boolean => error instanceof Refusal && !/^5|busy|too_fast/.test(error.code);

export class Replayer {
  file = $state.raw<GameFile | null>(null);
  /** The round that is shown. */
  views = $state.raw<RoundViews | null>(null);
  failure = $state<'missing' | 'failed' | null>(null);
  /** Where the player of this page sat. */
  mySeat = $state<number | null>(null);
  running = $state(false);
  #tries = $state(0);
  #asked = $state.raw<Position>({ id: '', round: 0, step: 0, seat: null, tab: 'actions' });
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly names = $derived(
    this.file?.game.seats.map(
      (name, seat) => playerName(name, seat === this.mySeat) || `${t('place.guest')} ${seat + 1}`,
    ) ?? [],
  );
  readonly steps = $derived(this.views?.steps ?? []);
  readonly last = $derived(this.views ? lastStep(this.views) : 0);
  readonly position = $derived<Position>({ ...this.#asked, step: Math.min(this.#asked.step, this.last) });
  readonly step = $derived(this.steps[this.position.step]);
  /** Whose seat is at the bottom. */
  readonly south = $derived(this.position.seat ?? this.mySeat ?? 0);

  /** Called once, inside a component. */
  constructor(route: () => Route) {
    const id = $derived(route().rest[0] ?? '');
    this.#asked = untrack(() => positionOf(id, route().query));
    const loaded = new Map<string, RoundViews>();

    $effect(() => {
      const asked = id;
      void this.#tries;
      let stale = false;
      this.file = this.views = null;
      this.mySeat = null;
      this.failure = null;
      loaded.clear();
      gameFile(asked)
        .then((file) => {
          if (!stale) this.file = file;
        })
        .catch((error: unknown) => {
          if (!stale) this.failure = isMissing(error) ? 'missing' : 'failed';
        });
      return () => (stale = true);
    });

    $effect(() => {
      const players = this.file?.game.players;
      if (!players || !token()) return;
      let stale = false;
      void me()
        .then(({ player }) => {
          if (!stale) this.mySeat = players.includes(player) ? players.indexOf(player) : null;
        })
        .catch(() => undefined);
      return () => (stale = true);
    });

    // The address leads: a link, back and forward.
    $effect(() => {
      const asked = positionOf(id, route().query);
      untrack(() => {
        clearTimeout(this.#timer);
        this.#show(asked);
      });
    });

    // The views of a round as somebody saw it are loaded only once.
    $effect(() => {
      const { round, seat } = this.#asked;
      const rounds = this.file?.rounds.length ?? 0;
      if (!rounds) return;
      if (round >= rounds) return this.#show({ ...this.#asked, round: rounds - 1, step: 0 });
      const key = `${round} ${seat}`;
      const known = loaded.get(key);
      if (known) {
        this.views = known;
        return;
      }
      let stale = false;
      // What comes late leaves no other round under the name of this one.
      const patience = setTimeout(() => (this.views = null), PATIENCE_MS);
      roundViews(id, round, seat)
        .then((views) => {
          if (stale) return;
          clearTimeout(patience);
          loaded.set(key, views);
          recordPositions();
          this.views = views;
        })
        .catch(() => {
          if (!stale) this.failure = 'failed';
        });
      return () => {
        stale = true;
        clearTimeout(patience);
      };
    });

    $effect(() => {
      if (!this.running) return;
      const timer = setInterval(() => {
        if (this.position.step >= this.last) this.running = false;
        else this.#move(stepFrom(this.steps, this.position.step, 1));
      }, STEP_INTERVAL);
      return () => clearInterval(timer);
    });

    $effect(() => () => clearTimeout(this.#timer));
  }

  #show(to: Position): void {
    if (to.step !== this.#asked.step || to.round !== this.#asked.round) recordPositions();
    this.#asked = to;
  }

  /** Steps leave no trace in the history; the address follows when nothing has moved for a moment. */
  #move(step: number): void {
    this.#show({ ...this.#asked, step: Math.max(0, Math.min(step, this.last)) });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => go(pathOf(this.#asked), true), ADDRESS_DELAY);
  }

  /** Another round or other eyes are a new entry in the history. */
  visit(to: Partial<Position>): void {
    clearTimeout(this.#timer);
    const before = pathOf(this.position);
    if (href(before) !== location.pathname + location.search) go(before, true);
    this.running = false;
    go(pathOf({ ...this.position, ...to }));
  }

  /** What is told beside the table; nothing is left in the history. */
  turnTo(tab: Tab): void {
    clearTimeout(this.#timer);
    this.#show({ ...this.#asked, tab });
    go(pathOf(this.position), true);
  }

  jump(to: number): void {
    this.running = false;
    this.#move(to);
  }

  moveByStep(by: 1 | -1): void {
    this.jump(stepFrom(this.steps, this.position.step, by));
  }

  moveByTrick(by: 1 | -1): void {
    this.jump(stopFrom(this.steps, this.position.step, by));
  }

  moveByRound(by: 1 | -1): void {
    const round = this.position.round + by;
    if (round >= 0 && round < (this.file?.rounds.length ?? 0)) this.visit({ round, step: 0 });
  }

  /** Ask again for what did not come. */
  again(): void {
    this.#tries++;
  }

  /** Let it run, or stop it. */
  toggle(): void {
    if (!this.running && this.position.step >= this.last) this.#move(0);
    this.running = !this.running;
  }
}
