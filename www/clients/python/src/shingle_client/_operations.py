"""Written by www/clients/generate.mjs from the description of the API. Do not change it by hand."""

from __future__ import annotations

from typing import AsyncIterator, Iterator, List, Literal, Optional, Sequence, Union, cast

from . import types
from ._http import AsyncHttp, Call, Http, segment


class LookUp:
    def __init__(self, http: Http) -> None:
        self._http = http

    def address_info(
        self,
        address: types.Address,
        *,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.AddressInfoAnswer:
        """Property details, level 1.

        Owner, age, size and kind of the property at an address.
        """
        return cast("types.AddressInfoAnswer", self._http.json(Call("GET", "/api/v1/address-info", address=address, query={"include": include}), timeout, max_retries))

    def address_info_v2(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.AddressInfoV2Answer:
        """Property details, level 2.

        As level 1, and on request how far a lead from this address can be relied on.
        """
        return cast("types.AddressInfoV2Answer", self._http.json(Call("GET", "/api/v1/address-info-v2", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "include": include}), timeout, max_retries))

    def buyer_insights(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        sales_hacks_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.BuyerInsightsAnswer:
        """How the owner buys.

        Scores of the owner and, on request, advice that goes with them. They rest on stated priors and on no consumer report. Off for production keys until the operator switches the product on.
        """
        return cast("types.BuyerInsightsAnswer", self._http.json(Call("GET", "/api/v1/buyer-insights", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "salesHacksOn": sales_hacks_on, "include": include}), timeout, max_retries))

    def roof_estimate(
        self,
        address: types.Address,
        *,
        roof_material: Optional[Literal["asphalt shingle", "slate", "tile", "metal", "other"]] = None,
        installed_price: Optional[float] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RoofEstimateAnswer:
        """Size, pitch and price of the roof.

        An approximation, which replaces no inspection.
        """
        return cast("types.RoofEstimateAnswer", self._http.json(Call("GET", "/api/v1/roof-estimate", address=address, query={"roofMaterial": roof_material, "installedPrice": installed_price, "include": include}), timeout, max_retries))

    def solar_index(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.SolarIndexAnswer:
        """How likely the household takes up solar power.

        An index from 0 to 10, what to lead with, and the details of the property.
        """
        return cast("types.SolarIndexAnswer", self._http.json(Call("GET", "/api/v1/solar-index", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "include": include}), timeout, max_retries))

    def utility_bill(
        self,
        address: types.Address,
        *,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.UtilityBillAnswer:
        """Consumption, cost and emissions of a year.

        Electricity and fuel of the last twelve months, worked out from homes like this one.
        """
        return cast("types.UtilityBillAnswer", self._http.json(Call("GET", "/api/v1/utility-bill", address=address, query={"include": include}), timeout, max_retries))


class Usage:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.UsageReport:
        """What the look-ups come to.

        Calls, billed calls and amounts by day, key and product, in the environment of this key; amounts are whole cents. What was credited to the account, less what was taken from the balance on all days, is the balance. With `Accept: text/csv` the lines come as a table.
        """
        return cast("types.UsageReport", self._http.json(Call("GET", "/api/v1/usage", query={"from": from_, "to": to}), timeout, max_retries))


class Widgets:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.WidgetRecord]:
        """List widgets.

        All of the account, the oldest first. A key for the leads of some widgets lists those.
        """
        return cast("List[types.WidgetRecord]", self._http.json(Call("GET", "/api/v1/roof-estimate-widget"), timeout, max_retries))

    def create(
        self,
        body: types.CreateWidgetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Make a widget.

        A form, because it carries the logos. Without logos it may also be JSON or URL-encoded.
        """
        return cast("types.WidgetRecord", self._http.json(Call("POST", "/api/v1/roof-estimate-widget", form=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    def get(
        self,
        reference_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Get a widget.

        The whole record.
        """
        return cast("types.WidgetRecord", self._http.json(Call("GET", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}"), timeout, max_retries))

    def update(
        self,
        reference_id: str,
        body: Optional[types.UpdateWidgetBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Change a widget.

        What is not sent stays as it is.
        """
        return cast("types.WidgetRecord", self._http.json(Call("PUT", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}", form=body or {}), timeout, max_retries))

    def upload_logos(
        self,
        reference_id: str,
        body: types.UploadWidgetLogosBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Replace a widget's logos.

        One of them or both.
        """
        return cast("types.WidgetRecord", self._http.json(Call("PATCH", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/upload-logos", form=body), timeout, max_retries))

    def get_settings(
        self,
        reference_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetSettings:
        """Get a widget's settings.

        What a contractor says beside the record: what the price includes, an example of monthly payment, working hours and more. Where nothing was set, the defaults.
        """
        return cast("types.WidgetSettings", self._http.json(Call("GET", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/settings"), timeout, max_retries))

    def replace_settings(
        self,
        reference_id: str,
        body: Union[types.ReplaceWidgetSettingsBody, types.WidgetSettings],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetSettings:
        """Replace a widget's settings.

        All of them: what is missing or null becomes the default.
        """
        return cast("types.WidgetSettings", self._http.json(Call("PUT", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/settings", json=body), timeout, max_retries))


class Leads:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.LeadPage:
        """List leads.

        The newest first, a page at a time.
        """
        return cast("types.LeadPage", self._http.json(Call("GET", "/api/v1/leads", query={"status": status, "widgetId": widget_id, "search": search, "limit": limit, "cursor": cursor}), timeout, max_retries))

    def list_all(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Lead]:
        """Like `list`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = self.list(status=status, widget_id=widget_id, search=search, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def csv(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Download leads as a table.

        All of them, without pages, one row for each; the first row names the columns.
        """
        return self._http.text(Call("GET", "/api/v1/leads.csv", query={"status": status, "widgetId": widget_id, "search": search}, accept="text/csv"), timeout, max_retries)

    def repeated_addresses(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.RepeatedAddress]:
        """List addresses that leads name again and again.

        Those that five and more leads of one widget and day name, of the last thirty days; the most repeated first, a hundred at most.
        """
        return cast("List[types.RepeatedAddress]", self._http.json(Call("GET", "/api/v1/leads/repeated"), timeout, max_retries))

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Lead:
        """Get a lead.

        The whole record.
        """
        return cast("types.Lead", self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}"), timeout, max_retries))

    def update(
        self,
        id: str,
        body: Optional[types.UpdateLeadBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Lead:
        """Change a lead.

        Its status, its message, and what became of the visit that was asked for. Every change is a `lead.updated`.
        """
        return cast("types.Lead", self._http.json(Call("PATCH", f"/api/v1/leads/{segment('id', id)}", json=body or {}), timeout, max_retries))

    def erase(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Erased:
        """Erase a lead.

        Deletes every personal datum of it, also in the log of deliveries. This cannot be undone.
        """
        return cast("types.Erased", self._http.json(Call("DELETE", f"/api/v1/leads/{segment('id', id)}"), timeout, max_retries))

    def notes(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.LeadNote]:
        """List the notes of a lead.

        What people of the company and programs wrote down, the oldest first. Homeowners never see them.
        """
        return cast("List[types.LeadNote]", self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/notes"), timeout, max_retries))

    def add_note(
        self,
        id: str,
        body: types.AddLeadNoteBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.LeadNote:
        """Add a note to a lead.

        It is in the lead's timeline, with the name of the key. It changes nothing else of the lead, so there is no event.
        """
        return cast("types.LeadNote", self._http.json(Call("POST", f"/api/v1/leads/{segment('id', id)}/notes", json=body), timeout, max_retries))

    def consent_certificate(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ConsentCertificate:
        """Get the certificate of consent of a lead.

        Everything the homeowner agreed to or not: text, time, page, network address and browser, with the person as typed then. It is signed and linked to all consents of the account; `shingle consent verify` checks it offline and names each changed byte.
        """
        return cast("types.ConsentCertificate", self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/consent"), timeout, max_retries))

    def consent_page(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the certificate of consent as a page.

        The same for people: one file that prints.
        """
        return self._http.text(Call("GET", f"/api/v1/leads/{segment('id', id)}/consent.html", accept="text/html"), timeout, max_retries)

    def photo(
        self,
        id: str,
        photo: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """Get a photograph of the roof.

        A JPEG without what the camera wrote into it.
        """
        return self._http.bytes(Call("GET", f"/api/v1/leads/{segment('id', id)}/photos/{segment('photo', photo)}", accept="image/jpeg"), timeout, max_retries)

    def revoke_link(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Revoked:
        """Switch the link to the estimate off.

        The page that the homeowner may have passed on. A new link is in later mails.
        """
        return cast("types.Revoked", self._http.json(Call("DELETE", f"/api/v1/leads/{segment('id', id)}/link"), timeout, max_retries))

    def deliveries(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List the deliveries of a lead.

        Of everything that happened to it, to any destination.
        """
        return cast("types.DeliveryList", self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/deliveries"), timeout, max_retries))


class Webhooks:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        body: types.CreateWebhookBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Make a webhook.

        Its address has to be public and to begin with `https://`.
        """
        return cast("types.Webhook", self._http.json(Call("POST", "/api/v1/webhooks", json=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.Webhook]:
        """List webhooks.

        All of them.
        """
        return cast("List[types.Webhook]", self._http.json(Call("GET", "/api/v1/webhooks"), timeout, max_retries))

    def get(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Get a webhook.

        The whole record, without its secret.
        """
        return cast("types.Webhook", self._http.json(Call("GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}"), timeout, max_retries))

    def update(
        self,
        webhook_id: str,
        body: Optional[types.UpdateWebhookBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Change a webhook.

        What is not sent stays as it is. Every mistake is one sentence about syntax.
        """
        return cast("types.Webhook", self._http.json(Call("PATCH", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}", json=body or {}), timeout, max_retries))

    def delete(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Delete a webhook.

        What is on its way to it is given up.
        """
        return cast("types.Webhook", self._http.json(Call("DELETE", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}"), timeout, max_retries))

    def rotate_secret(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Renew the secret of a webhook.

        The old one signs beside the new one for a day.
        """
        return cast("types.Webhook", self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/rotate-secret"), timeout, max_retries))

    def test(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a test event.

        A `ping`, which nobody has to subscribe to.
        """
        return cast("types.Started", self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/test", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    def deliveries(
        self,
        webhook_id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List deliveries.

        The newest first, a page at a time, without their attempts.
        """
        return cast("types.DeliveryList", self._http.json(Call("GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/deliveries", query={"event": event, "state": state, "since": since, "limit": limit, "cursor": cursor}), timeout, max_retries))

    def deliveries_all(
        self,
        webhook_id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.DeliveryView]:
        """Like `deliveries`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = self.deliveries(webhook_id, event=event, state=state, since=since, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def replay(
        self,
        webhook_id: str,
        body: types.ReplayWebhookBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Replayed:
        """Send again what failed.

        Everything that failed or was skipped since a time.
        """
        return cast("types.Replayed", self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/replay", json=body), timeout, max_retries))


class Deliveries:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryView:
        """Get a delivery.

        With every attempt: what was sent, without secrets, and what came back.
        """
        return cast("types.DeliveryView", self._http.json(Call("GET", f"/api/v1/deliveries/{segment('id', id)}"), timeout, max_retries))

    def replay(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a delivery again.

        As a delivery of its own, with the same event.
        """
        return cast("types.Started", self._http.json(Call("POST", f"/api/v1/deliveries/{segment('id', id)}/replay", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))


class Connectors:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.ConnectorView]:
        """List connectors.

        Every system that there is a connector for, and what each has to be given.
        """
        return cast("List[types.ConnectorView]", self._http.json(Call("GET", "/api/v1/connectors"), timeout, max_retries))

    def get(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ConnectorView:
        """Get a connector.

        What it does and what it has to be given.
        """
        return cast("types.ConnectorView", self._http.json(Call("GET", f"/api/v1/connectors/{segment('name', name)}"), timeout, max_retries))


class Destinations:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        body: types.CreateDestinationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Set a connector up.

        Every new lead goes there from then on.
        """
        return cast("types.DestinationView", self._http.json(Call("POST", "/api/v1/destinations", json=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.DestinationView]:
        """List what is set up.

        Without webhooks, which have a list of their own.
        """
        return cast("List[types.DestinationView]", self._http.json(Call("GET", "/api/v1/destinations"), timeout, max_retries))

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Get a destination.

        The whole record, without secrets.
        """
        return cast("types.DestinationView", self._http.json(Call("GET", f"/api/v1/destinations/{segment('id', id)}"), timeout, max_retries))

    def update(
        self,
        id: str,
        body: types.UpdateDestinationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Change a destination.

        What is not sent stays as it is.
        """
        return cast("types.DestinationView", self._http.json(Call("PATCH", f"/api/v1/destinations/{segment('id', id)}", json=body), timeout, max_retries))

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Delete a destination.

        What is on its way to it is given up.
        """
        return cast("types.DestinationView", self._http.json(Call("DELETE", f"/api/v1/destinations/{segment('id', id)}"), timeout, max_retries))

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a test event.

        A `ping`, which nobody has to subscribe to.
        """
        return cast("types.Started", self._http.json(Call("POST", f"/api/v1/destinations/{segment('id', id)}/test", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    def deliveries(
        self,
        id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List deliveries.

        The newest first, a page at a time, without their attempts.
        """
        return cast("types.DeliveryList", self._http.json(Call("GET", f"/api/v1/destinations/{segment('id', id)}/deliveries", query={"event": event, "state": state, "since": since, "limit": limit, "cursor": cursor}), timeout, max_retries))

    def deliveries_all(
        self,
        id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.DeliveryView]:
        """Like `deliveries`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = self.deliveries(id, event=event, state=state, since=since, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def replay(
        self,
        id: str,
        body: types.ReplayDestinationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Replayed:
        """Send again what failed.

        Everything that failed or was skipped since a time.
        """
        return cast("types.Replayed", self._http.json(Call("POST", f"/api/v1/destinations/{segment('id', id)}/replay", json=body), timeout, max_retries))


class Notices:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.NoticeSettings:
        """Get the settings of notices.

        Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.
        """
        return cast("types.NoticeSettings", self._http.json(Call("GET", "/api/v1/notices"), timeout, max_retries))

    def replace(
        self,
        body: Union[types.ReplaceNoticeSettingsBody, types.NoticeSettings],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.NoticeSettings:
        """Replace the settings of notices.

        All of them: what is missing becomes the default.
        """
        return cast("types.NoticeSettings", self._http.json(Call("PUT", "/api/v1/notices", json=body), timeout, max_retries))


class People:
    def __init__(self, http: Http) -> None:
        self._http = http

    def export(
        self,
        body: types.ExportPersonBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.PersonExport:
        """Get everything that is stored of a person.

        Of all leads that have the e-mail address or the telephone number. It is a POST, so that neither is in an address, which servers write into their logs.
        """
        return cast("types.PersonExport", self._http.json(Call("POST", "/api/v1/people/export", json=body), timeout, max_retries))

    def erase(
        self,
        body: types.ErasePersonBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ErasedPerson:
        """Erase everything that is stored of a person.

        Erases every lead that has the e-mail address or the telephone number. This cannot be undone; what it would erase is told by `/api/v1/people/export`.
        """
        return cast("types.ErasedPerson", self._http.json(Call("POST", "/api/v1/people/erase", json=body), timeout, max_retries))


class Retention:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RetentionView:
        """Get how long leads are kept.

        Of the account, in both environments. With `days` it is told what keeping leads for so long would erase now; nothing is erased by asking.
        """
        return cast("types.RetentionView", self._http.json(Call("GET", "/api/v1/retention", query={"days": days}), timeout, max_retries))

    def set(
        self,
        body: types.SetRetentionBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RetentionView:
        """Set how long leads are kept.

        Older leads are erased by themselves, with their evidence of consent. It acts a day later, so that what it will erase can be seen before; a longer time than before acts at once.
        """
        return cast("types.RetentionView", self._http.json(Call("PUT", "/api/v1/retention", json=body), timeout, max_retries))


class Groups:
    def __init__(self, http: Http) -> None:
        self.look_up = LookUp(http)
        self.usage = Usage(http)
        self.widgets = Widgets(http)
        self.leads = Leads(http)
        self.webhooks = Webhooks(http)
        self.deliveries = Deliveries(http)
        self.connectors = Connectors(http)
        self.destinations = Destinations(http)
        self.notices = Notices(http)
        self.people = People(http)
        self.retention = Retention(http)


class AsyncLookUp:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def address_info(
        self,
        address: types.Address,
        *,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.AddressInfoAnswer:
        """Property details, level 1.

        Owner, age, size and kind of the property at an address.
        """
        return cast("types.AddressInfoAnswer", await self._http.json(Call("GET", "/api/v1/address-info", address=address, query={"include": include}), timeout, max_retries))

    async def address_info_v2(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.AddressInfoV2Answer:
        """Property details, level 2.

        As level 1, and on request how far a lead from this address can be relied on.
        """
        return cast("types.AddressInfoV2Answer", await self._http.json(Call("GET", "/api/v1/address-info-v2", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "include": include}), timeout, max_retries))

    async def buyer_insights(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        sales_hacks_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.BuyerInsightsAnswer:
        """How the owner buys.

        Scores of the owner and, on request, advice that goes with them. They rest on stated priors and on no consumer report. Off for production keys until the operator switches the product on.
        """
        return cast("types.BuyerInsightsAnswer", await self._http.json(Call("GET", "/api/v1/buyer-insights", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "salesHacksOn": sales_hacks_on, "include": include}), timeout, max_retries))

    async def roof_estimate(
        self,
        address: types.Address,
        *,
        roof_material: Optional[Literal["asphalt shingle", "slate", "tile", "metal", "other"]] = None,
        installed_price: Optional[float] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RoofEstimateAnswer:
        """Size, pitch and price of the roof.

        An approximation, which replaces no inspection.
        """
        return cast("types.RoofEstimateAnswer", await self._http.json(Call("GET", "/api/v1/roof-estimate", address=address, query={"roofMaterial": roof_material, "installedPrice": installed_price, "include": include}), timeout, max_retries))

    async def solar_index(
        self,
        address: types.Address,
        *,
        last_name: Optional[str] = None,
        lead_integrity_score_on: Optional[bool] = None,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.SolarIndexAnswer:
        """How likely the household takes up solar power.

        An index from 0 to 10, what to lead with, and the details of the property.
        """
        return cast("types.SolarIndexAnswer", await self._http.json(Call("GET", "/api/v1/solar-index", address=address, query={"lastName": last_name, "leadIntegrityScoreOn": lead_integrity_score_on, "include": include}), timeout, max_retries))

    async def utility_bill(
        self,
        address: types.Address,
        *,
        include: Optional[Sequence[Literal["match", "provenance", "segments", "range", "reasons"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.UtilityBillAnswer:
        """Consumption, cost and emissions of a year.

        Electricity and fuel of the last twelve months, worked out from homes like this one.
        """
        return cast("types.UtilityBillAnswer", await self._http.json(Call("GET", "/api/v1/utility-bill", address=address, query={"include": include}), timeout, max_retries))


class AsyncUsage:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.UsageReport:
        """What the look-ups come to.

        Calls, billed calls and amounts by day, key and product, in the environment of this key; amounts are whole cents. What was credited to the account, less what was taken from the balance on all days, is the balance. With `Accept: text/csv` the lines come as a table.
        """
        return cast("types.UsageReport", await self._http.json(Call("GET", "/api/v1/usage", query={"from": from_, "to": to}), timeout, max_retries))


class AsyncWidgets:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.WidgetRecord]:
        """List widgets.

        All of the account, the oldest first. A key for the leads of some widgets lists those.
        """
        return cast("List[types.WidgetRecord]", await self._http.json(Call("GET", "/api/v1/roof-estimate-widget"), timeout, max_retries))

    async def create(
        self,
        body: types.CreateWidgetBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Make a widget.

        A form, because it carries the logos. Without logos it may also be JSON or URL-encoded.
        """
        return cast("types.WidgetRecord", await self._http.json(Call("POST", "/api/v1/roof-estimate-widget", form=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    async def get(
        self,
        reference_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Get a widget.

        The whole record.
        """
        return cast("types.WidgetRecord", await self._http.json(Call("GET", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}"), timeout, max_retries))

    async def update(
        self,
        reference_id: str,
        body: Optional[types.UpdateWidgetBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Change a widget.

        What is not sent stays as it is.
        """
        return cast("types.WidgetRecord", await self._http.json(Call("PUT", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}", form=body or {}), timeout, max_retries))

    async def upload_logos(
        self,
        reference_id: str,
        body: types.UploadWidgetLogosBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetRecord:
        """Replace a widget's logos.

        One of them or both.
        """
        return cast("types.WidgetRecord", await self._http.json(Call("PATCH", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/upload-logos", form=body), timeout, max_retries))

    async def get_settings(
        self,
        reference_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetSettings:
        """Get a widget's settings.

        What a contractor says beside the record: what the price includes, an example of monthly payment, working hours and more. Where nothing was set, the defaults.
        """
        return cast("types.WidgetSettings", await self._http.json(Call("GET", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/settings"), timeout, max_retries))

    async def replace_settings(
        self,
        reference_id: str,
        body: Union[types.ReplaceWidgetSettingsBody, types.WidgetSettings],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WidgetSettings:
        """Replace a widget's settings.

        All of them: what is missing or null becomes the default.
        """
        return cast("types.WidgetSettings", await self._http.json(Call("PUT", f"/api/v1/roof-estimate-widget/{segment('reference_id', reference_id)}/settings", json=body), timeout, max_retries))


class AsyncLeads:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.LeadPage:
        """List leads.

        The newest first, a page at a time.
        """
        return cast("types.LeadPage", await self._http.json(Call("GET", "/api/v1/leads", query={"status": status, "widgetId": widget_id, "search": search, "limit": limit, "cursor": cursor}), timeout, max_retries))

    async def list_all(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[types.Lead]:
        """Like `list`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = await self.list(status=status, widget_id=widget_id, search=search, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def csv(
        self,
        *,
        status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]] = None,
        widget_id: Optional[str] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Download leads as a table.

        All of them, without pages, one row for each; the first row names the columns.
        """
        return await self._http.text(Call("GET", "/api/v1/leads.csv", query={"status": status, "widgetId": widget_id, "search": search}, accept="text/csv"), timeout, max_retries)

    async def repeated_addresses(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.RepeatedAddress]:
        """List addresses that leads name again and again.

        Those that five and more leads of one widget and day name, of the last thirty days; the most repeated first, a hundred at most.
        """
        return cast("List[types.RepeatedAddress]", await self._http.json(Call("GET", "/api/v1/leads/repeated"), timeout, max_retries))

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Lead:
        """Get a lead.

        The whole record.
        """
        return cast("types.Lead", await self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}"), timeout, max_retries))

    async def update(
        self,
        id: str,
        body: Optional[types.UpdateLeadBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Lead:
        """Change a lead.

        Its status, its message, and what became of the visit that was asked for. Every change is a `lead.updated`.
        """
        return cast("types.Lead", await self._http.json(Call("PATCH", f"/api/v1/leads/{segment('id', id)}", json=body or {}), timeout, max_retries))

    async def erase(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Erased:
        """Erase a lead.

        Deletes every personal datum of it, also in the log of deliveries. This cannot be undone.
        """
        return cast("types.Erased", await self._http.json(Call("DELETE", f"/api/v1/leads/{segment('id', id)}"), timeout, max_retries))

    async def notes(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.LeadNote]:
        """List the notes of a lead.

        What people of the company and programs wrote down, the oldest first. Homeowners never see them.
        """
        return cast("List[types.LeadNote]", await self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/notes"), timeout, max_retries))

    async def add_note(
        self,
        id: str,
        body: types.AddLeadNoteBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.LeadNote:
        """Add a note to a lead.

        It is in the lead's timeline, with the name of the key. It changes nothing else of the lead, so there is no event.
        """
        return cast("types.LeadNote", await self._http.json(Call("POST", f"/api/v1/leads/{segment('id', id)}/notes", json=body), timeout, max_retries))

    async def consent_certificate(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ConsentCertificate:
        """Get the certificate of consent of a lead.

        Everything the homeowner agreed to or not: text, time, page, network address and browser, with the person as typed then. It is signed and linked to all consents of the account; `shingle consent verify` checks it offline and names each changed byte.
        """
        return cast("types.ConsentCertificate", await self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/consent"), timeout, max_retries))

    async def consent_page(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the certificate of consent as a page.

        The same for people: one file that prints.
        """
        return await self._http.text(Call("GET", f"/api/v1/leads/{segment('id', id)}/consent.html", accept="text/html"), timeout, max_retries)

    async def photo(
        self,
        id: str,
        photo: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """Get a photograph of the roof.

        A JPEG without what the camera wrote into it.
        """
        return await self._http.bytes(Call("GET", f"/api/v1/leads/{segment('id', id)}/photos/{segment('photo', photo)}", accept="image/jpeg"), timeout, max_retries)

    async def revoke_link(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Revoked:
        """Switch the link to the estimate off.

        The page that the homeowner may have passed on. A new link is in later mails.
        """
        return cast("types.Revoked", await self._http.json(Call("DELETE", f"/api/v1/leads/{segment('id', id)}/link"), timeout, max_retries))

    async def deliveries(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List the deliveries of a lead.

        Of everything that happened to it, to any destination.
        """
        return cast("types.DeliveryList", await self._http.json(Call("GET", f"/api/v1/leads/{segment('id', id)}/deliveries"), timeout, max_retries))


class AsyncWebhooks:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        body: types.CreateWebhookBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Make a webhook.

        Its address has to be public and to begin with `https://`.
        """
        return cast("types.Webhook", await self._http.json(Call("POST", "/api/v1/webhooks", json=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.Webhook]:
        """List webhooks.

        All of them.
        """
        return cast("List[types.Webhook]", await self._http.json(Call("GET", "/api/v1/webhooks"), timeout, max_retries))

    async def get(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Get a webhook.

        The whole record, without its secret.
        """
        return cast("types.Webhook", await self._http.json(Call("GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}"), timeout, max_retries))

    async def update(
        self,
        webhook_id: str,
        body: Optional[types.UpdateWebhookBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Change a webhook.

        What is not sent stays as it is. Every mistake is one sentence about syntax.
        """
        return cast("types.Webhook", await self._http.json(Call("PATCH", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}", json=body or {}), timeout, max_retries))

    async def delete(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Delete a webhook.

        What is on its way to it is given up.
        """
        return cast("types.Webhook", await self._http.json(Call("DELETE", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}"), timeout, max_retries))

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Webhook:
        """Renew the secret of a webhook.

        The old one signs beside the new one for a day.
        """
        return cast("types.Webhook", await self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/rotate-secret"), timeout, max_retries))

    async def test(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a test event.

        A `ping`, which nobody has to subscribe to.
        """
        return cast("types.Started", await self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/test", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    async def deliveries(
        self,
        webhook_id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List deliveries.

        The newest first, a page at a time, without their attempts.
        """
        return cast("types.DeliveryList", await self._http.json(Call("GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/deliveries", query={"event": event, "state": state, "since": since, "limit": limit, "cursor": cursor}), timeout, max_retries))

    async def deliveries_all(
        self,
        webhook_id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[types.DeliveryView]:
        """Like `deliveries`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = await self.deliveries(webhook_id, event=event, state=state, since=since, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def replay(
        self,
        webhook_id: str,
        body: types.ReplayWebhookBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Replayed:
        """Send again what failed.

        Everything that failed or was skipped since a time.
        """
        return cast("types.Replayed", await self._http.json(Call("POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/replay", json=body), timeout, max_retries))


class AsyncDeliveries:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryView:
        """Get a delivery.

        With every attempt: what was sent, without secrets, and what came back.
        """
        return cast("types.DeliveryView", await self._http.json(Call("GET", f"/api/v1/deliveries/{segment('id', id)}"), timeout, max_retries))

    async def replay(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a delivery again.

        As a delivery of its own, with the same event.
        """
        return cast("types.Started", await self._http.json(Call("POST", f"/api/v1/deliveries/{segment('id', id)}/replay", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))


class AsyncConnectors:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.ConnectorView]:
        """List connectors.

        Every system that there is a connector for, and what each has to be given.
        """
        return cast("List[types.ConnectorView]", await self._http.json(Call("GET", "/api/v1/connectors"), timeout, max_retries))

    async def get(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ConnectorView:
        """Get a connector.

        What it does and what it has to be given.
        """
        return cast("types.ConnectorView", await self._http.json(Call("GET", f"/api/v1/connectors/{segment('name', name)}"), timeout, max_retries))


class AsyncDestinations:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        body: types.CreateDestinationBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Set a connector up.

        Every new lead goes there from then on.
        """
        return cast("types.DestinationView", await self._http.json(Call("POST", "/api/v1/destinations", json=body, takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[types.DestinationView]:
        """List what is set up.

        Without webhooks, which have a list of their own.
        """
        return cast("List[types.DestinationView]", await self._http.json(Call("GET", "/api/v1/destinations"), timeout, max_retries))

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Get a destination.

        The whole record, without secrets.
        """
        return cast("types.DestinationView", await self._http.json(Call("GET", f"/api/v1/destinations/{segment('id', id)}"), timeout, max_retries))

    async def update(
        self,
        id: str,
        body: types.UpdateDestinationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Change a destination.

        What is not sent stays as it is.
        """
        return cast("types.DestinationView", await self._http.json(Call("PATCH", f"/api/v1/destinations/{segment('id', id)}", json=body), timeout, max_retries))

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DestinationView:
        """Delete a destination.

        What is on its way to it is given up.
        """
        return cast("types.DestinationView", await self._http.json(Call("DELETE", f"/api/v1/destinations/{segment('id', id)}"), timeout, max_retries))

    async def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Started:
        """Send a test event.

        A `ping`, which nobody has to subscribe to.
        """
        return cast("types.Started", await self._http.json(Call("POST", f"/api/v1/destinations/{segment('id', id)}/test", takes_idempotency_key=True, idempotency_key=idempotency_key), timeout, max_retries))

    async def deliveries(
        self,
        id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryList:
        """List deliveries.

        The newest first, a page at a time, without their attempts.
        """
        return cast("types.DeliveryList", await self._http.json(Call("GET", f"/api/v1/destinations/{segment('id', id)}/deliveries", query={"event": event, "state": state, "since": since, "limit": limit, "cursor": cursor}), timeout, max_retries))

    async def deliveries_all(
        self,
        id: str,
        *,
        event: Optional[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]] = None,
        state: Optional[Literal["pending", "waiting", "delivered", "failed", "skipped"]] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[types.DeliveryView]:
        """Like `deliveries`: every item, of one page after the other."""
        cursor: Optional[str] = None
        while True:
            page = await self.deliveries(id, event=event, state=state, since=since, limit=limit, cursor=cursor, timeout=timeout, max_retries=max_retries)
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def replay(
        self,
        id: str,
        body: types.ReplayDestinationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Replayed:
        """Send again what failed.

        Everything that failed or was skipped since a time.
        """
        return cast("types.Replayed", await self._http.json(Call("POST", f"/api/v1/destinations/{segment('id', id)}/replay", json=body), timeout, max_retries))


class AsyncNotices:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.NoticeSettings:
        """Get the settings of notices.

        Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.
        """
        return cast("types.NoticeSettings", await self._http.json(Call("GET", "/api/v1/notices"), timeout, max_retries))

    async def replace(
        self,
        body: Union[types.ReplaceNoticeSettingsBody, types.NoticeSettings],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.NoticeSettings:
        """Replace the settings of notices.

        All of them: what is missing becomes the default.
        """
        return cast("types.NoticeSettings", await self._http.json(Call("PUT", "/api/v1/notices", json=body), timeout, max_retries))


class AsyncPeople:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def export(
        self,
        body: types.ExportPersonBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.PersonExport:
        """Get everything that is stored of a person.

        Of all leads that have the e-mail address or the telephone number. It is a POST, so that neither is in an address, which servers write into their logs.
        """
        return cast("types.PersonExport", await self._http.json(Call("POST", "/api/v1/people/export", json=body), timeout, max_retries))

    async def erase(
        self,
        body: types.ErasePersonBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ErasedPerson:
        """Erase everything that is stored of a person.

        Erases every lead that has the e-mail address or the telephone number. This cannot be undone; what it would erase is told by `/api/v1/people/export`.
        """
        return cast("types.ErasedPerson", await self._http.json(Call("POST", "/api/v1/people/erase", json=body), timeout, max_retries))


class AsyncRetention:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RetentionView:
        """Get how long leads are kept.

        Of the account, in both environments. With `days` it is told what keeping leads for so long would erase now; nothing is erased by asking.
        """
        return cast("types.RetentionView", await self._http.json(Call("GET", "/api/v1/retention", query={"days": days}), timeout, max_retries))

    async def set(
        self,
        body: types.SetRetentionBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.RetentionView:
        """Set how long leads are kept.

        Older leads are erased by themselves, with their evidence of consent. It acts a day later, so that what it will erase can be seen before; a longer time than before acts at once.
        """
        return cast("types.RetentionView", await self._http.json(Call("PUT", "/api/v1/retention", json=body), timeout, max_retries))


class AsyncGroups:
    def __init__(self, http: AsyncHttp) -> None:
        self.look_up = AsyncLookUp(http)
        self.usage = AsyncUsage(http)
        self.widgets = AsyncWidgets(http)
        self.leads = AsyncLeads(http)
        self.webhooks = AsyncWebhooks(http)
        self.deliveries = AsyncDeliveries(http)
        self.connectors = AsyncConnectors(http)
        self.destinations = AsyncDestinations(http)
        self.notices = AsyncNotices(http)
        self.people = AsyncPeople(http)
        self.retention = AsyncRetention(http)
