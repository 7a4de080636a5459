const { complete, outputFields, sample } = require("../lead");
const { ask } = require("../server");

/** Characters of a lead's message. */
const LONGEST = 2_000;

module.exports = {
  key: "add_note",
  noun: "Note",
  display: { label: "Add Note", description: "Adds a line below the message of a lead." },
  operation: {
    inputFields: [
      { key: "leadId", label: "Lead ID", type: "string", required: true },
      { key: "note", label: "Note", type: "text", required: true, helpText: "Added as a line “Note: …”. Message and notes have room for 2,000 characters together." },
    ],
    // Below what the homeowner wrote: the API has no notes of its own.
    async perform(z, bundle) {
      const path = `/api/v1/leads/${encodeURIComponent(bundle.inputData.leadId)}`;
      const { message: before } = await ask(z, bundle, "GET", path);
      const message = [before, `Note: ${bundle.inputData.note.trim()}`].filter(Boolean).join("\n");
      const { length } = [...message];
      if (length > LONGEST) throw new z.errors.Error(`The message would have ${length} characters; a lead has room for ${LONGEST}.`, "TooLong", 400);
      return complete(await ask(z, bundle, "PATCH", path, { body: { message } }));
    },
    outputFields,
    sample,
  },
};
