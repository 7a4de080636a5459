"""What goes wrong."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, List, Optional, Tuple, Type, cast

from .types import ErrorBody


class ShingleError(Exception):
    """Everything that this package raises is one of these."""


class ApiError(ShingleError):
    """The server's answer is an error."""

    def __init__(
        self,
        status: int,
        body: Optional[ErrorBody],
        text: str,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        message = body["message"] if body else text
        self.status = status
        self.body = body
        """The error as the server sent it; None if something on the way answered in its place, such as a proxy."""
        self.messages: List[str] = [message] if isinstance(message, str) else message
        """One sentence for each broken rule."""
        self.request_id = request_id
        """The request in the server's log."""
        self.retry_after = retry_after
        """Seconds to wait, if the server said so."""
        self._text = text
        super().__init__(f"{status}: {'; '.join(self.messages)}")

    def __reduce__(self) -> Tuple[Type[ApiError], Tuple[Any, ...]]:
        """Lets it cross from one process to another."""
        return type(self), (self.status, self.body, self._text, self.request_id, self.retry_after)


class BadRequestError(ApiError):
    """400: a field is missing or wrong, or the account may not do this."""


class UnauthorizedError(ApiError):
    """401: the key is missing, unknown, revoked or expired."""


class ForbiddenError(ApiError):
    """403"""


class NotFoundError(ApiError):
    """404: there is no such record in this account and environment."""


class ConflictError(ApiError):
    """409"""


class RateLimitError(ApiError):
    """429: too many requests."""


class ServerError(ApiError):
    """500 and above."""


class ConnectionFailedError(ShingleError):
    """No answer came: the server cannot be reached, or the connection broke."""


class TimedOutError(ConnectionFailedError):
    """No whole answer came in time."""


class WebhookVerificationError(ShingleError):
    """A request that says it is a webhook's is not, or is too old. Answer it with 400."""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, text: str, header: Callable[[str], Optional[str]]) -> ApiError:
    """The error of an answer."""
    location = header("location")
    if location is None:
        shown = text[:200].strip() or "no text"
    else:
        shown = f"the server redirects to {location}: make that the base URL"
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, _parsed(text), shown, header("x-request-id"), seconds_of(header("retry-after")))


def seconds_of(retry_after: Optional[str]) -> Optional[float]:
    """Seconds of `Retry-After`, which is a number or a date."""
    if retry_after is None:
        return None
    if retry_after.strip().isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _parsed(text: str) -> Optional[ErrorBody]:
    try:
        body = json.loads(text)
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    fields = cast("Dict[str, Any]", body)
    kinds = {"message": (str, list), "error": str, "statusCode": int}
    return cast(ErrorBody, fields) if all(isinstance(fields.get(name), kind) for name, kind in kinds.items()) else None
