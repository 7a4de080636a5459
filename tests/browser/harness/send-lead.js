// A lead as the flow sends it, without a browser.

import { randomUUID } from "node:crypto";
import { consentIn } from "./shingle.js";

/** Somebody at 14 Alder Court, unless `person` says more. */
export async function sendLead(shingle, widget, person) {
  const at = `${shingle.url}/w/${widget.hostedPageLink.split("/w/")[1]}`;
  const send = async (path, body, headers = {}) => {
    const sent = { "content-type": "text/plain", origin: shingle.url, ...headers };
    const answer = await fetch(at + path, { method: "POST", headers: sent, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { token } = await send("/session", {});
  const lead = {
    token,
    address: { line: "14 Alder Court, Harrow Falls, ME 04995" },
    lastName: "Whitfield",
    consent: { given: true, text: consentIn("en") },
    elapsedMs: 20_000,
    ...person,
  };
  return send("/leads", lead, { "idempotency-key": randomUUID() });
}
