// The last lines of the runtime's script, behind wasm-bindgen's: starts the module, and says how a flow is entered.
// `RULES`, the text of the stylesheet, comes from the build.
const rules = new CSSStyleSheet();
rules.replaceSync(RULES);
let broken;

// What the first page of a visit was opened with, as leads tell it.
const source = (touch) => {
  const told = {};
  try {
    const [referrer, query] = JSON.parse(touch);
    told.referrer = referrer;
    for (const [key, value] of new URLSearchParams(query)) {
      if (/^utm_(source|medium|campaign|term|content)$/.test(key))
        told[key.replace(/_./, (x) => x[1].toUpperCase())] = value;
      if (/(clid|clkid|braid)$/.test(key)) told.clickId = key + "=" + value;
    }
  } catch {}
  return told;
};

/** Once a page. `root`: where the dialog will be. `answer`: the module. `kit`: the widget and the words. */
export default async (root, answer, kit) => {
  // A module that has trapped cannot be used again.
  if (broken) throw broken;
  await __wbg_init({ module_or_path: answer });
  root?.adoptedStyleSheets.push(rules);
  // What an earlier visit could not send.
  deliver(kit.widget);
  return (host, dialog, { touch, ...context }, emit, hide, stand) => {
    const all = { ...source(touch), ...context, words: kit.words, mode: dialog ? "overlay" : "page" };
    return mount(host, dialog, kit.widget, all, (what, more) => {
      if (what == "close") hide();
      else if (more.fatal) stand((broken = what));
      // The loader has told these.
      else if (!dialog || (what != "open" && what != "view")) emit(what, more);
    });
  };
};
