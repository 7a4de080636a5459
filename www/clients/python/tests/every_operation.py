"""Calls every operation and prints which requests were sent: python3 every_operation.py, with a server in SHINGLE_URL,
SHINGLE_KEY, and what is on it in SHINGLE_LEAD and SHINGLE_LOGO. With `async` the other client makes them.
"""

import asyncio
import inspect
import json
import os
import sys
import typing
import uuid
from pathlib import Path
from typing import Any, List

import httpx

import shingle_client
from shingle_client import AsyncShingle, NotFoundError, Shingle, UnauthorizedError, types

url, key, lead = os.environ["SHINGLE_URL"], os.environ["SHINGLE_KEY"], os.environ["SHINGLE_LEAD"]
logo = Path(os.environ["SHINGLE_LOGO"]).read_bytes()
sent: List[str] = []
address = "14 Alder Court, Harrow Falls, ME 04995"
parts: types.AddressParts = {"streetNumber": "14", "streetAddress": "Alder Court", "city": "Harrow Falls", "state": "ME", "zip": "04995"}
since: types.ReplayWebhookBody = {"since": "2026-01-01T00:00:00.000Z"}


def noted(request: httpx.Request) -> None:
    sent.append(f"{request.method} {request.url.path}")


async def noted_async(request: httpx.Request) -> None:
    noted(request)


async def result(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def items(all_of: Any) -> List[Any]:
    return [one async for one in all_of] if hasattr(all_of, "__aiter__") else list(all_of)


async def calls(of: Any) -> None:
    for name in ["address_info", "address_info_v2", "buyer_insights", "roof_estimate", "solar_index", "utility_bill"]:
        assert (await result(getattr(of.look_up, name)(address)))["timestamp"], name
    whole = await result(of.look_up.roof_estimate(parts, include=["match", "range"], roof_material="metal"))
    assert (whole["match"]["level"], whole["roofMaterial"]) == ("exact", "metal"), whole
    assert (await result(of.look_up.roof_estimate("1 Nowhere Street, Harrow Falls, ME 04995")))["roofArea"] is None
    assert (await result(of.usage.get(from_="2026-01-01", to="2026-01-02")))["total"]["calls"] >= 0

    made = str(uuid.uuid4())
    colors = {f"{name}Color": "#1a5f3c" for name in ["primary", "secondary", "background", "cardBackground", "text", "link"]}
    fields = {
        "referenceId": made, **colors, "footerCompanyName": "Elm Roofing", "footerPirvacyPolicyLink": "https://elm.example.com/privacy",
        "status": "active", "companyName": "Elm Roofing", "companyPhone": "(207) 555-0101", "companyEmail": "office@elm.example.com",
        "companyUrl": "https://elm.example.com", "companyAddress": "1 Main Street, Portland, ME 04101", "domains": "127.0.0.1",
        "firstPageTitle": "What would a new roof cost?", "headerLogo": logo,
    }
    assert (await result(of.widgets.create(fields)))["referenceId"] == made
    assert made in [one["referenceId"] for one in await result(of.widgets.list())]
    assert (await result(of.widgets.get(made)))["companyName"] == "Elm Roofing"
    changed = await result(of.widgets.update(made, {"companyName": "Olmo y Peña", "removeFooterLogo": True}))
    assert changed["companyName"] == "Olmo y Peña"
    await result(of.widgets.upload_logos(made, {"footerLogo": ("logo.png", logo)}))
    settings = await result(of.widgets.get_settings(made))
    assert await result(of.widgets.replace_settings(made, settings)) == settings

    assert [one["id"] for one in (await result(of.leads.list(search="alder court", limit=1)))["data"]] == [lead]
    assert lead in [one["id"] for one in await items(of.leads.list_all(limit=1))]
    assert (await result(of.leads.get(lead)))["email"] == "ann@example.com"
    assert (await result(of.leads.update(lead, {"status": "contacted"})))["status"] == "contacted"
    assert "ann@example.com" in await result(of.leads.csv(status="contacted"))
    assert (await result(of.leads.add_note(lead, {"text": "Called, no answer."})))["text"] == "Called, no answer."
    assert "Called, no answer." in [one["text"] for one in await result(of.leads.notes(lead))]
    assert await result(of.leads.repeated_addresses()) == []
    assert (await result(of.leads.consent_certificate(lead)))["consents"][0]["evidence"]["email"] == "ann@example.com"
    assert "ann@example.com" in await result(of.leads.consent_page(lead))
    person = await result(of.people.export({"email": "ann@example.com"}))
    assert (await result(of.leads.photo(lead, person["data"][0]["photos"][0]["id"])))[:2] == b"\xff\xd8"
    assert "data" in await result(of.leads.deliveries(lead))
    await result(of.leads.revoke_link(lead))

    body: types.CreateWebhookBody = {"name": "CRM", "url": "https://93.184.216.34/", "events": ["lead.created", "lead.updated"]}
    hook = await result(of.webhooks.create(body, idempotency_key=made))
    assert (await result(of.webhooks.create(body, idempotency_key=made)))["id"] == hook["id"]
    assert hook["id"] in [one["id"] for one in await result(of.webhooks.list())]
    assert (await result(of.webhooks.get(hook["id"])))["name"] == "CRM"
    assert (await result(of.webhooks.update(hook["id"], {"name": "Office"})))["name"] == "Office"
    started = (await result(of.webhooks.test(hook["id"])))["deliveryId"]
    assert (await result(of.deliveries.get(started)))["event"] == "ping"
    assert (await result(of.webhooks.deliveries(hook["id"], limit=5)))["data"]
    assert await items(of.webhooks.deliveries_all(hook["id"], limit=1))
    await result(of.deliveries.replay(started))
    await result(of.webhooks.replay(hook["id"], since))
    assert (await result(of.webhooks.rotate_secret(hook["id"])))["secret"] != hook["secret"]
    await result(of.webhooks.delete(hook["id"]))

    assert "slack" in [one["name"] for one in await result(of.connectors.list())]
    assert (await result(of.connectors.get("slack")))["name"] == "slack"
    slack: types.CreateDestinationBody = {"connector": "slack", "settings": {"webhook_url": "https://hooks.slack.com/services/T/B/X"}}
    place = (await result(of.destinations.create(slack)))["id"]
    assert place in [one["id"] for one in await result(of.destinations.list())]
    assert (await result(of.destinations.get(place)))["connector"] == "slack"
    assert (await result(of.destinations.update(place, {"active": False})))["active"] is False
    await result(of.destinations.test(place))
    assert (await result(of.destinations.deliveries(place)))["data"]
    await result(of.destinations.replay(place, since))
    await result(of.destinations.delete(place))

    notices = await result(of.notices.get())
    assert await result(of.notices.replace(notices)) == notices
    assert (await result(of.retention.set({"days": 1500})))["days"] == 1500
    assert (await result(of.retention.get(days=1)))["due"]["leads"] == 0
    assert (await result(of.retention.set({})))["days"] is None
    assert (await result(of.people.erase({"email": "nobody@example.com"})))["leads"] == []
    if os.environ.get("SHINGLE_ERASE"):
        assert (await result(of.leads.erase(lead)))["erased"] is True
        try:
            await result(of.leads.get(lead))
            raise AssertionError("it is still there")
        except NotFoundError:
            pass


async def asynchronous() -> None:
    async with httpx.AsyncClient(event_hooks={"request": [noted_async]}) as own:
        async with AsyncShingle(url, key, http_client=own) as client:
            await calls(client)


def refused() -> None:
    try:
        with Shingle(url, "sandbox_wrong") as client:
            client.leads.list()
    except UnauthorizedError as error:
        assert error.body == {"message": "API key is invalid", "error": "Unauthorized", "statusCode": 401}, error.body
        return
    raise AssertionError("a wrong key was not refused")


def hints() -> None:
    """Every annotation can be read when the program runs, as web frameworks do."""
    for name, one in inspect.getmembers(types, inspect.isclass):
        if one.__module__ == types.__name__:
            assert typing.get_type_hints(one) is not None, name
            # What Pydantic asks for.
            assert sys.version_info >= (3, 12) or type(one).__module__ != "typing", name
    operations = sys.modules["shingle_client._operations"]
    groups = [one for _, one in inspect.getmembers(operations, inspect.isclass) if one.__module__ == operations.__name__]
    assert len(groups) > 20, groups
    for group in groups:
        for _, method in inspect.getmembers(group, inspect.isfunction):
            typing.get_type_hints(method, vars(operations))


hints()
refused()
if "async" in sys.argv:
    asyncio.run(asynchronous())
else:
    with httpx.Client(event_hooks={"request": [noted]}) as http:
        asyncio.run(calls(Shingle(url, key, http_client=http)))
assert shingle_client.__version__
print(json.dumps(sent))
