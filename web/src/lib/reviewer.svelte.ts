/** Has a finished game reviewed, and hears how far that is. */
import type { ReviewedDecision, ReviewState } from '../wire';
import { failureText, request } from './api';
import { isMistake, merge } from './review';
import { socketAddress } from './router.svelte';

const AGAIN_MS = 3_000;

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

  /** Called once, inside a component. */
  constructor(id: () => string) {
    $effect(() => {
      const asked = id();
      this.#begin(asked);
      if (!asked) return;
      request<ReviewState>(this.#path())
        .then((state) => {
          if (this.#id !== asked) return;
          this.#hear(state);
          // Somebody has asked for it before.
          if (this.isRunning) this.#listen();
        })
        .catch(() => undefined);
      return () => this.#begin('');
    });
  }

  #begin(id: string): void {
    this.#id = id;
    this.progress = null;
    this.decisions = [];
    this.failure = '';
    clearTimeout(this.#timer);
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
    const asked = this.#id;
    this.asking = true;
    this.failure = '';
    try {
      const state = await request<ReviewState>(this.#path(), {});
      if (this.#id !== asked) return;
      this.#hear(state);
      if (this.isRunning) this.#listen();
    } catch (error) {
      if (this.#id === asked) this.failure = failureText(error);
    } finally {
      this.asking = false;
    }
  }

  #listen(): void {
    const asked = this.#id;
    this.#socket?.close();
    const socket = new WebSocket(socketAddress(`ws/v1/reviews/${encodeURIComponent(asked)}`));
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#hear(JSON.parse(String(data)) as ReviewState);
    };
    // A server that was started again goes on when it is asked.
    socket.onclose = () => {
      if (this.#socket !== socket || !this.isRunning) return;
      this.#timer = setTimeout(() => void this.ask(), AGAIN_MS);
    };
  }
}
