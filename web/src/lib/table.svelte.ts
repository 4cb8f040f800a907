/** A table as this player sees it, kept up to date by the connection to the server. */
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
import { device, forgetSeatKey, saveToken, seatKey, token } from './api';
import { SpectatorClocks } from './clocks';
import { type ClientRequest, Connection, type ConnectionStatus, isFinal } from './connection';
import type { Commitment } from './commitment';
import { socketAddress } from './router.svelte';
import { settings } from './settings.svelte';
import { ShuffleShare } from './share';

export interface ChatLine {
  name: string;
  player: string;
  seat: number | null;
  text?: string;
  emote?: string;
}

/** What a listener needs to show or play: the event, and the view before and after it. */
export type Listener = (event: TableEvent, before: SeatView | null, after: SeatView | null) => void;

const MAX_CHAT = 100;

export class Table {
  status = $state<ConnectionStatus>('connecting');
  version = $state(-1);
  you = $state.raw<You | null>(null);
  state = $state.raw<TableState | null>(null);
  view = $state.raw<SeatView | null>(null);
  /** Whose time runs. */
  clocks = $state.raw<readonly SeatTime[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  /** The last round, until the next deal. */
  lastRound = $state.raw<RoundOver | null>(null);
  /** What the table had committed to about its deal. */
  commitment = $state.raw<Commitment | null>(null);
  /** What every seat did last: a pass, a call. */
  lastActions = $state.raw<readonly (Acted | null)[]>([null, null, null, null]);
  /** Why there is no table: its code, and that of a ban. */
  gone = $state('');
  /** After a game: this player looks at the seats and settings of the rematch. */
  isChoosing = $state(false);

  #connection: Connection;
  #listeners = new Set<Listener>();
  /** Server time minus ours. */
  #clockOffset = -Infinity;
  #spectatorClocks = new SpectatorClocks();
  #share: ShuffleShare;
  /** Whom the server took us for here, one after the other. */
  #identities = new Set<string>();
  #beforeChange: (() => void) | undefined;

  constructor(readonly id: string) {
    this.#share = new ShuffleShare(id, (message) => this.#connection.request(message));
    this.#connection = new Connection({
      url: socketAddress(`ws/v1/tables/${encodeURIComponent(id)}`),
      hello: () => ({
        type: 'hello',
        table: id,
        token: token() ?? undefined,
        key: seatKey(id),
        name: settings.name,
        device: device(),
        since: this.version >= 0 ? this.version : undefined,
      }),
      onmessage: (message) => this.#receive(message),
      onstatus: (status) => (this.status = status),
    });
  }

  get seat(): number | null {
    return this.you?.seat ?? null;
  }

  get isHost(): boolean {
    return this.you !== null && this.state?.host === this.you.player && !this.state.rated;
  }

  /** After a game: the seat that was ours in it, also if the key of its link ended with the game. */
  get finalSeat(): number | undefined {
    const seat = this.state?.final?.players.findIndex((player) => this.#identities.has(player ?? '')) ?? -1;
    return seat >= 0 ? seat : undefined;
  }

  /** The team that is "us": for whoever watches that of seat 0, and after a game that of the seat in it. */
  get team(): number {
    return (this.finalSeat ?? this.seat ?? 0) % 2;
  }

  /** Whether this player may do what is the host's: the host, or whoever plays while the host is away. */
  get actsAsHost(): boolean {
    const host = this.state?.seats.find((who) => who.player && who.player === this.state?.host);
    return this.isHost || (this.seat !== null && host?.connected === false && !this.state?.rated);
  }

  /** Whether a bot may be asked to play for somebody who has gone and is waited for. */
  mayAssist(seat: number): boolean {
    const who = this.state?.seats[seat];
    const isAway = !!who?.player && !who.connected && !who.standIn;
    return isAway && this.view?.seat != null && this.view.pending.includes(seat);
  }

  /** The server's clock, as far as we know it. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Have something done before every change of the view, such as noting where the cards are. */
  beforeChange(callback: () => void): void {
    this.#beforeChange = callback;
  }

  /** Send a command; the answer says whether it was carried out. */
  async command(message: ClientRequest): Promise<{ ok: true } | { ok: false; reason: string; message: string }> {
    const answer = await this.#connection.request({ version: this.version, ...message } as ClientRequest);
    if (answer.type === 'ack') return { ok: true };
    if (answer.type === 'refused') return { ok: false, reason: answer.reason, message: answer.message };
    return {
      ok: false,
      reason: answer.type === 'error' ? answer.code : '',
      message: answer.type === 'error' ? answer.message : '',
    };
  }

  async check(cards: readonly string[]): Promise<Checked | null> {
    const answer = await this.#connection.request({ type: 'check', cards });
    return answer.type === 'checked' ? answer : null;
  }

  async hint(): Promise<Hinted | null> {
    const answer = await this.#connection.request({ type: 'hint' });
    return answer.type === 'hinted' ? answer : null;
  }

  close(): void {
    this.#connection.close();
  }

  #receive(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        return this.#welcome(message);
      case 'event':
        return this.#event(message);
      case 'state':
        this.#beforeChange?.();
        this.version = message.version;
        this.state = message.table;
        this.#addToShuffle(message.view ?? null);
        this.#setView(message.view ?? null);
        return;
      case 'refused':
        if (message.view !== undefined && message.version >= this.version) this.#setView(message.view);
        return;
      case 'pong':
        this.#clockOffset = message.now - Date.now();
        return;
      case 'error':
        if (isFinal(message.code)) this.gone = message.code;
        return;
      default:
        return;
    }
  }

  #welcome(message: Welcome): void {
    if (message.you.token) {
      forgetSeatKey(this.id);
      saveToken(message.you.token);
    }
    this.#identities.add(message.you.player);
    this.you = message.you;
    for (const missed of message.missed ?? []) this.#record(missed.event);
    if (message.lastRound && !this.lastRound) {
      this.lastRound = message.lastRound;
      this.commitment = this.#share.finished(message.table.game, message.lastRound.result.round);
    }
    this.#beforeChange?.();
    this.version = message.version;
    this.state = message.table;
    this.#addToShuffle(message.view ?? null);
    this.#setView(message.view ?? null);
  }

  #event(message: EventMessage): void {
    if (message.version <= this.version) return;
    if (message.version > this.version + 1) {
      // An event was lost; the server sends the missing ones after a reconnection.
      this.#connection.restart();
      return;
    }
    this.#beforeChange?.();
    const before = this.view;
    this.version = message.version;
    if (message.table !== undefined) {
      this.state = message.table;
      this.#updateSeat(message.table);
      this.#addToShuffle(message.view === undefined ? this.view : message.view);
    }
    if (message.view !== undefined) this.#setView(message.view);
    this.#record(message.event);
    for (const listener of this.#listeners) listener(message.event, before, this.view);
  }

  #setView(view: SeatView | null): void {
    this.view = view;
    if (!view) {
      this.clocks = [];
      return;
    }
    const offset = view.now - Date.now();
    // The view of a spectator may be old.
    if (view.seat !== null || offset > this.#clockOffset) this.#clockOffset = offset;
    this.clocks = view.seat === null && this.state ? this.#spectatorClocks.estimate(view, this.state) : view.clocks;
    this.#share.see(view);
  }

  #updateSeat(table: TableState): void {
    if (!this.you) return;
    const seat = table.seats.findIndex((place) => place.player === this.you?.player);
    if (seat !== (this.you.seat ?? -1)) this.you = { ...this.you, seat: seat < 0 ? undefined : seat };
  }

  #record(event: TableEvent): void {
    switch (event.type) {
      case 'said':
      case 'emoted':
        this.chat = [...this.chat, { ...event, seat: event.seat ?? null }].slice(-MAX_CHAT);
        return;
      case 'dealt':
        this.lastRound = null;
        this.lastActions = [null, null, null, null];
        return;
      case 'round_over':
        this.lastRound = event;
        this.commitment = this.#share.finish();
        return;
      case 'acted': {
        // A play makes earlier passes irrelevant, and a new trick starts clean.
        const clean = event.what === 'take' || event.what === 'play';
        const last = clean ? [null, null, null, null] : [...this.lastActions];
        last[event.seat] = event;
        this.lastActions = last;
        return;
      }
      default:
        return;
    }
  }

  /** Have a part in the next deal, so that neither side alone decides it. */
  #addToShuffle(view: SeatView | null): void {
    if (this.state) this.#share.hear(this.state, this.seat, view?.counts.some(Boolean) ?? false);
  }
}
