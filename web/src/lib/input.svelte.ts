/** What the player is about to do: the selected cards, what they form, what was sent and is not answered yet. */
import type { Checked, Combination, DeclaredCombo, Hinted, SeatView } from '../wire';
import { ORDERS, rankOf, sortCards, type Card } from './cards';
import type { ClientRequest } from './connection';
import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import { bestCards, fittingCards, sameRank } from './selection';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';
import { reasonText } from './words';

type Draft = readonly [Card | null, Card | null, Card | null];
const EMPTY: Draft = [null, null, null];
const GIVERS = [undefined, 'left', 'partner', 'right'] as const;
/** A turn is either of them. */
const TURN: readonly ClientRequest['type'][] = ['TICHU.PASS', 'TICHU.PLAY_CARDS'];

/** What lies on top; a play that was meant for it is not made on anything else. */
const topOf = (view: SeatView | null): string => view?.top?.combination.text ?? '';

/** Whether tricks are played. */
export const isPlaying = (view: SeatView | null): boolean =>
  view?.phase === 'TICHU.TRICK_PLAY' || view?.phase === 'TICHU.DRAGON_DONATE';

export class PlayerInput {
  selected = $state.raw<readonly Card[]>([]);
  leaving = $state.raw<readonly Card[]>([]);
  checked = $state.raw<Checked | null>(null);
  /** Which reading of the cards is meant, if the Phoenix leaves a choice. */
  reading = $state(0);
  draft = $state.raw<Draft>(EMPTY);
  /** Commands without an answer yet. */
  #sending = $state.raw<readonly ClientRequest[]>([]);
  /** On what the selected cards are to be played, as soon as the server has said what they form. */
  #intended = $state.raw<string | null>(null);
  hinting = $state(false);
  /** The last hint, as long as what it is about is open. */
  hinted = $state.raw<{ answer: Hinted; decision: string } | null>(null);
  #lastCheck = 0;
  #lastAnswer = 0;
  #restored = false;

  constructor(readonly table: Table) {}

  get hand(): readonly Card[] {
    const view = this.table.view;
    const given = view?.phase === 'TICHU.EXCHANGE_SELECT' ? view.given.map(({ card }) => card) : [];
    const away: readonly (Card | null)[] = view?.decision === 'exchange' ? this.draft : given;
    return sortCards(
      (view?.hand ?? []).filter((card) => !away.includes(card)),
      settings.order,
    );
  }

  /** The cards that came in the exchange, with where their giver sits; until the first own play. */
  get received(): ReadonlyMap<Card, 'left' | 'partner' | 'right'> {
    const view = this.table.view;
    if (!view || view.seat === null || view.hand.length < 14 || view.phase !== 'TICHU.TRICK_PLAY') return new Map();
    const me = view.seat;
    return new Map(view.received.map(({ card, seat }) => [card, GIVERS[(seat - me + 4) & 3] ?? 'partner']));
  }

  get isDraftFull(): boolean {
    return this.draft.every((card) => card !== null);
  }

  get isBusy(): boolean {
    return this.#sending.length > 0;
  }

  /** Whether such a command has no answer yet, or one that says this. */
  isSending(type: ClientRequest['type'], what?: unknown): boolean {
    const isOnItsWay = this.#sending.some(
      (message) => message.type === type && (what === undefined || Object.values(message).includes(what)),
    );
    return isOnItsWay || (type === 'TICHU.PLAY_CARDS' && this.#intended !== null);
  }

  /** What the selected cards form, whether or not it can be played now. */
  get combination(): Combination | null {
    return this.checked?.readings?.[this.reading] ?? null;
  }

  /** What the Play button would play. */
  get playable(): Combination | null {
    return this.checked?.reason ? null : this.combination;
  }

  /** The view has changed: forget cards that are gone, and check the rest again. */
  update(): void {
    const view = this.table.view;
    const hand = new Set(view?.hand ?? []);
    if (view?.decision !== this.hinted?.decision) this.hinted = null;
    this.leaving = this.leaving.filter((card) => hand.has(card));
    if (view?.phase !== 'TICHU.EXCHANGE_SELECT') {
      this.draft = EMPTY;
      this.#restored = false;
    } else if (!this.#restored) {
      // After a reload the server has the draft; from then on this page has.
      this.#restored = true;
      const saved = [1, 2, 3].map(
        (at) => view.draft.find((gift) => gift.seat === (((view.seat ?? 0) + at) & 3))?.card ?? null,
      );
      this.draft = saved as unknown as Draft;
    }
    this.select(this.selected.filter((card) => hand.has(card)));
  }

  select(cards: readonly Card[]): void {
    const same = cards.length === this.selected.length && cards.every((card) => this.selected.includes(card));
    if (!same) {
      this.selected = cards;
      this.reading = 0;
      this.#intended = null;
    }
    if (!same || !this.checked || cards.length === 0) this.checked = null;
    const check = ++this.#lastCheck;
    if (!cards.length) return;
    void this.table.check(cards).then((answer) => {
      if (check !== this.#lastCheck) return;
      this.#lastAnswer = check;
      this.checked = answer;
      this.#playIntended();
    });
  }

  /** What was to be played before it was known what it forms. */
  #playIntended(): void {
    const top = this.#intended;
    // What the connection has lost is checked again when it is back.
    if (top === null || (!this.checked && this.table.status !== 'open')) return;
    this.#intended = null;
    if (this.checked?.reason || (this.checked && top === topOf(this.table.view))) void this.playSelected();
  }

  tap(card: Card): void {
    const view = this.table.view;
    if (view?.decision === 'exchange') return this.#addToDraft(card);
    if (this.selected.includes(card)) return this.select(this.selected.filter((other) => other !== card));
    const fit = settings.smart && view?.decision === 'play' && !this.selected.length ? fittingCards(view, card) : null;
    this.select(fit ?? [...this.selected, card]);
  }

  longPress(card: Card): void {
    if (this.table.view?.decision === 'exchange') return;
    this.select([
      ...new Set([...this.selected.filter((other) => rankOf(other) !== rankOf(card)), ...sameRank(this.hand, card)]),
    ]);
  }

  doubleTap(card: Card): void {
    const view = this.table.view;
    if (view && view.decision !== 'exchange') this.select(bestCards(view, card));
  }

  #addToDraft(card: Card): void {
    const free = this.draft.indexOf(null);
    if (free < 0) return;
    this.draft = this.draft.map((other, i) => (i === free ? card : other)) as unknown as Draft;
    void this.#saveDraft();
  }

  takeBack(place: number): void {
    this.draft = this.draft.map((other, i) => (i === place ? null : other)) as unknown as Draft;
    void this.#saveDraft();
  }

  /** Fill all three places at once, as a hint does. */
  setDraft(cards: readonly Card[]): void {
    this.draft = [cards[0] ?? null, cards[1] ?? null, cards[2] ?? null];
    void this.#saveDraft();
  }

  /** The server keeps the draft for a reload; nobody else learns of it. */
  async #saveDraft(): Promise<void> {
    const [left, partner, right] = this.draft;
    await this.table.command({ type: 'TICHU.SELECT_EXCHANGE', left, partner, right });
  }

  confirmExchange(): Promise<boolean> {
    const [left, partner, right] = this.draft;
    return this.send({ type: 'TICHU.CONFIRM_EXCHANGE', left, partner, right });
  }

  /** What Enter does: give the chosen cards, or play the selected ones. */
  async confirm(): Promise<void> {
    if (this.table.view?.decision !== 'exchange') await this.playSelected();
    else if (this.isDraftFull) await this.confirmExchange();
  }

  /** Play the selected cards, or say why they cannot be played; if that is not known yet, as soon as it is. */
  async playSelected(): Promise<void> {
    const view = this.table.view;
    if (!view || !this.selected.length || view.decision === 'exchange') return;
    const play = this.playable;
    if (!play) {
      const isKnown = this.#lastAnswer === this.#lastCheck;
      if (isKnown && this.checked?.reason)
        return notices.show(reasonText(this.checked.reason, view.wish, this.checked.message ?? ''), 'bad');
      if (TURN.some((type) => this.isSending(type))) return;
      this.#intended = topOf(view);
      if (isKnown) this.select(this.selected);
      return;
    }
    await this.playCombination(
      play,
      view.decision === 'play' && !play.isBomb
        ? 'TICHU.PLAY_CARDS'
        : play.isBomb
          ? 'TICHU.PLAY_BOMB'
          : 'TICHU.PLAY_CARDS',
    );
  }

  async playCombination(play: Combination, type: 'TICHU.PLAY_CARDS' | 'TICHU.PLAY_BOMB'): Promise<void> {
    this.leaving = play.cards;
    const declaredCombo: DeclaredCombo = {
      type: play.type,
      ...(play.phoenixAs && play.type !== 'SINGLE' ? { phoenixAs: play.phoenixAs as DeclaredCombo['phoenixAs'] } : {}),
    };
    const done = await this.send({ type, cards: play.cards, declaredCombo });
    this.leaving = [];
    if (done) this.select([]);
  }

  /** Show what a bot would do, and prepare it. */
  async hint(): Promise<void> {
    const { table } = this;
    const decision = table.view?.decision;
    if (this.hinting || !table.state?.casual || !decision) return;
    this.hinting = true;
    const answer = await table.hint();
    this.hinting = false;
    if (!answer || table.view?.decision !== decision) return;
    this.hinted = { answer, decision };
    if (answer.cards?.length && table.view?.decision === 'play') this.select(answer.cards);
    if (answer.what === 'exchange' && answer.cards && table.view?.decision === 'exchange') this.setDraft(answer.cards);
  }

  /**
   * Send a command, and show the reason if it is refused.  In the bomb window the answer takes a while: what is decided
   * or asked for once is not sent again in the meantime.
   */
  async send(message: ClientRequest): Promise<boolean> {
    const { type } = message;
    // A decision is one, whatever it says; anything else may be asked for of another seat meanwhile.
    const same = TURN.includes(type) ? TURN : type.startsWith('TICHU.') ? [type] : [];
    const text = JSON.stringify(message);
    const isSent = this.#sending.some((other) => JSON.stringify(other) === text);
    if (isSent || same.some((other) => this.isSending(other))) return false;
    this.#sending = [...this.#sending, message];
    try {
      const answer = await this.table.command(message);
      if (!answer.ok) notices.show(reasonText(answer.reason, this.table.view?.wish ?? null, answer.message), 'bad');
      return answer.ok;
    } finally {
      this.#sending = this.#sending.filter((other) => other !== message);
    }
  }
}

/** Sort the hand another way. */
export function changeOrder(): void {
  settings.order = ORDERS[(ORDERS.indexOf(settings.order) + 1) % ORDERS.length] ?? 'rank';
  notices.show(`${t('play.sort')} ${t(`sort.${settings.order}`)}`);
}
