"""The simulation of seekers, in small."""

from bench.quick_match import simulate


def test_more_people_wait_less_and_play_fairer() -> None:
    few, many = simulate(2.0, 400, 1), simulate(40.0, 400, 1)
    assert sorted(many.waits)[len(many.waits) // 2] < sorted(few.waits)[len(few.waits) // 2]
    assert sum(many.chances) / len(many.chances) < sum(few.chances) / len(few.chances)
    assert len(many.waits) <= many.seekers
