"""Random rounds in both cores at once: pending seats, every seat's legal actions and the packed bytes at every step.

``python -m tests.kernel.lockstep --rounds N`` plays N rounds, shared out over the presets and over random rule sets;
``--only NAME`` plays one of them.  A round is known by its number: ``--first`` goes on where a run was stopped.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import permutations
from random import Random

import click
import tichu_native as core

from tichu import Action, Phase, Round, Rules
from tichu.core.actions import CALL_TICHU, PASS, TAKE, Exchange, Take, Wish
from tichu.core.cards import cards_of
from tichu.core.combos import readings
from tichu.core.deals import shuffled_deal
from tichu.core.rules import FIELDS, PRESETS
from tichu.kernel.packing import pack, pack_action, unpack_action

MIXED = "mixed"
NAMES = (*PRESETS, MIXED)
PART = 250


class Differs(AssertionError):
    """The first difference, with the position line."""


def rules_of(name: str, rng: Random) -> Rules:
    """The preset, or any values of all fields."""
    if name != MIXED:
        return PRESETS[name]
    settings = [f"{field}={rng.choice(values)}" for field, values in FIELDS.items() if field != "goal"]
    return Rules.parse(" ".join([rng.choice(list(PRESETS)), *settings]))


def require_same(what: str, state: Round, python: object, native: object) -> None:
    if python != native:
        raise Differs(f"{what} in {state.rules}\n{state}\npython {python}\nnative {native}")


def texts(actions: list[int]) -> str:
    return " ".join(str(unpack_action(action)) for action in actions)


def compare(state: Round, native: core.State, rng: Random, thorough: bool) -> None:
    """Everything that can be asked of a state."""
    packed = pack(state)
    require_same("bytes", state, packed.hex(), bytes(native).hex())
    require_same("pending", state, sum(1 << seat for seat in state.pending), native.pending)
    decision = state.automatic()
    expected = None if decision is None else (decision[0], pack_action(decision[1]))
    require_same("automatic", state, expected, native.automatic())
    for seat in range(4):
        legal, listed = state.legal(seat), native.legal(seat)
        if state.phase is not Phase.EXCHANGE:
            actions = [pack_action(action) for action in legal]
            if actions != list(listed):
                require_same(f"legal for {seat}", state, texts(actions), texts(list(listed)))
            if actions:
                index = rng.randrange(len(actions))
                require_same(f"action {index} of {seat}", state, actions[index], listed[index])
            continue
        require_same(f"count for {seat}", state, len(legal), len(listed))
        if thorough:
            exchanges = [pack_action(Exchange(*cards)) for cards in permutations(cards_of(state.hands[seat]), 3)]
            require_same(f"exchanges for {seat}", state, exchanges, list(listed)[: len(exchanges)])
            require_same(f"picked for {seat}", state, exchanges, [listed[index] for index in range(len(exchanges))])
        else:
            index = rng.randrange(len(listed))
            require_same(f"exchange for {seat}", state, True, unpack_action(listed[index]) in legal)
    if rng.random() < 0.7:
        return
    seat, action = rng.randrange(4), anything(state, rng)
    refusal = state.legal(seat).refusal(action)
    native_refusal = core.refusal(packed, seat, pack_action(action))
    require_same(f"refusal of {seat} {action!r}", state, refusal.name if refusal else "LEGAL", native_refusal)


def anything(state: Round, rng: Random) -> Action:
    """Some action, seldom a legal one."""
    cards = list(cards_of(state.hands[rng.randrange(4)])) or [0]
    combos = readings(sum(1 << card for card in rng.sample(cards, min(len(cards), rng.randint(1, 5)))))
    exchange = Exchange(*(rng.choice(cards) for _ in range(3)))
    others: tuple[Action, ...] = (PASS, TAKE, Take(rng.randrange(4)), Wish(rng.randrange(16)), CALL_TICHU, exchange)
    return rng.choice((*others, *combos * 6))


def chosen(state: Round, rng: Random) -> tuple[int, Action]:
    """A legal action of anybody, mostly of a seat that is pending."""
    while True:
        seat = rng.choice(state.pending) if rng.random() < 0.8 else rng.randrange(4)
        legal = state.legal(seat)
        if legal.may_call and rng.random() < 0.05:
            return seat, CALL_TICHU
        waits = state.phase is Phase.BOMB and seat not in state.pending
        if not waits and len(legal) > legal.may_call:
            return seat, legal.draw(rng)


def play(name: str, number: int) -> None:
    """One round, known by its number."""
    rng = Random(f"{name} {number}")
    state = Round.start(shuffled_deal(rng), rules_of(name, rng))
    native = core.State(pack(state))
    while state.pending:
        compare(state, native, rng, thorough=number % 100 == 0)
        decision = state.automatic()
        if decision is not None and (state.rules.calls == "auto" or rng.random() < 0.9):
            # The table may do what the seat may not.
            state = state.after_unchecked(*decision)
            native = core.State(pack(state))
            continue
        seat, action = chosen(state, rng)
        state = state.after(seat, action)
        if rng.random() < 0.5:
            native = native.after(seat, pack_action(action))
        else:
            native.apply(seat, pack_action(action))
    compare(state, native, rng, thorough=False)
    require_same("score", state, state.outcome.score, native.score)


def play_part(name: str, first: int, rounds: int) -> int:
    for number in range(first, first + rounds):
        try:
            play(name, number)
        except Differs as difference:
            raise Differs(f"round {number} of {name}: {difference}") from None
    return rounds


@click.command()
@click.option("--rounds", default=100_000, help="How many in all.")
@click.option("--first", default=0, help="The number of the first round of each rule set.")
@click.option("--only", type=click.Choice(NAMES), help="One preset, or random rule sets.")
@click.option("--processes", default=2)
def main(rounds: int, first: int, only: str | None, processes: int) -> None:
    """Play random rounds in both cores."""
    names = (only,) if only else NAMES
    each = -(-rounds // len(names))
    parts = [(name, first + at, min(PART, each - at)) for at in range(0, each, PART) for name in names]
    done, start = 0, time.perf_counter()
    if processes == 1:
        for part in parts:
            done += play_part(*part)
    else:
        with ProcessPoolExecutor(processes) as pool:
            futures = [pool.submit(play_part, *part) for part in parts]
            try:
                for future in as_completed(futures):
                    done += future.result()
                    told = f"{done:,} of {each * len(names):,} rounds, {time.perf_counter() - start:.0f} s"
                    if sys.stderr.isatty():
                        click.echo(f"\r{told}", nl=False, err=True)
                    elif done % (20 * PART) < PART:
                        click.echo(told, err=True)
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                raise click.ClickException(f"stopped after {done:,} rounds, all equal") from None
    seconds = time.perf_counter() - start
    click.echo(f"{done:,} rounds equal in every step ({', '.join(names)}; {seconds:.0f} s)")


if __name__ == "__main__":
    main()
