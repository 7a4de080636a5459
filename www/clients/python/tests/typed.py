"""How a typed program uses the client. Pyright reads this; nobody runs it."""

from typing import List, Optional, Union

from shingle_client import NotFoundError, Shingle, types, verify_webhook


def uses(shingle: Shingle) -> List[types.Lead]:
    roof = shingle.look_up.roof_estimate("14 Alder Court", include=["match", "range"])
    price: Union[float, None] = roof["roofCostEstimate"]
    level = roof["match"]["level"] if "match" in roof else None
    print(price, level)
    settings = shingle.widgets.get_settings("w")
    settings["priceIncludes"] = ["Permit"]
    shingle.widgets.replace_settings("w", settings)
    shingle.notices.replace(shingle.notices.get())
    shingle.widgets.upload_logos("w", {"headerLogo": b"\x89PNG"})
    secret: Optional[str] = shingle.webhooks.create(
        {"name": "CRM", "url": "https://example.com", "events": ["lead.created"]}, idempotency_key="k"
    ).get("secret")
    print(secret)
    return list(shingle.leads.list_all(status="new"))


def received(body: bytes, headers: "dict[str, str]") -> str:
    event = verify_webhook(body, headers, ["whsec_", "whsec_"])
    if event["type"] == "lead.created" or event["type"] == "lead.updated":
        return event["data"]["id"]
    return event["id"]


def failed(error: NotFoundError) -> str:
    return error.messages[0] if error.body is None else error.body["error"]


def wrong(shingle: Shingle) -> None:
    shingle.leads.list(status="sold")  # pyright: ignore[reportArgumentType]
    shingle.leads.update("l", {"email": "other@example.com"})  # pyright: ignore[reportArgumentType]
    shingle.look_up.roof_estimate({"streetNumber": "14"})  # pyright: ignore[reportArgumentType]
    shingle.look_up.roof_estimate("14 Alder Court", idempotency_key="k")  # pyright: ignore[reportCallIssue]
    shingle.look_up.roof_estimate("14 Alder Court")["roofArea"] + 1  # pyright: ignore[reportOptionalOperand, reportUnusedExpression]
