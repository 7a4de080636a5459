// What n8n gives its nodes when it runs them, as far as ours ask for it, so that they run without it. Requests are real.

import { createRequire } from "node:module";
import path from "node:path";

export function loadNodes(folder) {
  const load = createRequire(path.join(folder, "package.json"));
  const file = (name) => load(`./dist/nodes/Shingle/${name}.js`);
  const { Shingle } = file("Shingle.node");
  const { ShingleTrigger } = file("ShingleTrigger.node");
  const { ShingleApi } = load("./dist/credentials/ShingleApi.credentials.js");

  /** As n8n sends a request with these credentials, by what the node asks for. */
  const send = async (key, asked) => {
    const { headers } = new ShingleApi().authenticate.properties;
    const [[header, expression]] = Object.entries(headers);
    if (expression !== "={{$credentials.apiKey.trim()}}") throw new Error(`this cannot read ${expression}`);
    const url = new URL(asked.url);
    for (const [name, value] of Object.entries(asked.qs ?? {})) url.searchParams.set(name, value);
    const answer = await fetch(url, {
      method: asked.method,
      redirect: asked.disableFollowRedirect ? "manual" : "follow",
      headers: { [header]: key.trim(), ...(asked.body && { "content-type": "application/json" }) },
      body: asked.body && JSON.stringify(asked.body),
    });
    const text = await answer.text();
    return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: text ? JSON.parse(text) : undefined };
  };

  const context = ({ url, key }, node) => ({
    getNode: () => ({ name: node, type: node, typeVersion: 1, id: "1", position: [0, 0], parameters: {} }),
    getCredentials: async () => ({ server: url, apiKey: key }),
    helpers: {
      httpRequestWithAuthentication(_, asked) {
        return send(key, asked);
      },
      returnJsonArray: (list) => list.map((json) => ({ json })),
    },
  });

  /** The action for these items, each with its parameters. `page`: the length of a page, in place of the server's longest. */
  async function action({ shingle, items, goesOn = false, page }) {
    const at = context(shingle, "shingle");
    if (page) {
      const { httpRequestWithAuthentication } = at.helpers;
      at.helpers.httpRequestWithAuthentication = (name, asked) =>
        httpRequestWithAuthentication(name, { ...asked, qs: asked.qs?.limit ? { ...asked.qs, limit: Math.min(page, asked.qs.limit) } : asked.qs });
    }
    const [out] = await new Shingle().execute.call({
      ...at,
      getInputData: () => items.map((json) => ({ json })),
      getNodeParameter: (name, item, otherwise) => items[item][name] ?? otherwise,
      continueOnFail: () => goesOn,
    });
    return out;
  }

  /** The trigger of a workflow whose address is `url`. */
  function trigger({ shingle, url, parameters, kept = {} }) {
    const node = new ShingleTrigger();
    const log = [];
    const note = (text) => log.push(text);
    const at = {
      ...context(shingle, "shingleTrigger"),
      getNodeWebhookUrl: () => url,
      getWorkflowStaticData: () => kept,
      getNodeParameter: (name, otherwise) => parameters[name] ?? otherwise,
      getWorkflow: () => ({ id: "1", name: "A workflow", active: true }),
      logger: { error: note, warn: note, info: note, debug: note },
    };
    const { checkExists, create, delete: remove } = node.webhookMethods.default;
    return {
      kept,
      log,
      checkExists: () => checkExists.call(at),
      create: () => create.call(at),
      delete: () => remove.call(at),
      /** The items that a request starts the workflow with; `answered` has the status. */
      async webhook({ headers, body, event }, now = Date.now()) {
        this.answered = 200;
        const response = { status: (status) => ((this.answered = status), { json: () => {} }) };
        const realNow = Date.now;
        Date.now = () => now;
        try {
          const { workflowData } = await node.webhook.call({
            ...at,
            getHeaderData: () => headers,
            getRequestObject: () => ({ rawBody: Buffer.from(body) }),
            getResponseObject: () => response,
            getBodyData: () => event,
          });
          return (workflowData?.[0] ?? []).map(({ json }) => json);
        } finally {
          Date.now = realNow;
        }
      },
    };
  }

  return { folder, action, trigger, originOf: file("request").originOf };
}
