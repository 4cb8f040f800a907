/** What the player is about to do: the cards touched, what they are, what has been sent and not yet answered. */
import type { Checked, Combination, DeclaredCombo } from '../wire';
import { rankOf, sorted, type Card } from './cards';
import { notices } from './notices.svelte';
import { bestAround, fitting, sameRank } from './select';
import { settings } from './settings.svelte';
import type { Ask } from './link';
import type { Table } from './table.svelte';
import { reasonText } from './words';

type Draft = readonly [Card | null, Card | null, Card | null];
const NOTHING: Draft = [null, null, null];

export class Playing {
  selected = $state.raw<readonly Card[]>([]);
  leaving = $state.raw<readonly Card[]>([]);
  checked = $state.raw<Checked | null>(null);
  /** Which reading of the cards is meant, where the Phoenix leaves a choice. */
  reading = $state(0);
  draft = $state.raw<Draft>(NOTHING);
  busy = $state(false);
  #asked = 0;
  #restored = false;

  constructor(readonly table: Table) {}

  get hand(): readonly Card[] {
    const view = this.table.view;
    const given = view?.phase === 'TICHU.EXCHANGE_SELECT' ? view.given.map(({ card }) => card) : [];
    const away: readonly (Card | null)[] = view?.decision === 'exchange' ? this.draft : given;
    return sorted(
      (view?.hand ?? []).filter((card) => !away.includes(card)),
      settings.order,
    );
  }

  /** What the cards are, whether or not they may be played now. */
  get shape(): Combination | null {
    return this.checked?.readings?.[this.reading] ?? null;
  }

  /** What the Play button would play. */
  get play(): Combination | null {
    return this.checked?.reason ? null : this.shape;
  }

  /** The view has changed: forget what is gone, ask again about the rest. */
  follow(): void {
    const view = this.table.view;
    const hand = new Set(view?.hand ?? []);
    this.leaving = this.leaving.filter((card) => hand.has(card));
    if (view?.phase !== 'TICHU.EXCHANGE_SELECT') {
      this.draft = NOTHING;
      this.#restored = false;
    } else if (!this.#restored) {
      // After a reload the draft is on the server; from then on it is ours.
      this.#restored = true;
      const lying = [1, 2, 3].map(
        (at) => view.draft.find((gift) => gift.seat === (((view.seat ?? 0) + at) & 3))?.card ?? null,
      );
      this.draft = lying as unknown as Draft;
    }
    this.select(this.selected.filter((card) => hand.has(card)));
  }

  select(cards: readonly Card[]): void {
    const same = cards.length === this.selected.length && cards.every((card) => this.selected.includes(card));
    if (!same) {
      this.selected = cards;
      this.reading = 0;
    }
    if (!same || !this.checked || cards.length === 0) this.checked = null;
    const ask = ++this.#asked;
    if (!cards.length) return;
    void this.table.check(cards).then((answer) => {
      if (ask === this.#asked) this.checked = answer;
    });
  }

  tap(card: Card): void {
    const view = this.table.view;
    if (view?.decision === 'exchange') return this.#lay(card);
    if (this.selected.includes(card)) return this.select(this.selected.filter((other) => other !== card));
    const fit = settings.smart && view?.decision === 'play' && !this.selected.length ? fitting(view, card) : null;
    this.select(fit ?? [...this.selected, card]);
  }

  long(card: Card): void {
    if (this.table.view?.decision === 'exchange') return;
    this.select([
      ...new Set([...this.selected.filter((other) => rankOf(other) !== rankOf(card)), ...sameRank(this.hand, card)]),
    ]);
  }

  double(card: Card): void {
    const view = this.table.view;
    if (view && view.decision !== 'exchange') this.select(bestAround(view, card));
  }

  #lay(card: Card): void {
    const free = this.draft.indexOf(null);
    if (free < 0) return;
    this.draft = this.draft.map((other, i) => (i === free ? card : other)) as unknown as Draft;
    void this.#keepDraft();
  }

  takeBack(place: number): void {
    this.draft = this.draft.map((other, i) => (i === place ? null : other)) as unknown as Draft;
    void this.#keepDraft();
  }

  /** All three places at once, as a hint has them. */
  layOut(cards: readonly Card[]): void {
    this.draft = [cards[0] ?? null, cards[1] ?? null, cards[2] ?? null];
    void this.#keepDraft();
  }

  /** The draft is the seat's own business; the server keeps it for a reload. */
  async #keepDraft(): Promise<void> {
    const [left, partner, right] = this.draft;
    await this.table.command({ type: 'TICHU.SELECT_EXCHANGE', left, partner, right });
  }

  give(): Promise<boolean> {
    const [left, partner, right] = this.draft;
    return this.send({ type: 'TICHU.CONFIRM_EXCHANGE', left, partner, right });
  }

  /** Play the selection, or say why not. */
  async throwSelected(): Promise<void> {
    const view = this.table.view;
    if (!view || !this.selected.length || view.decision === 'exchange') return;
    const play = this.play;
    if (!play) {
      if (this.checked?.reason)
        notices.show(reasonText(this.checked.reason, view.wish, this.checked.message ?? ''), 'bad');
      return;
    }
    await this.throw(
      play,
      view.decision === 'play' && !play.isBomb
        ? 'TICHU.PLAY_CARDS'
        : play.isBomb
          ? 'TICHU.PLAY_BOMB'
          : 'TICHU.PLAY_CARDS',
    );
  }

  async throw(play: Combination, type: 'TICHU.PLAY_CARDS' | 'TICHU.PLAY_BOMB'): Promise<void> {
    this.leaving = play.cards;
    const declaredCombo: DeclaredCombo = {
      type: play.type,
      ...(play.phoenixAs && play.type !== 'SINGLE' ? { phoenixAs: play.phoenixAs as DeclaredCombo['phoenixAs'] } : {}),
    };
    const done = await this.send({ type, cards: play.cards, declaredCombo });
    this.leaving = [];
    if (done) this.select([]);
  }

  /** A command that is refused says why. */
  async send(message: Ask): Promise<boolean> {
    this.busy = true;
    try {
      const answer = await this.table.command(message);
      if (!answer.ok) notices.show(reasonText(answer.reason, this.table.view?.wish ?? null, answer.message), 'bad');
      return answer.ok;
    } finally {
      this.busy = false;
    }
  }
}
