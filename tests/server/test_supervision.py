"""Which processes are started again, and when all of them end."""

from collections.abc import Callable

import pytest

from tichu.server.supervision import REPLACED, Supervisor


class _Child:
    """A process that ends when it is told to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = False
        self.exit_code: int | None = None
        self.starts = 0
        #: How its next lives end at once, if they do.
        self.fails_with: int | None = None
        self.on_start: Callable[[], None] = lambda: None

    def start(self) -> None:
        self.starts += 1
        self.on_start()
        self.is_alive, self.exit_code = self.fails_with is None, self.fails_with

    def terminate(self) -> None:
        self.die(-15)

    def die(self, code: int = -9) -> None:
        self.is_alive, self.exit_code = False, code


class _Hall:
    def __init__(self, number: int = 2) -> None:
        self.now = 100.0
        self.children = [_Child(f"m-{at}") for at in range(number)]
        self.supervisor = Supervisor(self.children, lambda: self.now)
        assert self.supervisor.step()

    def wait(self, seconds: float) -> bool:
        for _ in range(round(seconds / 0.5)):
            self.now += 0.5
            if not self.supervisor.step():
                return False
        return True

    @property
    def starts(self) -> list[int]:
        return [child.starts for child in self.children]


def test_a_process_that_ends_by_itself_is_started_again_and_the_others_go_on() -> None:
    hall = _Hall()
    assert hall.wait(60)
    hall.children[0].die()
    assert hall.wait(5)
    assert hall.starts == [2, 1]
    assert all(child.is_alive for child in hall.children)


def test_a_signal_ends_all_also_those_that_are_about_to_be_started_again() -> None:
    hall = _Hall()
    hall.wait(60)
    hall.children[0].die()
    assert hall.supervisor.step()
    hall.supervisor.end()
    assert not hall.wait(30)
    assert hall.starts == [1, 1]
    assert hall.supervisor.is_well


def test_a_signal_in_the_middle_of_a_start_is_not_lost() -> None:
    hall = _Hall()
    hall.wait(60)
    hall.children[0].on_start = hall.supervisor.end
    hall.children[0].die()
    assert not hall.wait(30)
    assert not any(child.is_alive for child in hall.children)
    assert hall.supervisor.is_well


def test_while_the_database_is_away_nobody_ends_because_another_cannot_begin() -> None:
    hall = _Hall()
    hall.wait(60)
    first, second = hall.children
    first.die()
    first.fails_with = 1
    assert hall.wait(600)
    assert second.is_alive
    assert second.starts == 1
    tries = first.starts
    assert 10 < tries < 60
    first.fails_with = None
    assert hall.wait(20)
    assert first.is_alive
    assert hall.supervisor.is_well


def test_what_never_serves_is_tried_a_few_times() -> None:
    hall = _Hall()
    for child in hall.children:
        child.die(1)
        child.fails_with = 1
    assert not hall.wait(60)
    assert not hall.supervisor.is_well
    assert max(hall.starts) <= 5


@pytest.mark.parametrize("served_s", [1.0, 60.0])
def test_whoever_was_replaced_under_its_name_does_not_come_back(served_s: float) -> None:
    hall = _Hall()
    hall.wait(served_s)
    hall.children[0].die(REPLACED)
    assert not hall.wait(5)
    assert hall.starts == [1, 1]
    assert not hall.supervisor.is_well
