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
/** A server that closes comes back; a table that does not exist never will, nor is a banned player let in soon. */
export const isFinal = (code: string): boolean => code === 'no_such_table' || code === 'banned';
const FIRST_DELAY = 300;
const MAX_DELAY = 5000;
/** A server that stands still closes nothing: whoever hears nothing asks, and soon tries elsewhere. */
const HEARTBEAT = 1000;
const PING_AFTER = 4000;
const PONG_TIMEOUT = 3500;
/** A balancer asks the next node after ten seconds (deploy/cluster/nginx.conf), and that one has to answer in time. */
const OPEN_TIMEOUT = 12_500;
const WELCOME_TIMEOUT = 8500;
/** After a phone wakes up, a socket may look open and be dead. */
const WAKE_TIMEOUT = 2500;
/** How long a socket that nobody wants any more may take to open. */
const LEAVE_TIMEOUT = 1500;

export class Connection {
  #options: ConnectionOptions;
  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingRequest>();
  #delay = FIRST_DELAY;
  #lastMessageAt = 0;
  #welcomed = false;
  /** When it was asked whether anybody is there, 0 if not since the last message. */
  #pingedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#heartbeat = setInterval(() => this.#listen(), HEARTBEAT);
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
    // At once, even if it is not open: until then browsers connect no other one to the same host.
    this.#detach()?.close();
    this.#open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    leave(this.#detach());
    this.#options.onstatus('closed');
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#options.onstatus('connecting');
    const socket = (this.#options.connect ?? ((url) => new WebSocket(url)))(this.#options.url);
    this.#socket = socket;
    this.#lastMessageAt = Date.now();
    this.#pingedAt = 0;
    socket.onopen = () => {
      this.#lastMessageAt = Date.now();
      socket.send(JSON.stringify(this.#options.hello()));
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => this.#onclose(socket);
  }

  #receive(message: FromServer): void {
    this.#lastMessageAt = Date.now();
    this.#pingedAt = 0;
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
    if (message.type === 'error' && isFinal(message.code)) this.#closed = true;
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
    this.#detach();
    if (this.#closed) return;
    this.#options.onstatus('lost');
    this.#timer = setTimeout(() => this.#open(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
  }

  /** The socket, which nobody listens to any more. */
  #detach(): WebSocket | null {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    for (const [id, { isQuestion, resolve }] of this.#pending) {
      if (!isQuestion) continue;
      this.#pending.delete(id);
      resolve(LOST);
    }
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  #listen(): void {
    if (!this.#socket) return;
    const now = Date.now();
    if (!this.#welcomed) {
      const patience = this.#socket.readyState === 0 ? OPEN_TIMEOUT : WELCOME_TIMEOUT;
      if (now - this.#lastMessageAt > patience) this.restart();
    } else if (this.#pingedAt) {
      // Counted from the question: the timers of a hidden page are late.
      if (now - this.#pingedAt > PONG_TIMEOUT) this.restart();
    } else if (now - this.#lastMessageAt > PING_AFTER) {
      this.#pingedAt = now;
      this.#socket.send('{"type":"ping"}');
    }
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

/** Close a socket when it is open, for browsers complain about those that are closed before. */
function leave(socket: WebSocket | null): void {
  if (socket?.readyState !== 0) {
    socket?.close();
    return;
  }
  const timer = setTimeout(() => socket.close(), LEAVE_TIMEOUT);
  socket.onopen = () => {
    clearTimeout(timer);
    socket.close();
  };
}
