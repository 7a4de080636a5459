//! Findings about the script tag.

use shingle_domain::check::{Finding, Level, Topic};
use shingle_domain::widget::ElementType;

use crate::html::{Container, ParsedPage};
use crate::messages::SiteMessage;
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
            Finding::new(Topic::Page, Level::Limits, SiteMessage::SendsOn { to: to.clone() })
                .text(SiteMessage::Refresh)
                .todo(SiteMessage::CheckThatToo),
        );
    }
    if page.is_amp {
        findings.push(
            Finding::new(Topic::Page, Level::Note, SiteMessage::Amp)
                .text(SiteMessage::AmpText)
                .todo(SiteMessage::PlainLink),
        );
    }
    findings
}

/// The tag that is closest to the expected one.
fn best_tag(subject: &Subject, best: &TagMatch<'_>) -> Finding {
    let line = best.script.line;
    let finding = |level, title: SiteMessage| {
        Finding::new(Topic::Script, level, title).text_before_code(SiteMessage::Line { line }).code(best.script.tag())
    };
    let tag = || subject.tag();
    match best.script.container {
        Container::Comment => {
            return finding(Level::Stops, SiteMessage::InComment).todo(SiteMessage::RemoveComment);
        }
        Container::Noscript => {
            return finding(Level::Stops, SiteMessage::InNoscript).todo(SiteMessage::LeaveNoscript);
        }
        Container::Template => {
            return finding(Level::Stops, SiteMessage::InTemplate).todo(SiteMessage::LeaveTemplate);
        }
        Container::Page => {}
    }
    match best.src_match {
        SrcMatch::Exact | SrcMatch::OtherScheme => {}
        SrcMatch::OtherServer => {
            return finding(Level::Stops, SiteMessage::OtherServer).todo(SiteMessage::Replace { tag: tag() });
        }
        SrcMatch::OtherWidget => {
            return finding(Level::Stops, SiteMessage::OtherWidget)
                .todo(SiteMessage::ReplaceWidget { id: subject.id.to_string(), tag: tag() });
        }
        SrcMatch::Damaged => {
            return finding(Level::Stops, SiteMessage::Damaged).todo(SiteMessage::ReplaceDamaged { tag: tag() });
        }
    }
    let Some(alteration) = best.alteration else {
        return Finding::new(Topic::Script, Level::Fine, SiteMessage::Found { line });
    };
    let by = alteration.by;
    let (level, title) = match alteration.effect {
        Effect::Later => (Level::Note, SiteMessage::Later { by }),
        Effect::FirstMove => (Level::Limits, SiteMessage::FirstMove { by }),
        Effect::Consent => (Level::Limits, SiteMessage::Consent { by }),
        Effect::Unsure => (Level::Unclear, SiteMessage::Changed { by }),
        Effect::Never => (Level::Stops, SiteMessage::NeverRun { by }),
    };
    finding(level, title).todo(alteration.fix)
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
            Finding::new(Topic::Script, Level::Stops, SiteMessage::MixedContent)
                .text(SiteMessage::MixedContentText)
                .todo(SiteMessage::Replace { tag: subject.tag() }),
        );
    }
    Some(
        Finding::new(Topic::Script, Level::Note, SiteMessage::OtherScheme { scheme: url.scheme().to_owned() })
            .text(SiteMessage::ServerName { base: subject.base.as_str().trim_end_matches('/').to_owned() })
            .todo(SiteMessage::WriteAs { tag: subject.tag() }),
    )
}

fn integrity_finding(best: &TagMatch<'_>) -> Option<Finding> {
    (best.script.container == Container::Page && best.script.get("integrity").is_some()).then(|| {
        Finding::new(Topic::Script, Level::Limits, SiteMessage::Integrity)
            .text(SiteMessage::IntegrityText)
            .todo(SiteMessage::RemoveIntegrity)
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
            Finding::new(Topic::Script, Level::Note, SiteMessage::Repeated { times: repeats + 1 })
                .text(SiteMessage::RepeatedText)
                .todo(SiteMessage::KeepOne { line: best.script.line }),
        );
    }
    if let Some(other) =
        rest.iter().find(|f| f.script.container == Container::Page && f.src_match == SrcMatch::OtherServer)
    {
        findings.push(
            Finding::new(Topic::Script, Level::Note, SiteMessage::AlsoOther)
                .code(other.script.tag())
                .todo(SiteMessage::Leftover),
        );
    }
    findings
}

/// There is no tag in the HTML. Says whether that settles the question.
fn missing_tag(subject: &Subject, received: &ReceivedPage, page: &ParsedPage) -> Finding {
    let id = subject.id.to_string();
    let tag = || subject.tag();
    if let Some(line) = page.needle_lines.first() {
        return Finding::new(Topic::Script, Level::Stops, SiteMessage::ShownAsText)
            .text(SiteMessage::TakenForText { line: *line })
            .todo(SiteMessage::UseHtmlBlock { tag: tag() });
    }
    let live_scripts = || page.scripts.iter().filter(|script| script.container == Container::Page);
    if let Some(adding) = live_scripts().find(|script| script.text.contains(&id)) {
        return Finding::new(Topic::Script, Level::Unclear, SiteMessage::AddedByScript)
            .text(SiteMessage::AddedAt { line: adding.line })
            .todo(SiteMessage::LookSafer { tag: tag() });
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
        return Finding::new(Topic::Script, Level::Unclear, SiteMessage::NotInHtml)
            .text(SiteMessage::TagManager { manager })
            .todo(SiteMessage::TagManagerTodo { tag: tag() });
    }
    if page.letters < MIN_LETTERS && !page.frames.is_empty() {
        let frame = page.frames.first().map(String::as_str).unwrap_or_default();
        return Finding::new(Topic::Script, Level::Unclear, SiteMessage::OnlyFrames)
            .text(SiteMessage::FrameText { frame: frame.to_owned() })
            .todo(SiteMessage::TagInFrame);
    }
    if page.letters < MIN_LETTERS && live_scripts().next().is_some() {
        return Finding::new(Topic::Script, Level::Unclear, SiteMessage::NotInHtml)
            .text(SiteMessage::DrawnByScripts)
            .todo(SiteMessage::LookAndAdd { tag: tag() });
    }
    if received.truncated {
        return Finding::new(Topic::Script, Level::Unclear, SiteMessage::NotInReadPart)
            .text(SiteMessage::VeryLong)
            .todo(SiteMessage::LookAndAdd { tag: tag() });
    }
    Finding::new(Topic::Script, Level::Stops, SiteMessage::NotOnPage).todo(SiteMessage::AddTag).code(subject.tag())
}

/// A widget without a launcher of its own needs an element of the site.
fn opener_finding(subject: &Subject, page: &ParsedPage) -> Option<Finding> {
    let calls_api =
        || page.scripts.iter().any(|script| script.container == Container::Page && script.text.contains("shingle"));
    let has_opener = page.has_opener || page.has_inline_card || calls_api();
    (subject.element == ElementType::Custom && !has_opener).then(|| {
        Finding::new(Topic::Script, Level::Unclear, SiteMessage::NoOpener)
            .text(SiteMessage::NoButton)
            .todo(SiteMessage::AddOpener)
            .code(format!("data-shingle-open=\"{}\"", subject.id))
            // The style keeps the card's room, so nothing moves when it comes.
            .code(format!(
                "<shingle-estimate widget=\"{}\" style=\"display:block;min-height:clamp(186px,900px - 100vw,330px)\">\
                 </shingle-estimate>",
                subject.id
            ))
    })
}
