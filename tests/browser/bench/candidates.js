// Who is measured: how each is installed, by its own documentation, and how one sees that it is there.

/** The markup that goes where the script tag goes. */
export function snippets({ vendorUrl, widgetScript, calSnippet }) {
  return {
    nothing: "",
    shingle: widgetScript,
    typebot: `<script type="module">
import Typebot from "${vendorUrl}/typebot/web.js";
Typebot.initBubble({ typebot: "bench", apiHost: "${vendorUrl}/typebot", theme: { button: { backgroundColor: "#8c3b24" } } });
</script>`,
    // The published snippet, which is a function of the script's address, and the floating button of the docs.
    cal: `<script>${calSnippet}</script>
<script>
snippet.default("${vendorUrl}/cal/embed.js");
Cal("init", { origin: "${vendorUrl}/cal" });
Cal("floatingButton", { calLink: "quillback/visit", buttonText: "Get my roof estimate", buttonColor: "#8c3b24" });
</script>`,
    typeform: `<div data-tf-popover="${vendorUrl}/typeform/form" data-tf-button-color="#8c3b24"></div>
<script src="${vendorUrl}/typeform/embed.js"></script>`,
  };
}

const ours = ["shingle-launcher, shingle-estimate", "a, button"];

/**
 * `launcher` and the place in `until` are selectors, one a shadow root. `until` says when the opened thing is usable:
 * its field has the `focus`, its field is to `see`, or its `frame` is to be seen and has said that it was painted.
 * Where a visitor `stays`, the launcher's runtime is there before the tap. `saver` asks for what visitors with a data saver get: nothing is fetched before intent.
 */
export const candidates = [
  { name: "nothing", page: "nothing" },
  {
    name: "shingle",
    page: "shingle",
    saver: true,
    launcher: ours,
    until: { focus: [ours[0], "dialog input[role=combobox]"] },
  },
  {
    name: "shingle-warmed",
    page: "shingle",
    stays: true,
    launcher: ours,
    until: { focus: [ours[0], "dialog input[role=combobox]"] },
  },
  {
    name: "typebot",
    page: "typebot",
    launcher: ["typebot-bubble", "button"],
    until: { see: ["typebot-bubble", "input[type=text], textarea"] },
  },
  { name: "cal", page: "cal", launcher: ["cal-floating-button", "button"], until: { frame: ["cal-modal-box iframe"] } },
  {
    name: "typeform",
    page: "typeform",
    launcher: [".tf-v1-popover-button"],
    until: { frame: [".tf-v1-popover-wrapper iframe"] },
  },
];
