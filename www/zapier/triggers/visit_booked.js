// Asked for, not posted: the server's event says that a lead was changed, not what of it, and Zapier cannot remember. Of what it asks for
// it knows by `id` what is new.

const { widgets } = require("../hook");
const { complete, outputFields, sample } = require("../lead");
const { ask } = require("../server");

/** Of a hundred leads each, the newest first. */
const MOST_PAGES = 5;

const shown = (lead) => ({ ...complete(lead), id: `${lead.id} ${lead.inspection.requestedAt}`, leadId: lead.id });

async function perform(z, bundle) {
  const only = bundle.inputData.widgets ?? [];
  const booked = [];
  let cursor;
  for (let page = 0; page < MOST_PAGES && cursor !== null; page++) {
    const params = cursor ? { limit: 100, cursor } : { limit: 100 };
    const { data, nextCursor } = await ask(z, bundle, "GET", "/api/v1/leads", { params });
    booked.push(...data.filter((lead) => lead.inspection?.state === "confirmed" && (!only.length || only.includes(lead.widgetId))));
    cursor = nextCursor;
    // For a sample one page is enough.
    if (bundle.meta?.isLoadingSample) break;
  }
  return booked.map(shown);
}

module.exports = {
  key: "visit_booked",
  noun: "Visit",
  display: {
    label: "Visit Booked",
    description: "Triggers when you confirm the visit that a homeowner asked for. Looks at the newest 500 leads.",
  },
  operation: {
    type: "polling",
    inputFields: [widgets],
    outputFields: [{ key: "id", label: "Visit ID", type: "string", primary: true }, { key: "leadId", label: "Lead ID", type: "string" }, ...outputFields.slice(1)],
    perform,
    sample: shown({ ...sample, inspection: { ...sample.inspection, state: "confirmed" } }),
  },
};
