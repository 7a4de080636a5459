"""The API of a Shingle server: look-ups of roofs by address, leads, widgets, webhooks."""

from . import types
from ._client import AsyncShingle, Shingle
from ._errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    ServerError,
    ShingleError,
    TimedOutError,
    UnauthorizedError,
    WebhookVerificationError,
)
from ._version import __version__
from ._webhook import PingEvent, WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "AsyncShingle",
    "BadRequestError",
    "ConflictError",
    "ConnectionFailedError",
    "ForbiddenError",
    "NotFoundError",
    "PingEvent",
    "RateLimitError",
    "ServerError",
    "Shingle",
    "ShingleError",
    "TimedOutError",
    "UnauthorizedError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "types",
    "verify_webhook",
]
