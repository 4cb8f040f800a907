"""The address of an account, as scripts for any database."""

from typing import Literal, NamedTuple

from tichu.server.mail.addresses import mailbox_of
from tichu.server.store.accounts import Proof, StoredAccount, account_of, is_owner, is_proven
from tichu.server.store.mail_codes import SentCode, add_code, count_mail, drop_codes, use_code
from tichu.server.store.scripts import Script

__all__ = ["NewAddress", "add_confirmation", "add_recovery", "confirm_address", "remove_address"]


class NewAddress(NamedTuple):
    """The address of an account was changed."""

    name: str
    #: Empty if there was none.
    former: str
    new: str


def add_confirmation(
    proof: Proof, code: str, address: str, expires: float, now: float, most: int
) -> Script[Literal["send", "keep", "too_many", "ended"]]:
    """A code for an address that is to be an account's; nobody is told whether the address has had enough mail."""
    if not (yield from is_proven(proof)):
        return "ended"
    if not (yield from count_mail(f"confirm for {proof.player}", now, most)):
        return "too_many"
    yield from add_code(SentCode(proof.player, "confirm", code, address, proof.password, expires))
    return "send" if (yield from count_mail(f"confirm at {mailbox_of(address)}", now, most)) else "keep"


def confirm_address(player: str, token_hash: str, code: str, now: float) -> Script[NewAddress | None]:
    """Use up a code: its address is the account's from now on.  None if it is not good, or if the token has ended."""
    if not (yield from is_owner(player, token_hash)):
        return None
    account = yield from account_of(player)
    if account is None:
        return None
    address = yield from use_code(player, "confirm", code, account.password, now)
    if address is None:
        return None
    yield from _set_address(player, address)
    return NewAddress(account.name, account.email, address)


def remove_address(proof: Proof) -> Script[NewAddress | None]:
    """The account has no address any more; None if the proof does not hold any more."""
    if not (yield from is_proven(proof)):
        return None
    account = yield from account_of(proof.player)
    yield from _set_address(proof.player, "")
    return None if account is None else NewAddress(account.name, account.email, "")


def _set_address(player: str, address: str) -> Script[None]:
    yield "UPDATE accounts SET email = ? WHERE player = ?", address, player
    yield from drop_codes(player)


def add_recovery(player: str, code: str, expires: float, now: float, most: int) -> Script[StoredAccount | None]:
    """A code for whoever has lost the password; None if the account has no address, or has had enough mail."""
    # First, as everybody does who changes the account: what they have changed is seen here.
    yield "UPDATE accounts SET player = player WHERE player = ?", player
    account = yield from account_of(player)
    if account is None or not account.email or not (yield from count_mail(f"recover {player}", now, most)):
        return None
    yield from add_code(SentCode(player, "recover", code, account.email, account.password, expires))
    return account
