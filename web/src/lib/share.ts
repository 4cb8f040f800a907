/**
 * This page's part in the shuffle: it commits to a nonce, opens it when the set of commitments is fixed, and keeps what
 * the table has shown, to compare it with what the table says after the round.
 */
import type { Answer, SeatView, TableState } from '../wire';
import { loadCommitment, recordedCommitment, saveCommitment, type Commitment } from './commitment';
import type { ClientRequest } from './connection';
import { nonceCommitOf } from './fairness';
import { randomHex } from './random';

export class ShuffleShare {
  /** For the deal to come or in play. */
  current: Commitment | null = null;
  #table: string;
  #request: (message: ClientRequest) => Promise<Answer>;
  #sent = new Set<string>();

  constructor(table: string, request: (message: ClientRequest) => Promise<Answer>) {
    this.#table = table;
    this.#request = request;
  }

  /** Take up how things stand, and say what is to be said now. */
  hear(table: TableState, seat: number | null, dealt: boolean): void {
    const { shuffle, commit } = table;
    if (commit === null || !shuffle) return;
    const is = (kept: Commitment | null): boolean => kept?.game === table.game && kept.round === table.round;
    if (!is(this.current)) {
      const kept = loadCommitment(this.#table);
      this.current = is(kept)
        ? kept
        : {
            ...recordedCommitment(commit, shuffle.derivation),
            game: table.game,
            round: table.round,
            early: !dealt,
          };
    }
    const { current } = this;
    if (!current) return;
    if (current.commit !== commit || current.derivation !== shuffle.derivation) this.#update({ changed: true });
    if (shuffle.fixed && !current.set) this.#update({ set: shuffle.commitments });
    if (dealt && !current.nonces) this.#update({ nonces: shuffle.nonces });
    if (!dealt && seat !== null) this.#contribute(seat, shuffle.fixed);
  }

  /** The player's cards before the exchange. */
  see(view: SeatView): void {
    const dealt = view.phase === 'TICHU.DECLARE_GRAND_WINDOW' || view.phase === 'TICHU.EXCHANGE_SELECT';
    if (!dealt || !this.current) return;
    this.#sitAt(view.seat);
    if (view.hand.length > this.current.hand.length) this.#update({ hand: view.hand });
  }

  /** The round is over: what was kept about its deal. */
  finish(): Commitment | null {
    const { current } = this;
    this.current = null;
    if (current) saveCommitment(this.#table, current, 'tichu.kept');
    return current;
  }

  /** The same after a reload. */
  finished(game: string | null, round: number): Commitment | null {
    const kept = loadCommitment(this.#table, 'tichu.kept');
    return kept?.game === game && kept.round === round ? kept : null;
  }

  #contribute(seat: number, fixed: boolean): void {
    this.#sitAt(seat);
    const { current } = this;
    if (!current || current.changed) return;
    if (current.nonce === null && !fixed) this.#update({ nonce: randomHex(16) });
    const nonce = this.current?.nonce ?? null;
    if (nonce === null) return;
    const commitment = nonceCommitOf(current.commit, seat, nonce);
    if (current.derivation === 1) this.#send({ type: 'TABLE.NONCE', nonce }, nonce, 'nonce');
    else if (!fixed) this.#send({ type: 'TABLE.COMMIT_NONCE', commitment }, nonce, 'commitment');
    // Only what the table has bound itself to is opened.
    else if (this.current?.set?.[seat] === commitment) this.#send({ type: 'TABLE.NONCE', nonce }, nonce, 'nonce');
  }

  #send(message: ClientRequest, nonce: string, accepted: Commitment['accepted']): void {
    if (this.#sent.has(`${nonce} ${accepted}`)) return;
    this.#sent.add(`${nonce} ${accepted}`);
    void this.#request(message).then((answer) => {
      if (answer.type === 'ack' && this.current?.nonce === nonce) this.#update({ accepted });
    });
  }

  /** What was given and seen in another seat proves nothing about this one. */
  #sitAt(seat: number | null): void {
    if (this.current && this.current.seat !== seat) this.#update({ seat, nonce: null, accepted: 'nothing', hand: [] });
  }

  #update(more: Partial<Commitment>): void {
    if (!this.current) return;
    this.current = { ...this.current, ...more };
    saveCommitment(this.#table, this.current);
  }
}
