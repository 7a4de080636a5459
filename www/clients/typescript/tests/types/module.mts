// How a module uses the client. The type checker reads this; nobody runs it.

import { type Lead, NotFoundError, RateLimitError, Shingle, verifyWebhook, type WebhookEvent } from "shingle-client";

const shingle = new Shingle({ baseUrl: new URL("https://quotes.example.com"), key: "sandbox_key", timeout: undefined });

export async function uses(status: "new" | undefined, signal: AbortSignal | undefined): Promise<Lead[]> {
  const { roofCostEstimate, match, range } = await shingle.lookUp.roofEstimate("14 Alder Court", { include: ["match", "range"] });
  const dollars: number | null = roofCostEstimate;
  const level: "exact" | "withoutUnit" | "withoutSuffix" | "numberRange" | "similarName" | "interpolated" | null | undefined = match?.level;
  if (range && "area" in range) console.log(range.area.low + 1, dollars, level);
  const page = await shingle.leads.list({ status, limit: 20 }, { signal });
  const cursor: string | null = page.nextCursor;
  console.log(cursor);
  const all: Lead[] = [];
  for await (const lead of shingle.leads.listAll({ status }, { signal })) all.push(lead);
  const hook = await shingle.webhooks.create({ name: "CRM", url: "https://example.com", events: ["lead.created"] }, { idempotencyKey: "k" });
  const secret: string | undefined = hook.secret;
  console.log(secret);
  await shingle.widgets.uploadLogos("w", { headerLogo: new Uint8Array(2) });
  await shingle.widgets.replaceSettings("w", { ...(await shingle.widgets.getSettings("w")), priceIncludes: ["Permit"] });
  await shingle.notices.replace(await shingle.notices.get());
  const picture: Uint8Array = await shingle.leads.photo("l", "p");
  console.log(picture.length);
  return all;
}

export function failed(error: unknown): string | undefined {
  if (error instanceof RateLimitError) return `${error.retryAfter ?? 1}`;
  if (error instanceof NotFoundError) return error.messages[0] ?? error.body?.error;
  return undefined;
}

export async function received(request: Request): Promise<string> {
  const event: WebhookEvent = await verifyWebhook(await request.text(), request.headers, ["whsec_", "whsec_"]);
  switch (event.type) {
    case "lead.created":
    case "lead.updated":
      return "email" in event.data ? (event.data.email ?? "") : event.data.id;
    case "widget.created":
    case "widget.updated":
      return event.data.referenceId;
    case "ping":
      return event.data.id;
  }
}

// And what it must not take.
export async function wrong(): Promise<void> {
  // @ts-expect-error -- there is no client without a key
  new Shingle({ baseUrl: "https://quotes.example.com" });
  // @ts-expect-error -- there is no such status
  await shingle.leads.list({ status: "sold" });
  // @ts-expect-error -- there is no such part
  await shingle.lookUp.roofEstimate("14 Alder Court", { include: ["photos"] });
  // @ts-expect-error -- an address has five parts
  await shingle.lookUp.roofEstimate({ streetNumber: "14" });
  // @ts-expect-error -- level 1 has no score
  (await shingle.lookUp.addressInfo("14 Alder Court")).leadIntegrityScore;
  // @ts-expect-error -- a field may be null
  (await shingle.lookUp.roofEstimate("14 Alder Court")).roofArea.toFixed();
  // @ts-expect-error -- only what the operation takes
  await shingle.leads.update("l", { status: "won", email: "other@example.com" });
  // @ts-expect-error -- a look-up has no idempotency key
  await shingle.lookUp.roofEstimate("14 Alder Court", {}, { idempotencyKey: "k" });
  // @ts-expect-error -- a parsed body cannot be verified
  await verifyWebhook({ type: "ping" }, {}, "whsec_");
}
