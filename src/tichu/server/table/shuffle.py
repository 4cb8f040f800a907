"""How a deal comes about: the table's seed, commitments to nonces, the nonces, and the cards that follow from them.

What may be said when: a commitment until the set of commitments is fixed, a nonce after that.  A program that gives its
nonce before, without a commitment, is heard too, and everybody can see that it did.
"""

from typing import NamedTuple

from tichu.core.deals import Deal
from tichu.core.fairness import DERIVATION, GIVEN_OPENLY, commit_of, committed_deal, fair_deal, nonce_commit_of
from tichu.server.wire import DealProof

__all__ = ["Shuffle"]

_NOBODY = ("", "", "", "")


class Shuffle(NamedTuple):
    """Where the shuffle of the next deal, or of the round in progress, has come to."""

    seed: str
    derivation: int = DERIVATION
    #: By seat, empty for none.
    commitments: tuple[str, ...] = _NOBODY
    #: Whether the set of commitments is.
    is_fixed: bool = False
    #: By seat, empty for none.
    nonces: tuple[str, ...] = _NOBODY

    @property
    def commit(self) -> str:
        """The hash of the seed."""
        return commit_of(bytes.fromhex(self.seed))

    @property
    def takes_commitments(self) -> bool:
        """Whether seats may still commit to nonces."""
        return self.derivation > 1 and not self.is_fixed

    def takes_commitment(self, seat: int) -> bool:
        """Whether this seat may."""
        return self.takes_commitments and not self.commitments[seat]

    def takes_nonce(self, seat: int) -> bool:
        """Whether the seat may give its nonce: the one it committed to, or openly before the set is fixed."""
        if self.derivation > 1 and bool(self.commitments[seat]) != self.is_fixed:
            return False
        return not self.nonces[seat]

    def is_committed_to(self, seat: int, nonce: str) -> bool:
        """Whether the nonce is the one that the seat has committed to, if it has committed to any."""
        return self.commitments[seat] in ("", nonce_commit_of(self.commit, seat, nonce))

    def after_commitment(self, seat: int, commitment: str) -> "Shuffle":
        """The seat has committed to a nonce."""
        return self._replace(commitments=_with(self.commitments, seat, commitment))

    def after_nonce(self, seat: int, nonce: str) -> "Shuffle":
        """The seat has given its nonce."""
        commitments = self.commitments
        if self.takes_commitments:
            commitments = _with(commitments, seat, GIVEN_OPENLY + nonce_commit_of(self.commit, seat, nonce))
        return self._replace(commitments=commitments, nonces=_with(self.nonces, seat, nonce))

    def without(self, seat: int) -> "Shuffle":
        """Somebody else sits there: what the former player gave is forgotten, if it is not fixed."""
        if not self.takes_commitments:
            return self
        return self._replace(commitments=_with(self.commitments, seat, ""), nonces=_with(self.nonces, seat, ""))

    def proof(self) -> DealProof:
        """What is shown after the round."""
        commitments = self.commitments if self.derivation > 1 else ()
        return DealProof(derivation=self.derivation, seed=self.seed, commitments=commitments, nonces=self.nonces)

    def deal(self) -> Deal:
        """The cards that follow."""
        seed = bytes.fromhex(self.seed)
        if self.derivation == 1:
            return fair_deal(seed, self.nonces)
        return committed_deal(seed, self.commitments, self.nonces)


def _with(values: tuple[str, ...], seat: int, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
