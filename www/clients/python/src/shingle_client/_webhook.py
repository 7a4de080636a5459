"""Webhooks are signed as the Standard Webhooks specification says, with a secret that both sides have."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Literal, Mapping, Optional, Union, cast

from ._errors import WebhookVerificationError
from ._typing import TypedDict
from .types import LeadCreatedEvent, LeadUpdatedEvent, WidgetCreatedEvent, WidgetUpdatedEvent


class PingData(TypedDict):
    id: str


class PingEvent(TypedDict):
    """Sent by `webhooks.test`."""

    id: str
    type: Literal["ping"]
    timestamp: str
    apiVersion: str
    data: PingData


WebhookEvent = Union[LeadCreatedEvent, LeadUpdatedEvent, WidgetCreatedEvent, WidgetUpdatedEvent, PingEvent]


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Iterable[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> WebhookEvent:
    """The event of a webhook's request. Raises `WebhookVerificationError` if it does not come from your server.

    `body` must be the body as it arrived: not parsed, not written anew. `secret` is what `webhooks.create` returned; after
    `rotate_secret`, a list of both works too. `tolerance` is how many seconds a request may be old.
    """
    if not isinstance(cast(Any, body), (str, bytes)):
        raise WebhookVerificationError("the body must be the text or the bytes that arrived, not what was parsed from it")
    event_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is not a time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far from now")
    raw = body.encode() if isinstance(body, str) else body
    content = f"{event_id}.{timestamp}.".encode() + raw
    given = [found for one in signatures.split(" ") if one.startswith("v1,") for found in _decoded(one[3:])]
    for one in [secret] if isinstance(secret, str) else secret:
        trimmed = one.strip()
        keys = _decoded(trimmed[6:]) if trimmed.startswith("whsec_") else []
        if not keys or len(keys[0]) < 24:
            raise WebhookVerificationError("a secret begins with whsec_ and is followed by base64")
        wanted = hmac.new(keys[0], content, hashlib.sha256).digest()
        if any(hmac.compare_digest(wanted, signature) for signature in given):
            return cast(WebhookEvent, json.loads(raw))
    raise WebhookVerificationError("no signature of the request fits the secret")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((value for other, value in headers.items() if other.lower() == name), None)
    # WSGI and Django have them under another name.
    value = value or headers.get("HTTP_" + name.upper().replace("-", "_"))
    if not value:
        raise WebhookVerificationError(f"the request has no {name}")
    return value


def _decoded(text: str) -> List[bytes]:
    try:
        return [base64.b64decode(text, validate=True)]
    except (binascii.Error, ValueError):
        return []
