//! Findings about the script tag.

use shingle_domain::check::{Finding, Level, Topic};
use shingle_domain::widget::ElementType;

use crate::html::{Container, ParsedPage};
use crate::policy::Policy;
use crate::response::ReceivedPage;
use crate::subject::{Subject, is_local};
use crate::tag::{Effect, SrcMatch, TagMatch};

/// Tools that add scripts to a page: what their own script contains, and their name.
const TAG_MANAGERS: [(&str, &str); 7] = [
    ("googletagmanager.com/gtm.js", "Google Tag Manager"),
    ("googletagmanager.com/ns.html", "Google Tag Manager"),
    ("tags.tiqcdn.com", "Tealium"),
    ("assets.adobedtm.com", "Adobe Experience Platform Tags"),
    ("cdn.matomo.cloud/", "Matomo Tag Manager"),
    ("js.hs-scripts.com", "HubSpot"),
    ("static.parastorage.com", "Wix"),
];

/// A page with fewer letters is drawn by its scripts.
const MIN_LETTERS: usize = 40;

pub fn findings(subject: &Subject, received: &ReceivedPage, page: &ParsedPage, tags: &[TagMatch<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    match tags.first() {
        Some(best) => {
            findings.push(best_tag(subject, best));
            findings.extend(scheme_finding(subject, received, best));
            findings.extend(integrity_finding(best));
            findings.extend(other_tags(tags));
        }
        None => findings.push(missing_tag(subject, received, page)),
    }
    findings.extend(opener_finding(subject, page));
    if let Some(to) = &page.refresh {
        findings.push(
            Finding::new(Topic::Page, Level::Limits, format!("The page sends visitors on to {to}"))
                .text("A meta element does that after a moment.")
                .todo("Check that page too."),
        );
    }
    if page.is_amp {
        findings.push(
            Finding::new(Topic::Page, Level::Note, "This is an AMP page")
                .text("In the caches of Google and Bing it runs no script of its own.")
                .todo("Put a plain link to the estimate on it."),
        );
    }
    findings
}

/// The tag that is closest to the expected one.
fn best_tag(subject: &Subject, best: &TagMatch<'_>) -> Finding {
    let line = best.script.line;
    let finding = |level, title: &str| {
        Finding::new(Topic::Script, level, title)
            .text(format!("Line {line} of the page’s HTML:"))
            .code(best.script.tag())
    };
    let replace = || format!("Replace it with: {tag}", tag = subject.tag());
    match best.script.container {
        Container::Comment => {
            return finding(Level::Stops, "The script tag is commented out")
                .todo("Remove the <!-- before it and the --> after it.");
        }
        Container::Noscript => {
            return finding(Level::Stops, "The script tag is inside <noscript>")
                .todo("Move it out: browsers that run scripts ignore what is in there.");
        }
        Container::Template => {
            return finding(Level::Stops, "The script tag is inside <template>")
                .todo("Move it out: browsers do not run what is in a template.");
        }
        Container::Page => {}
    }
    match best.src_match {
        SrcMatch::Exact | SrcMatch::OtherScheme => {}
        SrcMatch::OtherServer => {
            return finding(Level::Stops, "The script tag names another server").todo(replace());
        }
        SrcMatch::OtherWidget => {
            return finding(Level::Stops, "The script tag belongs to another widget").todo(format!(
                "If this page should show the widget {id}: {replace}",
                id = subject.id,
                replace = replace()
            ));
        }
        SrcMatch::Damaged => {
            return finding(Level::Stops, "The script tag’s address is damaged").todo(format!(
                "Editors that turn straight quotes into curly ones cause that. {replace}",
                replace = replace()
            ));
        }
    }
    let Some(alteration) = best.alteration else {
        return Finding::new(Topic::Script, Level::Fine, format!("The script tag is on the page (line {line})"));
    };
    let by = alteration.by;
    let (level, title) = match alteration.effect {
        Effect::Later => (Level::Note, format!("The script runs a little later: {by} delays it")),
        Effect::FirstMove => (Level::Limits, format!("The script waits for the visitor’s first move: {by} delays it")),
        Effect::Consent => (Level::Limits, format!("The script waits for the visitor’s consent: {by} blocks it")),
        Effect::Unsure => (Level::Unclear, format!("The script tag was changed by {by}")),
        Effect::Never => (Level::Stops, format!("The script tag is never run because of {by}")),
    };
    finding(level, &title).todo(alteration.fix)
}

/// A page over HTTPS loads no script over plain HTTP, unless a policy upgrades the request.
fn scheme_finding(subject: &Subject, received: &ReceivedPage, best: &TagMatch<'_>) -> Option<Finding> {
    let url = best.url.as_ref()?;
    let is_upgraded = || received.policies.iter().any(Policy::upgrades_insecure_requests);
    if best.src_match != SrcMatch::OtherScheme || best.script.container != Container::Page {
        return None;
    }
    if url.scheme() == "http" && received.url.scheme() == "https" && !is_local(url) && !is_upgraded() {
        return Some(
            Finding::new(
                Topic::Script,
                Level::Stops,
                "The script’s address begins with http://, and the page with https://",
            )
            .text("Browsers block that as mixed content.")
            .todo(format!("Replace it with: {tag}", tag = subject.tag())),
        );
    }
    Some(
        Finding::new(
            Topic::Script,
            Level::Note,
            format!("The script’s address begins with {scheme}://", scheme = url.scheme()),
        )
        .text(format!("This server calls itself {base}.", base = subject.base.as_str().trim_end_matches('/')))
        .todo(format!("Write it as: {tag}", tag = subject.tag())),
    )
}

fn integrity_finding(best: &TagMatch<'_>) -> Option<Finding> {
    (best.script.container == Container::Page && best.script.get("integrity").is_some()).then(|| {
        Finding::new(Topic::Script, Level::Limits, "The script tag has an integrity attribute")
            .text("The script changes with every setting of the widget. After the next change browsers refuse it.")
            .todo("Remove the attribute. The script itself checks what it loads.")
    })
}

/// Tags besides the best one.
fn other_tags(tags: &[TagMatch<'_>]) -> Vec<Finding> {
    let (best, rest) = match tags.split_first() {
        Some((best, rest)) if best.runs() => (best, rest),
        _ => return Vec::new(),
    };
    let mut findings = Vec::new();
    let repeats = rest.iter().filter(|f| f.runs()).count();
    if repeats > 0 {
        findings.push(
            Finding::new(
                Topic::Script,
                Level::Note,
                format!("The script tag is on the page {times} times", times = repeats + 1),
            )
            .text("It still works: only the first counts.")
            .todo(format!("Keep one, for instance that of line {line}.", line = best.script.line)),
        );
    }
    if let Some(other) =
        rest.iter().find(|f| f.script.container == Container::Page && f.src_match == SrcMatch::OtherServer)
    {
        findings.push(
            Finding::new(Topic::Script, Level::Note, "There is also a tag with another server’s address")
                .code(other.script.tag())
                .todo("Remove it if it is a leftover."),
        );
    }
    findings
}

/// There is no tag in the HTML. Says whether that settles the question.
fn missing_tag(subject: &Subject, received: &ReceivedPage, page: &ParsedPage) -> Finding {
    let id = subject.id.to_string();
    let add_tag = format!("Add this tag to the page, anywhere in its head or body: {tag}", tag = subject.tag());
    if let Some(line) = page.needle_lines.first() {
        return Finding::new(Topic::Script, Level::Stops, "The script tag is shown as text instead of being run")
            .text(format!("Line {line} of the page’s HTML. The editor took it for text."))
            .todo(format!("Use the editor’s block for HTML or code. {add_tag}"));
    }
    let live_scripts = || page.scripts.iter().filter(|script| script.container == Container::Page);
    if let Some(adding) = live_scripts().find(|script| script.text.contains(&id)) {
        return Finding::new(Topic::Script, Level::Unclear, "A script of the page adds our script")
            .text(format!(
                "Line {line} of the page’s HTML. Whether it runs cannot be received from here.",
                line = adding.line
            ))
            .todo(format!("Look at the page in a browser. Safer: {add_tag}"));
    }
    let contains = |text: &str| {
        live_scripts()
            .any(|script| script.text.contains(text) || script.attributes.iter().any(|(_, value)| value.contains(text)))
    };
    let has_gtm = || contains("gtm.start") || contains("GTM-");
    let manager = TAG_MANAGERS
        .iter()
        .find(|(text, _)| contains(text))
        .map(|(_, name)| *name)
        .or_else(|| has_gtm().then_some("Google Tag Manager"));
    if let Some(manager) = manager {
        return Finding::new(Topic::Script, Level::Unclear, "The script tag is not in the HTML")
            .text(format!("The page uses {manager}, which may add it while the page runs. That cannot be received from here."))
            .todo(format!(
                "Look at the page in a browser. In a tag manager the tag is a custom HTML tag, fired on all pages, and published. Or: {add_tag}"
            ));
    }
    if page.letters < MIN_LETTERS && !page.frames.is_empty() {
        let frame = page.frames.first().map(String::as_str).unwrap_or_default();
        return Finding::new(Topic::Script, Level::Unclear, "The page only frames another one")
            .text(format!("What visitors see is {frame}."))
            .todo("Put the tag on that page, and its domain on the widget’s list.");
    }
    if page.letters < MIN_LETTERS && live_scripts().next().is_some() {
        return Finding::new(Topic::Script, Level::Unclear, "The script tag is not in the HTML")
            .text("The page is drawn by its own scripts, which may add the tag. That cannot be received from here.")
            .todo(format!("Look at the page in a browser. {add_tag}"));
    }
    if received.truncated {
        return Finding::new(
            Topic::Script,
            Level::Unclear,
            "The script tag is not in the part of the page that we read",
        )
        .text("The page is very long. We stop reading after 2 MB.")
        .todo(format!("Look at the page in a browser. {add_tag}"));
    }
    Finding::new(Topic::Script, Level::Stops, "The script tag is not on the page")
        .todo("Add this tag to the page, anywhere in its head or body. If you have done so, empty the cache of the site and check that the change is published.")
        .code(subject.tag())
}

/// A widget without a launcher of its own needs an element of the site.
fn opener_finding(subject: &Subject, page: &ParsedPage) -> Option<Finding> {
    let calls_api =
        || page.scripts.iter().any(|script| script.container == Container::Page && script.text.contains("shingle"));
    let has_opener = page.has_opener || page.has_inline_card || calls_api();
    (subject.element == ElementType::Custom && !has_opener).then(|| {
        Finding::new(Topic::Script, Level::Unclear, "There is no element on the page that opens the estimate")
            .text("This widget has no button of its own (its type is custom).")
            .todo("Add the attribute below to a link or button of the page, or add the card.")
            .code(format!("data-shingle-open=\"{}\"", subject.id))
            // The style keeps the card's room, so nothing moves when it comes.
            .code(format!(
                "<shingle-estimate widget=\"{}\" style=\"display:block;min-height:clamp(186px,900px - 100vw,330px)\">\
                 </shingle-estimate>",
                subject.id
            ))
    })
}
