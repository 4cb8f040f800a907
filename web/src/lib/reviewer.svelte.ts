/** Has a finished game reviewed, and hears how far that is. */
import type { ReviewedDecision, ReviewState } from '../wire';
import { failureText, Refusal, request, token } from './api';
import { isMistake, merge } from './review';
import { socketAddress } from './router.svelte';

/** How long a server that is away is left alone, at first and at most. */
const AGAIN_MS = 3_000;
const LONGEST_MS = 30_000;
/** A server that stands still closes nothing: usually something is heard every four seconds. */
const SILENT_MS = 15_000;
/** What a server says that will soon say something else, or a proxy before it. */
const AWAY = /^(50[24]|busy|too_fast)$/;

export class Reviewer {
  /** How far it is; its decisions are those of the last message only. */
  progress = $state.raw<ReviewState | null>(null);
  decisions = $state.raw<readonly ReviewedDecision[]>([]);
  /** Why it cannot be asked for now. */
  failure = $state('');
  asking = $state(false);
  readonly mistakes = $derived(this.decisions.filter(isMistake));
  readonly isRunning = $derived(this.progress?.state === 'waiting' || this.progress?.state === 'running');
  #id = '';
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #wait = AGAIN_MS;

  /** Called once, inside a component. */
  constructor(id: () => string) {
    $effect(() => {
      const asked = id();
      this.#begin(asked);
      if (!asked) return;
      void this.#fetch();
      return () => this.#begin('');
    });
  }

  #begin(id: string): void {
    this.#id = id;
    this.progress = null;
    this.decisions = [];
    this.failure = '';
    this.#wait = AGAIN_MS;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#socket?.close();
    this.#socket = undefined;
  }

  #path = (): string => `games/${encodeURIComponent(this.#id)}/review`;

  #hear(state: ReviewState): void {
    this.decisions = merge(state.isWhole ? [] : this.decisions, state.decisions);
    this.progress = state;
  }

  /** Ask for it; who asks again loses nothing. */
  async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.failure = '';
    await this.#fetch({});
    this.asking = false;
  }

  /** Look once more how far it is. */
  look(): void {
    clearTimeout(this.#timer);
    void this.#fetch();
  }

  async #fetch(body?: object): Promise<void> {
    const asked = this.#id;
    try {
      const state = await request<ReviewState>(this.#path(), body);
      if (this.#id !== asked) return;
      this.failure = '';
      this.#wait = AGAIN_MS;
      this.#hear(state);
      // Somebody has asked for it, now or before.
      if (this.isRunning) this.#listen();
    } catch (error) {
      if (this.#id === asked) this.#fail(error);
    }
  }

  /** A server that is away is asked again; what it refuses it refuses. */
  #fail(error: unknown): void {
    this.failure = failureText(error);
    const isAway = !(error instanceof Refusal) || AWAY.test(error.code);
    if (isAway && (this.isRunning || !this.progress)) this.#later();
    else if (this.progress && this.isRunning) this.progress = { ...this.progress, state: 'none' };
  }

  /** A server that was started again goes on when it is asked by somebody who may. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fetch(this.isRunning && token() ? {} : undefined), this.#wait);
    this.#wait = Math.min(LONGEST_MS, 2 * this.#wait);
  }

  #listen(): void {
    const asked = this.#id;
    this.#socket?.close();
    const socket = new WebSocket(socketAddress(`ws/v1/reviews/${encodeURIComponent(asked)}`));
    this.#socket = socket;
    const drop = (): void => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#silence);
      this.#socket = undefined;
      socket.close();
      if (this.isRunning) this.#later();
    };
    const watch = (): void => {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(drop, SILENT_MS);
    };
    watch();
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      watch();
      this.#hear(JSON.parse(String(data)) as ReviewState);
    };
    socket.onclose = drop;
  }
}
