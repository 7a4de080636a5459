"""The two clients."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

import httpx

from ._http import AsyncHttp, Http, Options
from ._operations import AsyncGroups, Groups


class Shingle(Groups):
    """The API of one Shingle server, with one key. Can be shared by threads.

    `timeout` is in seconds for each attempt; `max_retries` is how often a request is sent again at most; a `Retry-After`
    longer than `max_retry_delay` seconds is an error at once. `http_client` is used in place of an own one: for proxies,
    certificates, or tests.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        max_retry_delay: float = 60.0,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._http = Http(Options.parsed(base_url, key, timeout, max_retries, max_retry_delay), http_client)
        super().__init__(self._http)

    def close(self) -> None:
        """Ends the connections that are kept."""
        self._http.close()

    def __enter__(self) -> Shingle:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncShingle(AsyncGroups):
    """`Shingle` for asyncio: the same methods, to be awaited."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        max_retry_delay: float = 60.0,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._http = AsyncHttp(Options.parsed(base_url, key, timeout, max_retries, max_retry_delay), http_client)
        super().__init__(self._http)

    async def close(self) -> None:
        """Ends the connections that are kept."""
        await self._http.close()

    async def __aenter__(self) -> AsyncShingle:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
