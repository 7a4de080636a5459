const { ask } = require("./server");

module.exports = {
  type: "custom",
  fields: [
    {
      key: "server",
      label: "Server",
      type: "string",
      required: true,
      placeholder: "https://roofs.example.com",
      helpText: "Address of your Shingle server. Any page of its portal does too. Zapier must be able to reach it.",
    },
    {
      key: "apiKey",
      label: "API key",
      type: "password",
      required: true,
      helpText: "In the portal under Keys. A sandbox key answers with invented homes.",
    },
  ],
  // `usage` answers every key, also one that is limited to one look-up.
  test: (z, bundle) => ask(z, bundle, "GET", "/api/v1/usage"),
  connectionLabel: "{{bundle.authData.server}}",
};
