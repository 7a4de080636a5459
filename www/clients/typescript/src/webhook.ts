// Webhooks are signed as the Standard Webhooks specification says, with a secret that both sides have.

import { WebhookVerificationError } from "./errors.js";
import type { LeadCreatedEvent, LeadUpdatedEvent, WidgetCreatedEvent, WidgetUpdatedEvent } from "./types.js";
import { webCrypto } from "./web-crypto.js";

/** Sent by `webhooks.test`. */
export interface PingEvent {
  id: string;
  type: "ping";
  timestamp: string;
  apiVersion: string;
  data: { id: string };
}

export type WebhookEvent = LeadCreatedEvent | LeadUpdatedEvent | WidgetCreatedEvent | WidgetUpdatedEvent | PingEvent;

/** The headers of a request: of Node.js, of `fetch`, or a plain object. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | string[] | undefined };

export interface VerifyOptions {
  /** How many seconds a request may be old, or ahead of this clock; 300 by default. */
  tolerance?: number | undefined;
  /** Seconds since 1970, in place of this machine's clock. */
  now?: number | undefined;
}

/**
 * The event of a webhook's request. Rejects with a `WebhookVerificationError` if it does not come from your server.
 *
 * `body` must be the body as it arrived: not parsed, not written anew. `secret` is what `webhooks.create` returned; after
 * `rotateSecret`, a list of both works too.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new WebhookVerificationError("the body must be the text or the bytes that arrived, not what was parsed from it");
  }
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is not a time");
  if (Math.abs(now - Number(timestamp)) > tolerance) throw new WebhookVerificationError("webhook-timestamp is too far from now");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + bytes.length);
  content.set(prefix);
  content.set(bytes, prefix.length);

  const { subtle } = await webCrypto();
  const given = signatures.split(" ").filter((one) => one.startsWith("v1,")).map((one) => decoded(one.slice(3)));
  const secrets = typeof secret === "string" ? [secret] : secret;
  for (const one of secrets) {
    const raw = one.trim().startsWith("whsec_") ? decoded(one.trim().slice(6)) : null;
    if (!raw || raw.length < 24) throw new WebhookVerificationError("a secret begins with whsec_ and is followed by base64");
    const key = await subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of given) {
      // Compares in constant time.
      if (signature && (await subtle.verify("HMAC", key, signature, content))) return parsed(bytes);
    }
  }
  throw new WebhookVerificationError("no signature of the request fits the secret");
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const plain = headers as { readonly [name: string]: string | string[] | undefined };
  const found =
    typeof headers.get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(plain).find(([other]) => other.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? found[0] : found;
  if (!value) throw new WebhookVerificationError(`the request has no ${name}`);
  return value;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function parsed(bytes: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}
