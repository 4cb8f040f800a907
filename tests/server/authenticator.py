"""A passkey in software: what a browser and its authenticator would answer."""

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

__all__ = ["Authenticator"]

_PRESENT, _VERIFIED, _WITH_KEY = 0x01, 0x04, 0x40


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Authenticator:
    """One key for one site."""

    def __init__(self, origin: str, site: str) -> None:
        self._origin = origin
        self._site = hashlib.sha256(site.encode()).digest()
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(16)
        self._uses = 0

    def make(self, options: str) -> str:
        """The credential for what a server wants to be made."""
        public = self._key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        key = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + cbor2.dumps(cose)
        data = self._data(_PRESENT | _VERIFIED | _WITH_KEY) + key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", options)
        return self._credential({"clientDataJSON": _text(said), "attestationObject": _text(attestation)})

    def show(self, options: str) -> str:
        """The credential for what a server wants to be signed."""
        self._uses += 1
        data, said = self._data(_PRESENT | _VERIFIED), self._said("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            {"clientDataJSON": _text(said), "authenticatorData": _text(data), "signature": _text(signature)}
        )

    def _data(self, flags: int) -> bytes:
        return self._site + bytes([flags]) + self._uses.to_bytes(4, "big")

    def _said(self, kind: str, options: str) -> bytes:
        challenge = json.loads(options)["challenge"]
        return json.dumps({"type": kind, "challenge": challenge, "origin": self._origin}).encode()

    def _credential(self, response: dict[str, Any]) -> str:
        number = _text(self._id)
        return json.dumps({"id": number, "rawId": number, "type": "public-key", "response": response})
