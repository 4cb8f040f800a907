/**
 * The WebSocket to a table.  It reconnects by itself, tells the server what it has seen, and sends unanswered requests
 * again: they have ids, so a repeated one changes nothing.
 */
import type { Answer, Check, Command, FromServer, Hello, Hint } from '../wire';
import { randomHex } from './random';

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'closed';
type Distributed<T> = T extends unknown ? Omit<T, 'id'> : never;
/** A question or command without its id. */
export type ClientRequest = Distributed<Command | Check | Hint>;

export interface ConnectionOptions {
  url: string;
  hello: () => Hello;
  onmessage: (message: FromServer) => void;
  onstatus: (status: ConnectionStatus) => void;
  /** For tests. */
  connect?: (url: string) => WebSocket;
}

interface PendingRequest {
  text: string;
  isQuestion: boolean;
  resolve: (answer: Answer) => void;
}

const ANSWERS = new Set(['ack', 'refused', 'checked', 'hinted']);
/** To a question that the connection has lost. */
const LOST: Answer = { type: 'error', code: 'closing', message: '' };
const FIRST_DELAY = 300;
const MAX_DELAY = 5000;
const PING_INTERVAL = 20_000;
const SILENCE_TIMEOUT = 45_000;
/** After a phone wakes up, a socket may look open and be dead. */
const WAKE_TIMEOUT = 2500;

export class Connection {
  #options: ConnectionOptions;
  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingRequest>();
  #delay = FIRST_DELAY;
  #lastMessageAt = 0;
  #welcomed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#heartbeat = setInterval(() => this.#ping(), PING_INTERVAL);
    this.#open();
  }

  /**
   * Send a request under a new id.  A command's answer may come after a reconnection; a question about cards is
   * pointless by then, and is answered as lost.
   */
  request(message: ClientRequest): Promise<Answer> {
    const id = randomHex(9);
    const text = JSON.stringify({ ...message, id });
    const isQuestion = message.type === 'check' || message.type === 'hint';
    if (isQuestion && !this.#welcomed) return Promise.resolve(LOST);
    return new Promise((resolve) => {
      this.#pending.set(id, { text, isQuestion, resolve });
      if (this.#welcomed) this.#socket?.send(text);
    });
  }

  /** Reconnect, for example after a gap in the versions. */
  restart(): void {
    this.#dropSocket();
    this.#open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    this.#dropSocket();
    this.#options.onstatus('closed');
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#options.onstatus('connecting');
    const socket = (this.#options.connect ?? ((url) => new WebSocket(url)))(this.#options.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#lastMessageAt = Date.now();
      socket.send(JSON.stringify(this.#options.hello()));
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => this.#onclose(socket);
  }

  #receive(message: FromServer): void {
    this.#lastMessageAt = Date.now();
    if (message.type === 'welcome') {
      this.#welcomed = true;
      this.#delay = FIRST_DELAY;
      // Before anybody hears of the welcome and sends something new.
      this.#sendAgain();
      this.#options.onmessage(message);
      this.#options.onstatus('open');
      // The answer carries the server's time.
      this.#socket?.send('{"type":"ping"}');
      return;
    }
    // A server that closes comes back; a table that does not exist never will.
    if (message.type === 'error' && message.code === 'no_such_table') this.#closed = true;
    this.#options.onmessage(message);
    if ((ANSWERS.has(message.type) || message.type === 'error') && 'id' in message && message.id) {
      const request = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      request?.resolve(message);
    }
  }

  #sendAgain(): void {
    for (const { text } of this.#pending.values()) this.#socket?.send(text);
  }

  #onclose(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#dropSocket();
    if (this.#closed) return;
    this.#options.onstatus('lost');
    this.#timer = setTimeout(() => this.#open(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
  }

  #dropSocket(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    for (const [id, { isQuestion, resolve }] of this.#pending) {
      if (!isQuestion) continue;
      this.#pending.delete(id);
      resolve(LOST);
    }
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #ping(): void {
    if (!this.#welcomed) return;
    if (Date.now() - this.#lastMessageAt > SILENCE_TIMEOUT) this.restart();
    else this.#socket?.send('{"type":"ping"}');
  }

  #wake = (): void => {
    if (this.#closed || document.visibilityState === 'hidden') return;
    if (!this.#welcomed) {
      this.restart();
      return;
    }
    const before = this.#lastMessageAt;
    this.#socket?.send('{"type":"ping"}');
    setTimeout(() => {
      if (!this.#closed && this.#welcomed && this.#lastMessageAt === before) this.restart();
    }, WAKE_TIMEOUT);
  };
}
