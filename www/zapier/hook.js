// What the triggers that the server starts have in common: a webhook, made and removed by API.

const { complete, outputFields, sample } = require("./lead");
const { ask } = require("./server");
const { isSigned } = require("./signature");

const widgets = {
  key: "widgets",
  label: "Widget IDs",
  type: "string",
  list: true,
  required: false,
  helpText: "Only leads of these widgets. Leave blank for all.",
};

async function remove(z, bundle, id) {
  const response = await ask(z, bundle, "GET", `/api/v1/webhooks/${id}`).catch((error) => error);
  // It is gone, as wanted.
  if (response instanceof Error && JSON.parse(response.message).status === 404) return {};
  return ask(z, bundle, "DELETE", `/api/v1/webhooks/${id}`);
}

/** `events`: those of the server; `wanted`: which of them start the Zap; `sampleOf`: which leads are samples. */
function hookTrigger({ key, noun, label, description, events, wanted, sampleOf = () => true }) {
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: "hook",
      inputFields: [widgets],
      outputFields,
      sample,

      async performSubscribe(z, bundle) {
        const { targetUrl: url, inputData } = bundle;
        // One that an earlier try has left would start the Zap twice.
        const listed = await ask(z, bundle, "GET", "/api/v1/webhooks");
        for (const { id } of listed.filter((one) => one.url === url)) await remove(z, bundle, id);
        const body = { name: `Zapier: ${label}`, url, events };
        if (inputData.widgets?.length) body.widgets = inputData.widgets;
        return ask(z, bundle, "POST", "/api/v1/webhooks", { body });
      },

      performUnsubscribe: (z, bundle) => remove(z, bundle, bundle.subscribeData.id),

      perform(z, bundle) {
        const { secret } = bundle.subscribeData ?? {};
        if (secret && !isSigned(bundle.rawRequest ?? {}, secret)) throw new z.errors.Error("The request is not from your Shingle server.", "Forged", 401);
        const event = bundle.cleanedRequest;
        return events.includes(event.type) && wanted(event) ? [complete(event.data)] : [];
      },

      async performList(z, bundle) {
        const { data } = await ask(z, bundle, "GET", "/api/v1/leads", { params: { limit: 20 } });
        const only = bundle.inputData.widgets ?? [];
        const fitting = data.filter((lead) => (!only.length || only.includes(lead.widgetId)) && sampleOf(lead));
        return fitting.slice(0, 3).map(complete);
      },
    },
  };
}

module.exports = { hookTrigger, widgets };
