const { complete, outputFields, sample } = require("../lead");
const { ask } = require("../server");

module.exports = {
  key: "find_lead",
  noun: "Lead",
  display: { label: "Find Lead", description: "Finds the newest leads by name, street, email or phone number." },
  operation: {
    inputFields: [{ key: "search", label: "Words", type: "string", required: true, helpText: "All of them have to fit." }],
    async perform(z, bundle) {
      const { data } = await ask(z, bundle, "GET", "/api/v1/leads", { params: { search: bundle.inputData.search, limit: 20 } });
      return data.map(complete);
    },
    outputFields,
    sample,
  },
};
