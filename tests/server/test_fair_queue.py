"""Nobody waits because somebody else asks much."""

import threading

from tichu.server.bots.fair_queue import FairQueue


def test_one_address_with_many_tables_delays_others_by_one_item() -> None:
    queue: FairQueue[int] = FairQueue()
    for number in range(39):
        for _ in range(5):
            queue.put(number, ("192.0.2.1", f"table {number}"))
    queue.put(-1, ("192.0.2.9", "honest"))
    queue.put(-2, ("192.0.2.9", "honest"))
    taken = [queue.get() for _ in range(4)]
    assert taken[1] == -1
    assert taken[3] == -2


def test_of_one_address_every_table_has_its_turn() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3", "b1", "c1"):
        queue.put(item, ("192.0.2.1", item[0]))
    assert [queue.get() for _ in range(5)] == ["a1", "b1", "c1", "a2", "a3"]


def test_who_waits_is_let_go_when_the_queue_closes_and_is_empty() -> None:
    queue: FairQueue[int] = FairQueue()
    got: list[int | None] = []
    threads = [threading.Thread(target=lambda: got.append(queue.get())) for _ in range(3)]
    for thread in threads:
        thread.start()
    queue.put(7, ("", ""))
    queue.close()
    for thread in threads:
        thread.join(10)
    assert sorted(got, key=str) == [7, None, None]
