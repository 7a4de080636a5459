//! What is to be said of the script tag.

use shingle_domain::check::{Finding, Level, Topic};
use shingle_domain::widget::ElementType;

use super::answer::Seen;
use super::page::{Page, Within};
use super::tag::{Address, Effect, Found};
use super::{Subject, is_local};

/// Tools that add scripts to a page: what their own script holds, and their name.
const MANAGERS: [(&str, &str); 7] = [
    ("googletagmanager.com/gtm.js", "Google Tag Manager"),
    ("googletagmanager.com/ns.html", "Google Tag Manager"),
    ("tags.tiqcdn.com", "Tealium"),
    ("assets.adobedtm.com", "Adobe Experience Platform Tags"),
    ("cdn.matomo.cloud/", "Matomo Tag Manager"),
    ("js.hs-scripts.com", "HubSpot"),
    ("static.parastorage.com", "Wix"),
];

/// Fewer letters than this and a page is drawn by its scripts.
const EMPTY: usize = 40;

pub fn findings(subject: &Subject, seen: &Seen, page: &Page, tags: &[Found<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    match tags.first() {
        Some(best) => {
            findings.push(standing(subject, best));
            findings.extend(scheme(subject, seen, best));
            findings.extend(particulars(best));
            findings.extend(others(tags));
        }
        None => findings.push(missing(subject, seen, page)),
    }
    findings.extend(opener(subject, page));
    if let Some(to) = &page.refresh {
        findings.push(
            Finding::new(Topic::Page, Level::Limits, format!("The page sends visitors on to {to}"))
                .text("A meta element does that after a moment.")
                .todo("Check that page, too."),
        );
    }
    if page.amp {
        findings.push(
            Finding::new(Topic::Page, Level::Note, "This is an AMP page")
                .text("Where it is shown from a cache of Google or Bing, no script of its own runs.")
                .todo("Put a plain link to the estimate on it."),
        );
    }
    findings
}

/// The tag that comes closest to what should stand there.
fn standing(subject: &Subject, best: &Found<'_>) -> Finding {
    let line = best.script.line;
    let found = |level, title: &str| {
        Finding::new(Topic::Script, level, title)
            .text(format!("Line {line} of the page’s HTML:"))
            .code(best.script.tag())
    };
    let anew = || format!("Replace it by: {}", subject.tag());
    match best.script.within {
        Within::Comment => {
            return found(Level::Stops, "The script tag is commented out")
                .todo("Take away the <!-- before it and the --> behind it.");
        }
        Within::Noscript => {
            return found(Level::Stops, "The script tag stands inside <noscript>")
                .todo("Move it out: what stands there is for browsers without scripts.");
        }
        Within::Template => {
            return found(Level::Stops, "The script tag stands inside <template>")
                .todo("Move it out: browsers do not run what stands in a template.");
        }
        Within::Page => {}
    }
    match best.address {
        Address::Ours | Address::OtherScheme => {}
        Address::OtherServer => {
            return found(Level::Stops, "The script tag names another server").todo(anew());
        }
        Address::OtherWidget => {
            return found(Level::Stops, "The script tag is that of another widget").todo(format!(
                "If this page is to show the widget {}: {}",
                subject.id,
                anew()
            ));
        }
        Address::Damaged => {
            return found(Level::Stops, "The script tag’s address is damaged")
                .todo(format!("Editors that turn straight quotes into curly ones do that. {}", anew()));
        }
    }
    let Some(change) = best.change else {
        return Finding::new(Topic::Script, Level::Fine, format!("The script tag is on the page (line {line})"));
    };
    let (level, title) = match change.effect {
        Effect::Later => (Level::Note, format!("The script runs a little later: {} holds it back", change.by)),
        Effect::FirstMove => {
            (Level::Limits, format!("The script waits for the visitor’s first move: {} holds it back", change.by))
        }
        Effect::Consent => {
            (Level::Limits, format!("The script waits for the visitor’s consent: {} blocks it", change.by))
        }
        Effect::Unsure => (Level::Unclear, format!("The script tag was changed by {}", change.by)),
        Effect::Never => (Level::Stops, format!("The script tag is never run because of {}", change.by)),
    };
    found(level, &title).todo(change.mend)
}

/// A page over HTTPS loads no script over plain HTTP.
fn scheme(subject: &Subject, seen: &Seen, best: &Found<'_>) -> Option<Finding> {
    let url = best.url.as_ref()?;
    let upgraded = || seen.policies.iter().any(super::policy::Policy::upgrades);
    if best.address != Address::OtherScheme || best.script.within != Within::Page {
        return None;
    }
    if url.scheme() == "http" && seen.url.scheme() == "https" && !is_local(url) && !upgraded() {
        return Some(
            Finding::new(
                Topic::Script,
                Level::Stops,
                "The script’s address begins with http://, and the page with https://",
            )
            .text("Browsers block that as mixed content.")
            .todo(format!("Replace it by: {}", subject.tag())),
        );
    }
    Some(
        Finding::new(Topic::Script, Level::Note, format!("The script’s address begins with {}://", url.scheme()))
            .text(format!("This server calls itself {}.", subject.base.as_str().trim_end_matches('/')))
            .todo(format!("Write it as: {}", subject.tag())),
    )
}

fn particulars(best: &Found<'_>) -> Option<Finding> {
    (best.script.within == Within::Page && best.script.get("integrity").is_some()).then(|| {
        Finding::new(Topic::Script, Level::Limits, "The script tag has an integrity attribute")
            .text("The script changes with every setting of the widget; after the next change browsers refuse it.")
            .todo("Take the attribute out. The script itself checks what it loads.")
    })
}

/// Tags beside the best one.
fn others(tags: &[Found<'_>]) -> Vec<Finding> {
    let (best, rest) = match tags.split_first() {
        Some((best, rest)) if best.runs() => (best, rest),
        _ => return Vec::new(),
    };
    let mut findings = Vec::new();
    let again = rest.iter().filter(|f| f.runs()).count();
    if again > 0 {
        findings.push(
            Finding::new(Topic::Script, Level::Note, format!("The script tag stands on the page {} times", again + 1))
                .text("It works all the same: only the first counts.")
                .todo(format!("Keep one, for instance that of line {}.", best.script.line)),
        );
    }
    if let Some(other) = rest.iter().find(|f| f.script.within == Within::Page && f.address == Address::OtherServer) {
        findings.push(
            Finding::new(Topic::Script, Level::Note, "There is also a tag with another server’s address")
                .code(other.script.tag())
                .todo("Remove it if it is a leftover."),
        );
    }
    findings
}

/// Nothing of ours in the HTML: is that an answer?
fn missing(subject: &Subject, seen: &Seen, page: &Page) -> Finding {
    let id = subject.id.to_string();
    let put = format!("Put this tag into the page, anywhere in its head or body: {}", subject.tag());
    if let Some(line) = page.shown.first() {
        return Finding::new(Topic::Script, Level::Stops, "The script tag is shown as text instead of being run")
            .text(format!("Line {line} of the page’s HTML. The editor took it for words."))
            .todo(format!("Use the editor’s block for HTML or code. {put}"));
    }
    let live = || page.scripts.iter().filter(|script| script.within == Within::Page);
    if let Some(adder) = live().find(|script| script.text.contains(&id)) {
        return Finding::new(Topic::Script, Level::Unclear, "A script of the page adds our script")
            .text(format!("Line {} of the page’s HTML. Whether it runs cannot be seen from here.", adder.line))
            .todo(format!("Look at the page in a browser. Safer: {put}"));
    }
    let holds = |mark: &str| {
        live()
            .any(|script| script.text.contains(mark) || script.attributes.iter().any(|(_, value)| value.contains(mark)))
    };
    let gtm = || holds("gtm.start") || holds("GTM-");
    let manager = MANAGERS
        .iter()
        .find(|(mark, _)| holds(mark))
        .map(|(_, name)| *name)
        .or_else(|| gtm().then_some("Google Tag Manager"));
    if let Some(manager) = manager {
        return Finding::new(Topic::Script, Level::Unclear, "The script tag is not in the HTML")
            .text(format!("The page uses {manager}, which may add it while the page runs. That cannot be seen from here."))
            .todo(format!(
                "Look at the page in a browser. In a tag manager the tag is one of custom HTML, fired on all pages, and published. Or: {put}"
            ));
    }
    if page.letters < EMPTY && !page.frames.is_empty() {
        let frame = page.frames.first().map(String::as_str).unwrap_or_default();
        return Finding::new(Topic::Script, Level::Unclear, "The page only frames another one")
            .text(format!("What visitors see is {frame}."))
            .todo("Put the tag on that page, and its domain on the widget’s list.");
    }
    if page.letters < EMPTY && live().next().is_some() {
        return Finding::new(Topic::Script, Level::Unclear, "The script tag is not in the HTML")
            .text("The page is drawn by its own scripts, which may add the tag. That cannot be seen from here.")
            .todo(format!("Look at the page in a browser. {put}"));
    }
    if seen.cut {
        return Finding::new(
            Topic::Script,
            Level::Unclear,
            "The script tag is not in the part of the page that we read",
        )
        .text("The page is very long; we stop after 2 MB.")
        .todo(format!("Look at the page in a browser. {put}"));
    }
    Finding::new(Topic::Script, Level::Stops, "The script tag is not on the page")
        .todo("Put this tag into the page, anywhere in its head or body. If you have done so: empty the cache of the site, and check that the change is published.")
        .code(subject.tag())
}

/// A widget without an element of its own needs one of the site's.
fn opener(subject: &Subject, page: &Page) -> Option<Finding> {
    let calls = || page.scripts.iter().any(|script| script.within == Within::Page && script.text.contains("shingle"));
    let has = page.opener || page.inline || calls();
    (subject.element == ElementType::Custom && !has).then(|| {
        Finding::new(Topic::Script, Level::Unclear, "There is no element on the page that opens the estimate")
            .text("This widget has no button of its own (its type is custom).")
            .todo("Give one of the page’s links or buttons the attribute below, or place the card.")
            .code(format!("data-shingle-open=\"{}\"", subject.id))
            .code(format!("<shingle-estimate widget=\"{}\"></shingle-estimate>", subject.id))
    })
}
