"""Calls every operation of the API through a generated client. Prints the names of those that were called, as JSON."""

import inspect
import json
import sys
import uuid

client, url, key, widget, lead, logo = sys.argv[1:]
sys.path.insert(0, client)

import shingle_client  # noqa: E402
from shingle_client import api as apis  # noqa: E402

configuration = shingle_client.Configuration(host=url, api_key={"token": key})
connection = shingle_client.ApiClient(configuration)
# The webhooks of the description are not operations that a client calls.
classes = [of for name, of in inspect.getmembers(apis, inspect.isclass) if name != "DefaultApi"]
groups = [of(connection) for of in classes]
called = set()


def call(name, *words, **named):
    group = next(of for of in groups if hasattr(of, name))
    called.add(name)
    return getattr(group, name)(*words, **named)


with open(logo, "rb") as file:
    picture = file.read()

# Widgets
made = str(uuid.uuid4())
colors = dict.fromkeys(["primary_color", "link_color"], "#1a5f3c")
grounds = {"secondary_color": "#334455", "background_color": "#ffffff", "card_background_color": "#fafafa", "text_color": "#111111"}
record = call(
    "create_widget", reference_id=made, **colors, **grounds, footer_company_name="Elm Roofing",
    footer_pirvacy_policy_link="https://elm.example.com/privacy", status="active", company_name="Elm Roofing",
    company_phone="(207) 555-0101", company_email="office@elm.example.com", company_address="1 Main Street, Portland, ME 04101",
    company_url="https://elm.example.com", domains="127.0.0.1", first_page_title="What would a new roof cost?",
    header_logo=("logo.png", picture),
)
assert str(record.reference_id) == made, record
assert call("get_widget", made).company_name == "Elm Roofing"
assert made in [str(of.reference_id) for of in call("list_widgets")]
assert call("update_widget", made, company_name="Oak & Elm").company_name == "Oak & Elm"
call("upload_widget_logos", made, header_logo=("logo.png", picture))
settings = call("get_widget_settings", made).to_dict()
request = shingle_client.ReplaceWidgetSettingsRequest.from_dict({})
assert call("replace_widget_settings", made, request).to_dict() == settings

# Look-ups
parts = dict(street_number="14", street_address="Alder Court", city="Harrow Falls", state="ME", zip="04995")
for name in ["get_address_info", "get_address_info_v2", "get_roof_estimate", "get_utility_bill", "get_solar_index", "get_buyer_insights"]:
    assert call(name, **parts) is not None, name
details = call("get_roof_estimate", **parts, include=["match", "provenance", "reasons", "range", "segments"])
assert "match" in details.to_dict(), details
assert call("get_usage").balance_cents is None

# Leads
listed = call("list_leads", search="alder court", limit=1).data
assert [str(of.id) for of in listed] == [lead], listed
whole = call("get_lead", lead)
assert whole.email == "ann@example.com"
assert call("update_lead", lead, shingle_client.UpdateLeadRequest(status="contacted")).status == "contacted"
assert "ann@example.com" in call("download_leads")
note = call("add_lead_note", lead, shingle_client.AddLeadNoteRequest(text="Called, no answer."))
assert note.id in [of.id for of in call("list_lead_notes", lead)]
assert call("list_repeated_addresses") == []
certificate = call("get_consent_certificate", lead)
assert certificate.consents[0].evidence.email == "ann@example.com"
assert "ann@example.com" in call("get_consent_page", lead)
person = shingle_client.ExportPersonRequest(email="ann@example.com")
export = call("export_person", person)
assert call("get_lead_photo", lead, export.data[0].photos[0].id)[:2] == b"\xff\xd8"

# Webhooks and their deliveries
hook = call(
    "create_webhook",
    shingle_client.CreateWebhookRequest(name="CRM", url="https://93.184.216.34/", events=["lead.created", "lead.updated"]),
)
assert hook.secret
assert [of.id for of in call("list_webhooks")] == [hook.id]
assert call("get_webhook", hook.id).name == "CRM"
assert call("update_webhook", hook.id, shingle_client.UpdateWebhookRequest(name="Office")).name == "Office"
started = call("test_webhook", hook.id)
assert call("get_delivery", started.delivery_id).event == "ping"
assert call("list_webhook_deliveries", hook.id).data
call("replay_delivery", started.delivery_id)
call("replay_webhook", hook.id, shingle_client.ReplayWebhookRequest(since="2026-01-01T00:00:00.000Z"))
assert call("rotate_webhook_secret", hook.id).secret != hook.secret
call("delete_webhook", hook.id)

# Connectors
names = [of.name for of in call("list_connectors")]
assert "slack" in names, names
assert call("get_connector", "slack").name == "slack"
slack = {"webhook_url": "https://hooks.slack.com/services/T/B/X"}
place = call("create_destination", shingle_client.CreateDestinationRequest(connector="slack", settings=slack))
assert [of.id for of in call("list_destinations")] == [place.id]
assert call("get_destination", place.id).connector == "slack"
call("update_destination", place.id, shingle_client.UpdateDestinationRequest(active=False))
call("test_destination", place.id)
assert call("list_destination_deliveries", place.id).data
call("replay_destination", place.id, shingle_client.ReplayWebhookRequest(since="2026-01-01T00:00:00.000Z"))
call("delete_destination", place.id)

# Notices, and personal data
notices = call("get_notice_settings")
call("replace_notice_settings", shingle_client.ReplaceNoticeSettingsRequest.from_dict({}))
assert call("list_lead_deliveries", lead).data is not None
call("revoke_lead_link", lead)
kept = call("set_retention", shingle_client.SetRetentionRequest(days=1500))
assert (kept.days, call("get_retention", days=1).due.leads) == (1500, 0)
second = shingle_client.ExportPersonRequest(email="nobody@example.com")
assert call("erase_person", second).leads == []
assert call("erase_lead", lead).erased is True

print(json.dumps(sorted(called)))
