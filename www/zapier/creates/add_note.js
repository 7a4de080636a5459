const { ask } = require("../server");

/** Characters of a note. */
const LONGEST = 4_000;

module.exports = {
  key: "add_note",
  noun: "Note",
  display: { label: "Add Note", description: "Adds a note to the timeline of a lead. Homeowners never see it." },
  operation: {
    inputFields: [
      { key: "leadId", label: "Lead ID", type: "string", required: true },
      { key: "note", label: "Note", type: "text", required: true, helpText: "At most 4,000 characters. It shows the name of your API key as its author." },
    ],
    async perform(z, bundle) {
      const text = bundle.inputData.note.trim();
      const { length } = [...text];
      if (length > LONGEST) throw new z.errors.Error(`The note has ${length} characters; there is room for ${LONGEST}.`, "TooLong", 400);
      const path = `/api/v1/leads/${encodeURIComponent(bundle.inputData.leadId)}/notes`;
      return await ask(z, bundle, "POST", path, { body: { text } });
    },
    outputFields: [
      { key: "id", label: "Note ID", type: "string" },
      { key: "author", label: "Author", type: "string" },
      { key: "text", label: "Text", type: "string" },
      { key: "at", label: "Written at", type: "datetime" },
    ],
    sample: { id: "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", author: "Zapier", text: "Called, no answer.", at: "2026-11-22T23:04:04.000Z" },
  },
};
