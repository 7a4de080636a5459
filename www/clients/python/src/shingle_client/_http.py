"""Requests and their answers: addresses, timeouts, and which request may be sent again."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union
from urllib.parse import quote, urlencode

import httpx

from ._errors import ApiError, ConnectionFailedError, ShingleError, TimedOutError, error_of
from ._version import __version__
from .types import Address

_LONGEST_STEP = 8.0
_BUSY = (429, 503)
_FAULT = (408, 500, 502, 504)

_File = Tuple[str, bytes]


@dataclass(frozen=True)
class Call:
    """One operation with its values."""

    method: str
    path: str
    address: Optional[Address] = None
    query: Optional[Mapping[str, Any]] = None
    json: Optional[Mapping[str, Any]] = None
    form: Optional[Mapping[str, Any]] = None
    takes_idempotency_key: bool = False
    idempotency_key: Optional[str] = None
    accept: str = "application/json"


@dataclass(frozen=True)
class Options:
    """What a client is made with."""

    base_url: str
    key: str
    timeout: float
    max_retries: int
    max_retry_delay: float

    @staticmethod
    def parsed(base_url: str, key: str, timeout: float, max_retries: int, max_retry_delay: float) -> Options:
        match = re.match(r"^https?://[^/?#\s]+[^?#\s]*", base_url.strip())
        if match is None:
            raise ShingleError(f"base_url must be an address like https://quotes.example.com, not {base_url}")
        trimmed = key.strip()
        if not re.fullmatch(r"[!-~]+", trimmed):
            raise ShingleError("key must be the text that `shingle key issue` printed")
        return Options(match.group().rstrip("/"), trimmed, timeout, max_retries, max_retry_delay)


def segment(name: str, value: str) -> str:
    """A path's part. An empty one or dots would name another operation."""
    text = str(value)
    if not text.strip("."):
        raise ShingleError(f"{name} must be an id, not {value!r}")
    return quote(text, safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        items: List[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        return ",".join(str(one) for one in items)
    return str(value)


class _Plan:
    """A request and how often it may be sent."""

    def __init__(self, options: Options, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> None:
        self.options = options
        self.timeout = options.timeout if timeout is None else timeout
        self._retries = options.max_retries if max_retries is None else max_retries
        # After a lost answer nobody knows whether the request had its effect.
        self._may_repeat = call.method in ("GET", "PUT") or call.takes_idempotency_key
        headers = {"token": options.key, "accept": call.accept, "user-agent": f"shingle-python/{__version__}"}
        if call.takes_idempotency_key:
            # The same for each attempt.
            headers["idempotency-key"] = call.idempotency_key or str(uuid.uuid4())
        query: Dict[str, Any] = dict(call.query or {})
        if call.address is not None:
            query.update({"address": call.address} if isinstance(call.address, str) else call.address)
        words = {name: _text(value) for name, value in query.items() if value is not None}
        url = options.base_url + call.path + (f"?{urlencode(words)}" if words else "")
        self.request: Dict[str, Any] = {"method": call.method, "url": url, "headers": headers}
        if call.json is not None:
            headers["content-type"] = "application/json"
            self.request["content"] = json.dumps(call.json).encode()
        if call.form is not None:
            self.request["files"] = [(name, _part(name, value)) for name, value in call.form.items() if value is not None]
        self._attempt = 0

    def delay_after(self, failure: Union[ApiError, ConnectionFailedError]) -> float:
        """Seconds to wait before the next attempt. Raises the failure if there is none."""
        wait = min(_LONGEST_STEP, 0.5 * 2.0**self._attempt) * random.uniform(0.5, 1.0)
        is_last = self._attempt >= self._retries
        self._attempt += 1
        if isinstance(failure, ApiError):
            wait = max(wait, failure.retry_after or 0.0)
            is_worth_it = failure.status in _BUSY or (self._may_repeat and failure.status in _FAULT)
        else:
            is_worth_it = self._may_repeat
        if is_last or not is_worth_it or wait > self.options.max_retry_delay:
            raise failure
        return wait

    def failure(self, cause: httpx.HTTPError) -> ConnectionFailedError:
        if isinstance(cause, httpx.TimeoutException):
            return TimedOutError(f"no answer from {self.options.base_url} in {self.timeout} seconds")
        return ConnectionFailedError(f"no answer from {self.options.base_url}: {cause}")


def _part(name: str, value: Any) -> Tuple[Optional[str], Union[bytes, str]]:
    if isinstance(value, bytes):
        return name, value
    if isinstance(value, tuple):
        file: _File = value  # pyright: ignore[reportUnknownVariableType]
        return file
    return None, _text(value)


def _outcome(response: httpx.Response) -> Optional[ApiError]:
    if response.is_success:
        return None
    return error_of(response.status_code, response.text, response.headers.get)


def _decoded(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as cause:
        raise ConnectionFailedError(f"the answer of {response.url} is not JSON") from cause


class Http:
    """Sends requests and waits."""

    def __init__(self, options: Options, client: Optional[httpx.Client]) -> None:
        self._options = options
        self._client = client or httpx.Client()
        self._is_own = client is None

    def json(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> Any:
        return _decoded(self._send(call, timeout, max_retries))

    def text(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> str:
        return self._send(call, timeout, max_retries).text

    def bytes(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> bytes:
        return self._send(call, timeout, max_retries).content

    def _send(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> httpx.Response:
        plan = _Plan(self._options, call, timeout, max_retries)
        while True:
            try:
                response = self._client.request(**plan.request, timeout=plan.timeout, follow_redirects=False)
            except httpx.HTTPError as cause:
                failure = plan.failure(cause)
                failure.__cause__ = cause
                time.sleep(plan.delay_after(failure))
                continue
            error = _outcome(response)
            if error is None:
                return response
            time.sleep(plan.delay_after(error))

    def close(self) -> None:
        if self._is_own:
            self._client.close()


class AsyncHttp:
    """The same for asyncio."""

    def __init__(self, options: Options, client: Optional[httpx.AsyncClient]) -> None:
        self._options = options
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None

    async def json(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> Any:
        return _decoded(await self._send(call, timeout, max_retries))

    async def text(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> str:
        return (await self._send(call, timeout, max_retries)).text

    async def bytes(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> bytes:
        return (await self._send(call, timeout, max_retries)).content

    async def _send(self, call: Call, timeout: Optional[float], max_retries: Optional[int]) -> httpx.Response:
        plan = _Plan(self._options, call, timeout, max_retries)
        while True:
            try:
                response = await self._client.request(**plan.request, timeout=plan.timeout, follow_redirects=False)
            except httpx.HTTPError as cause:
                failure = plan.failure(cause)
                failure.__cause__ = cause
                await asyncio.sleep(plan.delay_after(failure))
                continue
            error = _outcome(response)
            if error is None:
                return response
            await asyncio.sleep(plan.delay_after(error))

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()
