// The rules of n8n for packages of the community: those of its older plugin and of its newer one.

import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes";
import parser from "@typescript-eslint/parser";
import base from "eslint-plugin-n8n-nodes-base";
import jsonc from "jsonc-eslint-parser";

const plugins = { "n8n-nodes-base": base };
const { recommended } = n8nCommunityNodesPlugin.configs;

export default [
  { ignores: ["dist", "node_modules", "*.mjs", "package-lock.json", "tsconfig.json"] },
  {
    ...recommended,
    files: ["**/*.ts", "package.json"],
    // The project has no public address yet.
    rules: { ...recommended.rules, "@n8n/community-nodes/require-homepage": "off" },
  },
  { files: ["**/*.ts"], languageOptions: { parser } },
  { files: ["**/*.json"], languageOptions: { parser: jsonc } },
  // Where both plugins want opposite things, the newer one counts, as in n8n's own tool.
  {
    files: ["credentials/**/*.ts"],
    plugins,
    rules: { ...base.configs.credentials.rules, "n8n-nodes-base/cred-class-field-documentation-url-miscased": "off" },
  },
  {
    files: ["nodes/**/*.ts"],
    plugins,
    rules: {
      ...base.configs.nodes.rules,
      "n8n-nodes-base/node-class-description-inputs-wrong-regular-node": "off",
      "n8n-nodes-base/node-class-description-outputs-wrong": "off",
    },
  },
  {
    files: ["package.json"],
    plugins,
    rules: {
      ...base.configs.community.rules,
      // The project has no public address yet.
      "n8n-nodes-base/community-package-json-repository-url-still-default": "off",
    },
  },
];
