// What the client makes of the answers of a faulty server: node scenarios.mjs PACKAGE URL

const { ApiError, ConnectionFailedError, Shingle, ShingleError, TimedOutError } = await import(process.argv[2]);

const client = (name, options = {}) => new Shingle({ baseUrl: `${process.argv[3]}/${name}/`, key: " sandbox_key\n", ...options });
const webhook = { name: "CRM", url: "https://example.com/", events: ["lead.created"] };

const scenarios = {
  busy: (of) => of.leads.list(),
  "busy-date": (of) => of.leads.list(),
  "busy-post": (of) => of.people.erase({ email: "a@example.com" }),
  "busy-long": (of) => of.leads.list(),
  fault: (of) => of.leads.list(),
  "fault-post-keyed": (of) => of.webhooks.create(webhook),
  "own-key": (of) => of.webhooks.create(webhook, { idempotencyKey: "mine" }),
  "fault-post": (of) => of.people.erase({ email: "a@example.com" }),
  "fault-patch": (of) => of.leads.update("1", { status: "won" }),
  "fault-forever": (of) => of.leads.list({}, { maxRetries: 1 }),
  broken: (of) => of.leads.list(),
  "broken-post": (of) => of.people.erase({ email: "a@example.com" }),
  silent: (of) => of.leads.list({}, { timeout: 200, maxRetries: 0 }),
  html: (of) => of.leads.list({}, { maxRetries: 0 }),
  "not-json": (of) => of.leads.list({}, { maxRetries: 0 }),
  redirect: (of) => of.leads.list(),
  rules: (of) => of.leads.list(),
  pages: async (of) => (await Array.fromAsync(of.leads.listAll({ status: "new", limit: 2 }))).map((lead) => lead.id),
  words: async (of) => (await of.lookUp.roofEstimate('14 Ñandú "Ct" & 5%+', { include: ["match", "range"], installedPrice: 650.5 })).notes,
  "empty-object": (of) => of.widgets.replaceSettings("1", { prices: {}, priceIncludes: [] }),
  "empty-id": (of) => of.leads.erase(""),
  "dot-id": (of) => of.leads.erase(".."),
  "slash-id": (of) => of.leads.get("a/b?c"),
};
Array.fromAsync ??= async (items) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};

const outcome = async (run) => {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof ShingleError)) throw error;
    const told = { error: error.name.replace("Error", "") };
    if (error instanceof ApiError) Object.assign(told, { status: error.status, messages: error.messages, hasBody: error.body !== null, requestId: error.requestId });
    if (error instanceof TimedOutError !== (told.error === "TimedOut")) throw error;
    if (told.error === "TimedOut" && !(error instanceof ConnectionFailedError)) throw error;
    if ("retryAfter" in error) told.retryAfter = error.retryAfter;
    return told;
  }
};
const results = {};
for (const [name, run] of Object.entries(scenarios)) results[name] = await outcome(() => run(client(name)));
console.log(JSON.stringify(results));
