"""What the client makes of the answers of a faulty server: python3 scenarios.py URL [async]"""

import asyncio
import json
import pickle
import sys
from typing import Any, Awaitable, Callable, Dict, List

from shingle_client import ApiError, AsyncShingle, RateLimitError, Shingle, ShingleError, types

webhook: types.CreateWebhookBody = {"name": "CRM", "url": "https://example.com/", "events": ["lead.created"]}
everything: types.ReplaceWidgetSettingsBody = {"prices": {}, "priceIncludes": []}
odd = '14 Ñandú "Ct" & 5%+'


async def paged(of: AsyncShingle) -> List[str]:
    return [lead["id"] async for lead in of.leads.list_all(status="new", limit=2)]


async def words(of: AsyncShingle) -> Any:
    return (await of.look_up.roof_estimate(odd, include=["match", "range"], installed_price=650.5)).get("notes")


plain: Dict[str, Callable[[Shingle], Any]] = {
    "busy": lambda of: of.leads.list(),
    "busy-date": lambda of: of.leads.list(),
    "busy-post": lambda of: of.people.erase({"email": "a@example.com"}),
    "busy-long": lambda of: of.leads.list(),
    "fault": lambda of: of.leads.list(),
    "fault-post-keyed": lambda of: of.webhooks.create(webhook),
    "own-key": lambda of: of.webhooks.create(webhook, idempotency_key="mine"),
    "fault-post": lambda of: of.people.erase({"email": "a@example.com"}),
    "fault-patch": lambda of: of.leads.update("1", {"status": "won"}),
    "fault-forever": lambda of: of.leads.list(max_retries=1),
    "broken": lambda of: of.leads.list(),
    "broken-post": lambda of: of.people.erase({"email": "a@example.com"}),
    "silent": lambda of: of.leads.list(timeout=0.2, max_retries=0),
    "html": lambda of: of.leads.list(max_retries=0),
    "not-json": lambda of: of.leads.list(max_retries=0),
    "redirect": lambda of: of.leads.list(),
    "rules": lambda of: of.leads.list(),
    "pages": lambda of: [lead["id"] for lead in of.leads.list_all(status="new", limit=2)],
    "words": lambda of: of.look_up.roof_estimate(odd, include=["match", "range"], installed_price=650.5).get("notes"),
    "empty-object": lambda of: of.widgets.replace_settings("1", everything),
    "empty-id": lambda of: of.leads.erase(""),
    "dot-id": lambda of: of.leads.erase(".."),
    "slash-id": lambda of: of.leads.get("a/b?c"),
}
# The same to be awaited, but for two.
awaited: Dict[str, Callable[[AsyncShingle], Awaitable[Any]]] = {**plain, "pages": paged, "words": words}  # type: ignore[dict-item]


def told(error: ShingleError) -> Dict[str, Any]:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (type(error), str(error)), copy
    said: Dict[str, Any] = {"error": type(copy).__name__.replace("Error", "")}
    if isinstance(copy, ApiError):
        said.update(status=copy.status, messages=copy.messages, hasBody=copy.body is not None, requestId=copy.request_id)
    if isinstance(copy, RateLimitError):
        said["retryAfter"] = copy.retry_after
    return said


def sync() -> Dict[str, Any]:
    results: Dict[str, Any] = {}
    for name, run in plain.items():
        with Shingle(f"{sys.argv[1]}/{name}/", " sandbox_key\n") as client:
            try:
                results[name] = {"answer": run(client)}
            except ShingleError as error:
                results[name] = told(error)
    return results


async def asynchronous() -> Dict[str, Any]:
    results: Dict[str, Any] = {}
    for name, run in awaited.items():
        async with AsyncShingle(f"{sys.argv[1]}/{name}/", " sandbox_key\n") as client:
            try:
                results[name] = {"answer": await run(client)}
            except ShingleError as error:
                results[name] = told(error)
    return results


print(json.dumps(asyncio.run(asynchronous()) if "async" in sys.argv else sync()))
