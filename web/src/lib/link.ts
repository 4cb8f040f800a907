/**
 * The line to a table.  It opens again by itself, tells the server what it has seen, and says again whatever has not
 * been answered: commands have ids, so a repeat changes nothing.
 */
import type { Answer, Check, Command, FromServer, Hello, Hint } from '../wire';
import { randomHex } from './random';

export type LinkStatus = 'connecting' | 'open' | 'lost' | 'closed';
type Distributed<T> = T extends unknown ? Omit<T, 'id'> : never;
/** A question or command without its id. */
export type Ask = Distributed<Command | Check | Hint>;

export interface LinkOptions {
  url: string;
  hello: () => Hello;
  hear: (message: FromServer) => void;
  status: (status: LinkStatus) => void;
  /** For tests. */
  open?: (url: string) => WebSocket;
}

interface Waiting {
  text: string;
  lasting: boolean;
  resolve: (answer: Answer) => void;
}

const ANSWERS = new Set(['ack', 'refused', 'checked', 'hinted']);
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 20_000;
const SILENCE = 45_000;
/** A phone that wakes up has sockets that look open and are dead. */
const WAKE_PATIENCE = 2500;

export class Link {
  #options: LinkOptions;
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #wait = FIRST_WAIT;
  #heard = 0;
  #welcomed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#pulse = setInterval(() => this.#beat(), PING_EVERY);
    this.#open();
  }

  /** Say something with an id; the answer comes back, if need be after a new connection. */
  ask(message: Ask): Promise<Answer> {
    const id = randomHex(9);
    const text = JSON.stringify({ ...message, id });
    // A question about cards is worth nothing later; a command is.
    const lasting = message.type !== 'check' && message.type !== 'hint';
    return new Promise((resolve) => {
      this.#waiting.set(id, { text, lasting, resolve });
      if (this.#welcomed) this.#socket?.send(text);
    });
  }

  /** Open anew, as after a gap in the versions. */
  restart(): void {
    this.#drop();
    this.#open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearInterval(this.#pulse);
    clearTimeout(this.#timer);
    this.#drop();
    this.#options.status('closed');
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#options.status('connecting');
    const socket = (this.#options.open ?? ((url) => new WebSocket(url)))(this.#options.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      socket.send(JSON.stringify(this.#options.hello()));
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => this.#lost(socket);
  }

  #hear(message: FromServer): void {
    this.#heard = Date.now();
    if (message.type === 'welcome') {
      this.#welcomed = true;
      this.#wait = FIRST_WAIT;
      // Before anybody hears of it and says something new.
      this.#repeat();
      this.#options.hear(message);
      this.#options.status('open');
      // The answer tells the time.
      this.#socket?.send('{"type":"ping"}');
      return;
    }
    if (message.type === 'error' && ['no_such_table', 'closing'].includes(message.code)) {
      // Asking again would give the same answer; a server that closes comes back, a table that is not there does not.
      if (message.code === 'no_such_table') this.#closed = true;
    }
    this.#options.hear(message);
    if ((ANSWERS.has(message.type) || message.type === 'error') && 'id' in message && message.id) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.resolve(message);
    }
  }

  #repeat(): void {
    for (const [id, { text, lasting }] of this.#waiting) {
      if (lasting) this.#socket?.send(text);
      else this.#waiting.delete(id);
    }
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#drop();
    if (this.#closed) return;
    this.#options.status('lost');
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #beat(): void {
    if (!this.#welcomed) return;
    if (Date.now() - this.#heard > SILENCE) this.restart();
    else this.#socket?.send('{"type":"ping"}');
  }

  #wake = (): void => {
    if (this.#closed || document.visibilityState === 'hidden') return;
    if (!this.#welcomed) {
      this.restart();
      return;
    }
    const before = this.#heard;
    this.#socket?.send('{"type":"ping"}');
    setTimeout(() => {
      if (!this.#closed && this.#welcomed && this.#heard === before) this.restart();
    }, WAKE_PATIENCE);
  };
}
