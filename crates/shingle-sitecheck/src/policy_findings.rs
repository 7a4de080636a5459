//! Findings about the page's content policies: which loads of the widget they block, what visitors then get, and how to
//! change the policies.

use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use crate::html::{Container, ParsedPage};
use crate::messages::{BlockedUse, BlockedUses, PolicyPlace, SiteMessage};
use crate::policy::{
    CONNECT_DIRECTIVES, Directive, EVAL_DIRECTIVES, FRAME_DIRECTIVES, IMAGE_DIRECTIVES, Origin, Policy,
    SCRIPT_DIRECTIVES, ScriptLoad,
};
use crate::response::ReceivedPage;
use crate::subject::Subject;
use crate::tag::{SrcMatch, TagMatch};

/// A load that a policy blocks.
struct BlockedLoad<'p> {
    policy: &'p Policy,
    directive: Directive<'p>,
    names: &'static [&'static str],
}

pub fn findings(
    subject: &Subject,
    received: &ReceivedPage,
    page: &ParsedPage,
    tag: Option<&TagMatch<'_>>,
) -> Vec<Finding> {
    let policies: Vec<&Policy> = received.policies.iter().chain(&page.policies).collect();
    let mut findings = Vec::new();
    if received.requires_hashes {
        findings.push(
            Finding::new(Topic::Policy, Level::Stops, SiteMessage::IntegrityPolicy)
                .text(SiteMessage::IntegrityPolicyText)
                .todo(SiteMessage::RemoveFromIntegrityPolicy),
        );
    }
    if policies.is_empty() {
        let finding = Finding::new(Topic::Policy, Level::Fine, SiteMessage::NoPolicy);
        findings.push(if received.has_report_only_policy { finding.text(SiteMessage::ReportOnly) } else { finding });
        return findings;
    }
    let loads = WidgetLoads::of(subject, received, tag);
    let before = findings.len();
    findings.extend(policies.iter().filter_map(|policy| sandbox(policy)));
    let mut changes = PolicyChanges::default();
    findings.extend(loads.script(&policies, &mut changes));
    if findings.iter().all(|finding| finding.level != Level::Stops) {
        findings.extend(loads.runtime(&policies, &mut changes, received.requires_corp));
    } else {
        loads.add_other_changes(&policies, &mut changes);
    }
    let images = loads.images(&policies, &mut changes);
    // If nothing is shown, a missing logo does not matter.
    findings.extend(images.filter(|_| findings.iter().all(|finding| finding.level != Level::Stops)));
    if findings.len() == before {
        findings.push(Finding::new(Topic::Policy, Level::Fine, SiteMessage::PolicyFine));
    }
    findings.extend(changes.finding());
    if policies.iter().any(|policy| policy.directive(&["require-trusted-types-for"]).is_some()) {
        findings.push(
            Finding::new(Topic::Policy, Level::Fine, SiteMessage::TrustedTypes).text(SiteMessage::TrustedTypesText),
        );
    }
    findings
}

/// What the widget loads on this page.
struct WidgetLoads<'p> {
    page: &'p Url,
    loader: Url,
    runtime: Url,
    /// What is fetched, with script and module: a policy may name paths.
    requests: [Url; 4],
    hosted: Url,
    images: Url,
    origin: String,
    nonce: Option<&'p str>,
    integrity: Option<&'p str>,
    /// The tag's index on the page; `None` where a script would add it.
    tag_position: Option<usize>,
}

impl<'p> WidgetLoads<'p> {
    fn of(subject: &Subject, received: &'p ReceivedPage, tag: Option<&TagMatch<'p>>) -> Self {
        let is_ours = |f: &&TagMatch<'p>| {
            f.script.container == Container::Page && matches!(f.src_match, SrcMatch::Exact | SrcMatch::OtherScheme)
        };
        let tag = tag.filter(is_ours);
        let loader = tag.and_then(|f| f.url.clone()).unwrap_or_else(|| subject.loader());
        Self {
            page: &received.url,
            loader,
            runtime: subject.address("/runtime/shingle.js"),
            requests: [
                subject.address("/runtime/shingle.js"),
                subject.address("/runtime/shingle.wasm"),
                subject.address(&format!("/w/{}/config/shingle.en.json", subject.id)),
                subject.address(&format!("/w/{}/session", subject.id)),
            ],
            hosted: subject.address(&format!("/w/{}", subject.id)),
            images: subject.address("/storage/logo.png"),
            origin: subject.base.origin().ascii_serialization(),
            nonce: tag.filter(|f| !f.script.has_duplicate_attributes).and_then(|f| f.script.get("nonce")),
            integrity: tag.and_then(|f| f.script.get("integrity")),
            tag_position: tag.map(|f| f.script.position),
        }
    }

    fn script(&self, policies: &[&'p Policy], changes: &mut PolicyChanges<'p>) -> Option<Finding> {
        let script = ScriptLoad {
            url: &self.loader,
            nonce: self.nonce,
            integrity: self.integrity,
            by_parser: self.tag_position.is_some(),
        };
        // A <meta> applies to what comes after it.
        let applies = |policy: &&&Policy| match policy.origin {
            Origin::Header => true,
            Origin::Meta { position, .. } => self.tag_position.is_none_or(|tag| tag > position),
        };
        let blocked: Vec<_> = policies
            .iter()
            .filter(applies)
            .filter_map(|policy| {
                Some(BlockedLoad {
                    policy,
                    directive: policy.blocks_script(script, self.page)?,
                    names: SCRIPT_DIRECTIVES,
                })
            })
            .collect();
        let first = blocked.first()?;
        let by_nonce = blocked.iter().any(|b| b.directive.uses_nonces() || b.directive.has("'strict-dynamic'"));
        for b in blocked.iter().filter(|b| !b.directive.uses_nonces() && !b.directive.has("'strict-dynamic'")) {
            changes.add(b, &self.origin);
        }
        let finding = Finding::new(
            Topic::Policy,
            Level::Stops,
            SiteMessage::ScriptBlocked { directive: first.directive.name.to_owned() },
        )
        .text(SiteMessage::SentIn { place: where_sent(first.policy) });
        Some(if by_nonce && self.tag_position.is_some() {
            let place = where_sent(first.policy);
            let why = match self.nonce {
                Some(_) => SiteMessage::FixedNonce { place },
                None => SiteMessage::NeedsNonce { place },
            };
            finding
                .text(why)
                .todo(SiteMessage::WriteNonce)
                .code(format!("<script async nonce=\"…\" src=\"{}\"></script>", self.loader))
        } else {
            finding.todo(SiteMessage::ChangeHeaders)
        })
    }

    /// What the script loads once somebody opens the widget. Where that is blocked, the hosted page stands in.
    fn runtime(
        &self,
        policies: &[&'p Policy],
        changes: &mut PolicyChanges<'p>,
        requires_corp: bool,
    ) -> Option<Finding> {
        let (scripts, requests, wasm) = self.blocked(policies);
        let titles = [
            (!scripts.is_empty(), BlockedUse::Script),
            (!requests.is_empty(), BlockedUse::Server),
            (!wasm.is_empty(), BlockedUse::WebAssembly),
        ];
        let blocked: Vec<BlockedUse> = titles.iter().filter(|(is, _)| *is).map(|(_, what)| *what).collect();
        let loads = match *blocked.as_slice() {
            [] => return None,
            [first] => BlockedUses::One { first },
            [first, last] => BlockedUses::Two { first, last },
            [first, second, last, ..] => BlockedUses::Three { first, second, last },
        };
        self.add_other_changes(policies, changes);
        let frames: Vec<_> = policies
            .iter()
            .filter_map(|policy| {
                Some(BlockedLoad {
                    policy,
                    directive: policy.blocks(FRAME_DIRECTIVES, &self.hosted, self.page)?,
                    names: FRAME_DIRECTIVES,
                })
            })
            .collect();
        let instead = if frames.is_empty() && !requires_corp {
            SiteMessage::FrameInstead
        } else {
            frames.iter().for_each(|b| changes.add(b, &self.origin));
            SiteMessage::PageInstead
        };
        Some(
            Finding::new(Topic::Policy, Level::Limits, SiteMessage::LoadsBlocked { loads })
                .text(instead)
                .todo(SiteMessage::ChangeToHaveIt),
        )
    }

    fn blocked(&self, policies: &[&'p Policy]) -> (Vec<BlockedLoad<'p>>, Vec<BlockedLoad<'p>>, Vec<BlockedLoad<'p>>) {
        // A script that our script imports inherits its trust.
        let script = ScriptLoad { url: &self.runtime, nonce: self.nonce, integrity: None, by_parser: false };
        let each = |f: &dyn Fn(&'p Policy) -> Option<Directive<'p>>, names| {
            policies.iter().filter_map(|policy| Some(BlockedLoad { policy, directive: f(policy)?, names })).collect()
        };
        (
            each(&|policy| policy.blocks_script(script, self.page), SCRIPT_DIRECTIVES),
            each(
                &|policy| self.requests.iter().find_map(|to| policy.blocks(CONNECT_DIRECTIVES, to, self.page)),
                CONNECT_DIRECTIVES,
            ),
            each(&|policy| policy.blocks_wasm(), EVAL_DIRECTIVES),
        )
    }

    /// A policy should need only one change.
    fn add_other_changes(&self, policies: &[&'p Policy], changes: &mut PolicyChanges<'p>) {
        let (scripts, requests, wasm) = self.blocked(policies);
        for b in scripts
            .iter()
            .filter(|b| !b.directive.uses_nonces() && !b.directive.has("'strict-dynamic'"))
            .chain(&requests)
        {
            changes.add(b, &self.origin);
        }
        wasm.iter().for_each(|b| changes.add(b, "'wasm-unsafe-eval'"));
    }

    fn images(&self, policies: &[&'p Policy], changes: &mut PolicyChanges<'p>) -> Option<Finding> {
        let blocked: Vec<_> = policies
            .iter()
            .filter_map(|policy| {
                Some(BlockedLoad {
                    policy,
                    directive: policy.blocks(IMAGE_DIRECTIVES, &self.images, self.page)?,
                    names: IMAGE_DIRECTIVES,
                })
            })
            .collect();
        let first = blocked.first()?;
        blocked.iter().for_each(|b| changes.add(b, &self.origin));
        Some(
            Finding::new(
                Topic::Policy,
                Level::Limits,
                SiteMessage::ImagesBlocked { directive: first.directive.name.to_owned() },
            )
            .text(SiteMessage::LogoMissing)
            .todo(SiteMessage::ChangePolicy),
        )
    }
}

fn sandbox(policy: &Policy) -> Option<Finding> {
    let rule = policy.sandbox()?;
    let todo = SiteMessage::RemoveSandbox;
    if !rule.has("allow-scripts") {
        return Some(
            Finding::new(Topic::Policy, Level::Stops, SiteMessage::SandboxWithoutScripts)
                .todo(todo)
                .code("allow-scripts"),
        );
    }
    let missing: Vec<_> = ["allow-same-origin", "allow-forms"].into_iter().filter(|word| !rule.has(word)).collect();
    let finding =
        Finding::new(Topic::Policy, Level::Limits, SiteMessage::Sandbox).text(SiteMessage::SandboxText).todo(todo);
    (!missing.is_empty()).then(|| missing.into_iter().fold(finding, Finding::code))
}

fn where_sent(policy: &Policy) -> PolicyPlace {
    match policy.origin {
        Origin::Header => PolicyPlace::Header,
        Origin::Meta { line, .. } => PolicyPlace::Meta { line },
    }
}

/// Directives to change, each once with everything it lacks.
#[derive(Default)]
struct PolicyChanges<'p>(Vec<PolicyChange<'p>>);

struct PolicyChange<'p> {
    policy: &'p Policy,
    names: &'static [&'static str],
    also: Vec<String>,
}

impl<'p> PolicyChanges<'p> {
    fn add(&mut self, blocked: &BlockedLoad<'p>, source: &str) {
        let written = |policy: &Policy, names| policy.extended_with(names, &[]).split(' ').next().map(str::to_owned);
        let target = written(blocked.policy, blocked.names);
        let known =
            self.0.iter_mut().find(|m| std::ptr::eq(m.policy, blocked.policy) && written(m.policy, m.names) == target);
        match known {
            Some(change) if change.also.iter().any(|known| known == source) => {}
            Some(change) => change.also.push(source.to_owned()),
            None => self.0.push(PolicyChange {
                policy: blocked.policy,
                names: blocked.names,
                also: vec![source.to_owned()],
            }),
        }
    }

    fn finding(self) -> Option<Finding> {
        let first = self.0.first()?;
        let finding = Finding::new(Topic::Policy, Level::Note, SiteMessage::ShouldRead)
            .text(SiteMessage::ReplaceParts { place: where_sent(first.policy) });
        Some(self.0.iter().fold(finding, |finding, change| {
            let also: Vec<&str> = change.also.iter().map(String::as_str).collect();
            finding.code(change.policy.extended_with(change.names, &also))
        }))
    }
}
