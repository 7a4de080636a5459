// The plugin in a real WordPress: uploaded, connected through the portal, put into a page, and used by a homeowner.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { noWordPress, packed, slug, WordPress } from "./harness/wordpress.js";

const source = path.join(root, "www/wordpress");
const files = async (end) =>
  (await readdir(source, { recursive: true })).filter((name) => name.endsWith(end)).map((name) => path.join(source, name));

const skip = noWordPress && `skipped: ${noWordPress}`;
const { shingle, browser } = skip ? {} : await setUp();
const wp = skip || (await WordPress.start({ unpacked: false }));
if (!skip) after(() => wp.stop());
let admin;
let owner;
let page;
const settings = `${wp.url}/wp-admin/options-general.php?page=${slug}`;
const signedIn = async (kept) => newVisitor(browser, { viewport: { width: 1280, height: 900 }, storageState: kept });
const scripts = (html) => html.match(/<script[^>]*\/w\/[^>]*>/g) ?? [];
const fetched = async (where) => (await fetch(wp.url + where)).text();

test("the WordPress plugin, every file of PHP is one", { skip }, async () => {
  const all = await files(".php");
  assert.ok(all.length > 10);
  for (const file of all) await promisify(execFile)("php", ["-l", file]);
});

test("the WordPress plugin, every sentence is in the Spanish file, whose two other forms have the same", { skip }, async () => {
  const texts = (await Promise.all([...(await files(".php")), ...(await files("block.js"))].map((file) => readFile(file, "utf8")))).join("");
  const said = /(?:_{2}|esc_html__|esc_html_e|esc_attr__)\(\s*(['"])((?:(?!\1).)+)\1,\s*['"]shingle-roof-estimates/g;
  const sentences = new Set([...texts.matchAll(said)].map((found) => found[2]));
  assert.ok(sentences.size > 60, `${sentences.size}`);
  const spanish = path.join(source, "languages/shingle-roof-estimates-es_ES");
  const written = await readFile(`${spanish}.po`, "utf8");
  const pairs = new Map([...written.matchAll(/^msgid (".+")\nmsgstr (".+")$/gm)].map((found) => found.slice(1).map(JSON.parse)));
  assert.deepEqual([...sentences].filter((sentence) => !pairs.has(sentence)), []);
  const compiled = await readFile(`${spanish}.mo`, "utf8");
  for (const [english, translated] of pairs) assert.ok(compiled.includes(`${english}\0`) && compiled.includes(`${translated}\0`), english);
  const ofScript = JSON.parse(await readFile(`${spanish}-shingle-roof-estimates-editor.json`, "utf8")).locale_data.messages;
  for (const [english, [translated]] of Object.entries(ofScript).filter(([name]) => name)) assert.equal(translated, pairs.get(english));
});

test("in WordPress, the plugin is uploaded, and the site is connected through the portal without a key", { skip }, async () => {
  const visitor = await signedIn();
  const { page } = visitor;
  // The portal: a company with a button and a widget that has a card.
  await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
  await page.getByLabel("Your name").fill("Maya Lindqvist");
  await page.getByLabel("Email").fill("maya@harborpine.example");
  await page.getByLabel("Company").fill("Harbor & Pine Roofing");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
  await page.goto(`${shingle.url}/portal/keys`);
  await page.getByLabel("Name", { exact: true }).fill("Website");
  await page.getByRole("button", { name: "Create a key" }).click();
  shingle.keys.production = (await page.locator("#key").textContent()).trim();
  await shingle.widget({ domains: "quillback.example", firstPageTitle: "A button for every page" });
  await shingle.widget({ domains: "quillback.example", firstPageTitle: "A card", elementType: "custom", elementLocation: undefined });

  await wp.signIn(page);
  await page.goto(`${wp.url}/wp-admin/plugin-install.php?tab=upload`);
  await page.locator("#pluginzip").setInputFiles(packed);
  await page.locator("#install-plugin-submit").click();
  await page.getByRole("link", { name: "Activate Plugin" }).click();
  await page.goto(settings);
  await page.getByLabel("Address of your portal").fill("roof");
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("This isn’t the address of a Shingle server").waitFor();
  await page.getByLabel("Address of your portal").fill(`${shingle.url}/portal/leads`);
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("127.0.0.1 would like to show your widgets.").waitFor();
  await visitor.picture("wordpress-asks");
  await page.getByLabel("Allow them to run on 127.0.0.1").waitFor();
  await page.getByRole("button", { name: "Connect 127.0.0.1" }).click();
  await page.getByText("Connected. Choose below").waitFor();
  assert.match(await page.locator(".ul-disc").innerText(), /A button for every page \(button\)\s+A card \(card and your own elements\)/);
  await visitor.picture("wordpress-connected");
  // What came back is good once.
  const stored = await wp.php("return get_option( 'shingle_roof_estimates_connection' );");
  assert.equal(stored.company, "Harbor & Pine Roofing");
  assert.equal(await wp.php("return get_user_meta( 1, 'shingle_roof_estimates_connecting', true );"), "");
  admin = await page.context().storageState();
  owner = stored.widgets;
  await visitor.leave();
});

test("in WordPress, a button is on every page but those in the list, with a tag that optimizers leave alone", { skip }, async () => {
  const visitor = await signedIn(admin);
  await wp.page("Careers", "Work with us.");
  await visitor.page.goto(settings);
  await visitor.page.getByLabel("Button or banner on every page").selectOption({ label: "A button for every page (button)" });
  await visitor.page.getByLabel("Pages without it").fill("/careers");
  await visitor.page.getByRole("button", { name: "Save Changes" }).click();
  await visitor.page.getByText("Settings saved.").waitFor();
  await visitor.page.frameLocator("iframe.shingle-preview").locator("shingle-launcher").waitFor({ state: "attached" });
  await visitor.picture("wordpress-settings");
  const [tag] = scripts(await fetched("/"));
  for (const mark of ["async", "data-cfasync=\"false\"", "data-no-optimize=\"1\"", "data-no-defer=\"1\"", "data-noptimize=\"1\"", "nowprocket"]) {
    assert.ok(tag.includes(mark), `${mark} in ${tag}`);
  }
  assert.deepEqual([scripts(await fetched("/careers/")).length, scripts(await fetched("/feed/")).length], [0, 0]);
  await visitor.leave();
});

test("in WordPress, a block in the editor becomes a card, by which a lead arrives", { skip }, async () => {
  const visitor = await signedIn(admin);
  const editor = visitor.page;
  await editor.goto(`${wp.url}/wp-admin/post-new.php?post_type=page`);
  await editor.waitForFunction((name) => window.wp?.blocks?.getBlockType(name) && window.wp.data.select("core/editor").getCurrentPostId(), `${slug}/estimate`);
  await editor.evaluate(() => window.wp.data.select("core/edit-post").isFeatureActive("welcomeGuide") && window.wp.data.dispatch("core/edit-post").toggleFeature("welcomeGuide"));
  const inside = (await editor.locator('iframe[name="editor-canvas"]').count()) ? editor.frameLocator('iframe[name="editor-canvas"]') : editor;
  await inside.getByRole("textbox", { name: "Add title" }).fill("What a roof costs");
  await editor.getByRole("button", { name: "Toggle block inserter" }).click();
  await editor.getByPlaceholder("Search").fill("roof");
  await editor.getByRole("option", { name: "Roof estimate" }).click();
  await inside.getByText("Visitors see the card with your colors and words.").waitFor();
  await visitor.picture("wordpress-editor");
  page = await editor.evaluate(async () => {
    await window.wp.data.dispatch("core/editor").editPost({ status: "publish" });
    await window.wp.data.dispatch("core/editor").savePost();
    return window.wp.data.select("core/editor").getPermalink();
  });
  await visitor.leave();

  const homeowner = await newVisitor(browser, "phone");
  await homeowner.page.goto(page);
  const card = homeowner.page.getByRole("form", { name: "A card" });
  await card.scrollIntoViewIfNeeded();
  await homeowner.picture("wordpress-page");
  await card.getByRole("textbox", { name: "Your home address" }).fill("14 Alder Co");
  await card.getByRole("button", { name: "Measure my roof" }).click();
  // The widget is live, and no home was imported: the homeowner asks for a visit.
  const flow = new Flow(homeowner.page);
  await flow.suggestion(/address in parts/i).click();
  await flow.fillParts({ number: "14", street: "Alder Court", city: "Harrow Falls", state: "ME", zip: "04995" });
  await homeowner.page.getByRole("button", { name: "Measure this roof" }).click();
  await flow.heading(/couldn’t find that exact address/i).waitFor();
  await homeowner.page.locator(".sh-actions .sh-btn:not(.primary)").click();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email: "dana.whitfield@example.com", phone: "2075550163", consent: true });
  await homeowner.page.locator(".sh-actions .primary").click();
  await flow.heading(/Thank you, Dana/).waitFor();
  await homeowner.picture("wordpress-thanks");
  assert.deepEqual([...homeowner.origins].sort(), [wp.url, shingle.url].sort(), "nobody else is asked for anything");
  assert.deepEqual(homeowner.problems, []);
  await homeowner.leave();
  const office = await signedIn(admin);
  await office.page.goto(`${shingle.url}/portal/leads`);
  await office.page.getByText("Dana Whitfield").first().waitFor();
  await office.leave();
});

test("in WordPress, an editor uses the block and cannot connect; a stranger's form changes nothing", { skip }, async () => {
  await wp.php("return wp_insert_user( array( 'user_login' => 'eddy', 'user_pass' => 'ridge-and-valley-7', 'user_email' => 'eddy@quillback.example', 'role' => 'editor' ) );");
  const eddy = await newVisitor(browser, "desktop");
  await wp.signIn(eddy.page, { name: "eddy", password: "ridge-and-valley-7" });
  assert.equal((await eddy.page.goto(settings)).status(), 403);
  const send = (of, action) => of.page.request.post(`${wp.url}/wp-admin/admin-post.php`, { form: { action: `shingle_roof_estimates_${action}`, address: "https://evil.example" } });
  for (const action of ["connect", "return", "disconnect"]) assert.equal((await send(eddy, action)).status(), 403, action);
  const maya = await signedIn(admin);
  for (const action of ["connect", "disconnect"]) assert.equal((await send(maya, action)).status(), 403, `${action} without a nonce`);
  await maya.page.goto(`${wp.url}/wp-admin/admin-post.php?action=shingle_roof_estimates_return&code=x&state=y`);
  await maya.page.getByText("doesn’t match a connection that you started here").waitFor();
  assert.deepEqual((await wp.php("return get_option( 'shingle_roof_estimates_connection' );")).widgets, owner);
  await maya.leave();
  await eddy.leave();
});

test("in WordPress, deleting the plugin leaves nothing behind", { skip }, async () => {
  await wp.php(`require_once ABSPATH . 'wp-admin/includes/file.php'; update_post_meta( 2, '_shingle_roof_estimates_hidden', '1' );
    deactivate_plugins( '${slug}/${slug}.php' ); return delete_plugins( array( '${slug}/${slug}.php' ) );`);
  const left = await wp.php(`return array( $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%shingle%'" ),
    $wpdb->get_col( "SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%shingle%'" ), $wpdb->get_col( "SELECT meta_key FROM $wpdb->usermeta WHERE meta_key LIKE '%shingle%'" ) );`);
  assert.deepEqual(left, [[], [], []]);
  assert.equal((await fetch(page)).status, 200);
  assert.deepEqual(await wp.complaints(), [], "PHP complained about nothing of the plugin");
});
