const { complete, outputFields, sample } = require("../lead");
const { ask } = require("../server");

const STATUSES = { new: "New", contacted: "Contacted", qualified: "Qualified", won: "Won", lost: "Lost", spam: "Spam" };
const VISIT = { confirmed: "Confirmed", declined: "Declined", asked: "Requested" };

module.exports = {
  key: "update_lead",
  noun: "Lead",
  display: { label: "Update Lead", description: "Changes the status, the message or the visit of a lead." },
  operation: {
    inputFields: [
      { key: "leadId", label: "Lead ID", type: "string", required: true },
      { key: "status", label: "Status", choices: STATUSES, required: false },
      { key: "message", label: "Message", type: "text", required: false, helpText: "Replaces what the homeowner wrote. Blank changes nothing." },
      { key: "clearMessage", label: "Clear message", type: "boolean", required: false },
      { key: "visit", label: "Visit", choices: VISIT, required: false, helpText: "Answer to the visit that the homeowner asked for." },
    ],
    async perform(z, bundle) {
      const { leadId, status, message, clearMessage, visit } = bundle.inputData;
      // A blank field changes nothing.
      const body = {};
      if (status) body.status = status;
      if (message) body.message = message;
      if (clearMessage) body.message = "";
      if (visit) body.inspection = { state: visit };
      if (!Object.keys(body).length) throw new z.errors.Error("There is nothing to change: fill in a field.", "Empty", 400);
      return complete(await ask(z, bundle, "PATCH", `/api/v1/leads/${encodeURIComponent(leadId)}`, { body }));
    },
    outputFields,
    sample,
  },
};
