/** A table as this player sees it, kept up to date by the line to the server. */
import type {
  Acted,
  Checked,
  EventMessage,
  FromServer,
  Hinted,
  RoundOver,
  SeatTime,
  SeatView,
  TableEvent,
  TableState,
  Welcome,
  You,
} from '../wire';
import { keepToken, token } from './api';
import { Watched } from './clocks';
import { type Ask, Link, type LinkStatus } from './link';
import { keepPromise, type Promised, recallPromise } from './promise';
import { randomHex } from './random';
import { socketAddress } from './router.svelte';
import { settings } from './settings.svelte';

export interface ChatLine {
  name: string;
  player: string;
  seat: number | null;
  text?: string;
  emote?: string;
}

/** What a listener may want to show or sound: the event, and the view before and after it. */
export type Listener = (event: TableEvent, before: SeatView | null, after: SeatView | null) => void;

const CHAT_KEPT = 100;

export class Table {
  status = $state<LinkStatus>('connecting');
  version = $state(-1);
  you = $state.raw<You | null>(null);
  state = $state.raw<TableState | null>(null);
  view = $state.raw<SeatView | null>(null);
  /** Whose time runs. */
  clocks = $state.raw<readonly SeatTime[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  /** The last round, open on the table. */
  over = $state.raw<RoundOver | null>(null);
  /** What had been promised about its deal. */
  promised = $state.raw<Promised | null>(null);
  /** What every seat did last, for the places: a pass, a call. */
  last = $state.raw<readonly (Acted | null)[]>([null, null, null, null]);
  missing = $state(false);

  #link: Link;
  #listeners = new Set<Listener>();
  /** Server time minus ours. */
  #ahead = -Infinity;
  #watched = new Watched();
  /** About the deal that comes or is being played. */
  #promise: Promised | null = null;
  #before: (() => void) | undefined;

  constructor(readonly id: string) {
    this.#link = new Link({
      url: socketAddress('ws/v1'),
      hello: () => ({
        type: 'hello',
        table: id,
        token: token() ?? undefined,
        name: settings.name,
        since: this.version >= 0 ? this.version : undefined,
      }),
      hear: (message) => this.#hear(message),
      status: (status) => (this.status = status),
    });
  }

  get seat(): number | null {
    return this.you?.seat ?? null;
  }

  get isHost(): boolean {
    return this.you !== null && this.state?.host === this.you.player;
  }

  /** The server's clock, as far as we know it. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called before every change of what is shown, so that cards know where they were. */
  beforeChange(look: () => void): void {
    this.#before = look;
  }

  /** A command; the answer says whether it was done. */
  async command(message: Ask): Promise<{ ok: true } | { ok: false; reason: string; message: string }> {
    const answer = await this.#link.ask({ version: this.version, ...message } as Ask);
    if (answer.type === 'ack') return { ok: true };
    if (answer.type === 'refused') return { ok: false, reason: answer.reason, message: answer.message };
    return {
      ok: false,
      reason: answer.type === 'error' ? answer.code : '',
      message: answer.type === 'error' ? answer.message : '',
    };
  }

  async check(cards: readonly string[]): Promise<Checked | null> {
    const answer = await this.#link.ask({ type: 'check', cards });
    return answer.type === 'checked' ? answer : null;
  }

  async hint(): Promise<Hinted | null> {
    const answer = await this.#link.ask({ type: 'hint' });
    return answer.type === 'hinted' ? answer : null;
  }

  close(): void {
    this.#link.close();
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        return this.#welcome(message);
      case 'event':
        return this.#event(message);
      case 'state':
        this.#before?.();
        this.version = message.version;
        this.state = message.table;
        this.#look(message.view ?? null);
        return;
      case 'refused':
        if (message.view !== undefined && message.version >= this.version) this.#look(message.view);
        return;
      case 'pong':
        this.#ahead = message.now - Date.now();
        return;
      case 'error':
        if (message.code === 'no_such_table') this.missing = true;
        return;
      default:
        return;
    }
  }

  #welcome(message: Welcome): void {
    if (message.you.token) keepToken(message.you.token);
    this.you = message.you;
    for (const missed of message.missed ?? []) this.#note(missed.event);
    this.#before?.();
    this.version = message.version;
    this.state = message.table;
    const { commit } = message.table;
    if (commit !== null && commit !== this.#promise?.commit)
      this.#promise = recallPromise(this.id, commit) ?? promiseOf(commit, !message.view?.counts.some(Boolean));
    this.#look(message.view ?? null);
    this.#giveNonce(commit);
  }

  #event(message: EventMessage): void {
    if (message.version <= this.version) return;
    if (message.version > this.version + 1) {
      // Something was lost: the server knows what.
      this.#link.restart();
      return;
    }
    this.#before?.();
    const before = this.view;
    this.version = message.version;
    if (message.table !== undefined) {
      this.state = message.table;
      this.#sitDown(message.table);
    }
    if (message.view !== undefined) this.#look(message.view);
    this.#note(message.event);
    if (message.event.type === 'committed') {
      this.#promise = promiseOf(message.event.commit, true);
      this.#giveNonce(message.event.commit);
    }
    for (const listener of this.#listeners) listener(message.event, before, this.view);
  }

  #look(view: SeatView | null): void {
    this.view = view;
    if (!view) {
      this.clocks = [];
      return;
    }
    const ahead = view.now - Date.now();
    // What a spectator is shown may be old.
    if (view.seat !== null || ahead > this.#ahead) this.#ahead = ahead;
    this.clocks = view.seat === null && this.state ? this.#watched.clocks(view, this.state) : view.clocks;
    const dealt = view.phase === 'TICHU.DECLARE_GRAND_WINDOW' || view.phase === 'TICHU.EXCHANGE_SELECT';
    if (dealt && view.hand.length > (this.#promise?.hand.length ?? 99))
      this.#remember({ seat: view.seat, hand: view.hand });
  }

  #sitDown(table: TableState): void {
    if (!this.you) return;
    const seat = table.seats.findIndex((place) => place.player === this.you?.player);
    if (seat !== (this.you.seat ?? -1)) this.you = { ...this.you, seat: seat < 0 ? undefined : seat };
  }

  #note(event: TableEvent): void {
    switch (event.type) {
      case 'said':
      case 'emoted':
        this.chat = [...this.chat, { ...event, seat: event.seat ?? null }].slice(-CHAT_KEPT);
        return;
      case 'dealt':
        this.over = null;
        this.last = [null, null, null, null];
        return;
      case 'round_over':
        this.over = event;
        this.promised = this.#promise;
        this.#promise = null;
        return;
      case 'acted': {
        // A play answers all passes before it; a new trick starts clean.
        const clean = event.what === 'take' || event.what === 'play';
        const last = clean ? [null, null, null, null] : [...this.last];
        last[event.seat] = event;
        this.last = last;
        return;
      }
      default:
        return;
    }
  }

  /** The player's share in the shuffle, so that no side alone decides the deal. */
  #giveNonce(commit: string | null): void {
    if (commit === null || this.seat === null || commit === this.#answered) return;
    this.#answered = commit;
    const { seat } = this;
    const nonce = randomHex(16);
    void this.#link.ask({ type: 'TABLE.NONCE', nonce }).then((answer) => {
      if (answer.type === 'ack' && this.#promise?.commit === commit) this.#remember({ seat, nonce });
    });
  }
  #answered = '';

  #remember(more: Pick<Promised, 'seat'> & Partial<Promised>): void {
    const was = this.#promise;
    if (!was) return;
    // What was given and seen in another seat proves nothing about this one.
    this.#promise = { ...(was.seat === more.seat ? was : promiseOf(was.commit, was.early)), ...more };
    keepPromise(this.id, this.#promise);
  }
}

const promiseOf = (commit: string, early: boolean): Promised => ({ commit, early, seat: null, nonce: null, hand: [] });
