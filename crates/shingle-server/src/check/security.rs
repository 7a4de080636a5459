//! What is to be said of the page's content policies: which loads of the widget they bar, what a visitor then
//! gets, and what would have to be written.

use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use super::Subject;
use super::answer::Seen;
use super::page::{Page, Within};
use super::policy::{Bar, CODE, FRAMES, Origin, PICTURES, Policy, REQUESTS, SCRIPTS, Script};
use super::tag::{Address, Found};

/// One load that a policy bars.
struct Barred<'p> {
    policy: &'p Policy,
    bar: Bar<'p>,
    names: &'static [&'static str],
}

pub fn findings(subject: &Subject, seen: &Seen, page: &Page, tag: Option<&Found<'_>>) -> Vec<Finding> {
    let policies: Vec<&Policy> = seen.policies.iter().chain(&page.policies).collect();
    let mut findings = Vec::new();
    if seen.wants_hashes {
        findings.push(
            Finding::new(Topic::Policy, Level::Stops, "The site’s Integrity-Policy refuses scripts without a hash")
                .text("Our script changes with every setting of the widget, so no hash can be written into the tag.")
                .todo("Take “script” out of blocked-destinations in that header."),
        );
    }
    if policies.is_empty() {
        let text = if seen.on_trial { "One is on trial; it reports and blocks nothing." } else { "" };
        findings.push(Finding::new(Topic::Policy, Level::Fine, "No content policy stands in the way").text(text));
        return findings;
    }
    let view = View::of(subject, seen, tag);
    let before = findings.len();
    findings.extend(policies.iter().filter_map(|policy| sandbox(policy)));
    let mut mends = Mends::default();
    findings.extend(view.script(&policies, &mut mends));
    if findings.iter().all(|finding| finding.level != Level::Stops) {
        findings.extend(view.runtime(&policies, &mut mends, seen.isolated));
    } else {
        view.note_the_rest(&policies, &mut mends);
    }
    let pictures = view.pictures(&policies, &mut mends);
    // Where nothing is shown, nobody misses the logo.
    findings.extend(pictures.filter(|_| findings.iter().all(|finding| finding.level != Level::Stops)));
    if findings.len() == before {
        findings.push(Finding::new(
            Topic::Policy,
            Level::Fine,
            "The content policy lets everything through that the widget needs",
        ));
    }
    findings.extend(mends.finding());
    if policies.iter().any(|policy| policy.directive(&["require-trusted-types-for"]).is_some()) {
        findings.push(
            Finding::new(Topic::Policy, Level::Fine, "The site requires Trusted Types")
                .text("The widget parses no HTML and evaluates no text, so there is nothing to allow."),
        );
    }
    findings
}

/// The widget's loads, as the browser sees them on this page.
struct View<'v> {
    page: &'v Url,
    loader: Url,
    runtime: Url,
    /// What is fetched, script and module too: a policy may name paths.
    requests: [Url; 4],
    hosted: Url,
    pictures: Url,
    own: String,
    nonce: Option<&'v str>,
    integrity: Option<&'v str>,
    /// The tag's place on the page; `None` where a script would add it.
    tag: Option<usize>,
}

impl<'v> View<'v> {
    fn of(subject: &Subject, seen: &'v Seen, tag: Option<&Found<'v>>) -> Self {
        let ours = |f: &&Found<'v>| {
            f.script.within == Within::Page && matches!(f.address, Address::Ours | Address::OtherScheme)
        };
        let tag = tag.filter(ours);
        let loader = tag.and_then(|f| f.url.clone()).unwrap_or_else(|| subject.loader());
        Self {
            page: &seen.url,
            loader,
            runtime: subject.address("/runtime/shingle.js"),
            requests: [
                subject.address("/runtime/shingle.js"),
                subject.address("/runtime/shingle.wasm"),
                subject.address(&format!("/w/{}/config/shingle.en.json", subject.id)),
                subject.address(&format!("/w/{}/session", subject.id)),
            ],
            hosted: subject.address(&format!("/w/{}", subject.id)),
            pictures: subject.address("/storage/logo.png"),
            own: subject.base.origin().ascii_serialization(),
            nonce: tag.filter(|f| !f.script.doubled).and_then(|f| f.script.get("nonce")),
            integrity: tag.and_then(|f| f.script.get("integrity")),
            tag: tag.map(|f| f.script.place),
        }
    }

    fn script(&self, policies: &[&'v Policy], mends: &mut Mends<'v>) -> Option<Finding> {
        let script =
            Script { url: &self.loader, nonce: self.nonce, integrity: self.integrity, by_parser: self.tag.is_some() };
        // A <meta> rules over what comes after it.
        let rules = |policy: &&&Policy| match policy.origin {
            Origin::Header => true,
            Origin::Meta { place, .. } => self.tag.is_none_or(|tag| tag > place),
        };
        let barred: Vec<_> = policies
            .iter()
            .filter(rules)
            .filter_map(|policy| Some(Barred { policy, bar: policy.bars_script(script, self.page)?, names: SCRIPTS }))
            .collect();
        let first = barred.first()?;
        let by_nonce = barred.iter().any(|b| b.bar.wants_nonce() || b.bar.has("'strict-dynamic'"));
        for b in barred.iter().filter(|b| !b.bar.wants_nonce() && !b.bar.has("'strict-dynamic'")) {
            mends.add(b, &self.own);
        }
        let finding = Finding::new(
            Topic::Policy,
            Level::Stops,
            format!("The site’s content policy bars our script ({})", first.bar.directive),
        )
        .text(place(first.policy));
        Some(if by_nonce && self.tag.is_some() {
            let why = match self.nonce {
                Some(_) => "The tag’s nonce is not that of the policy: it is a fixed text, or came from a cache.",
                None => "This policy knows scripts by a nonce, which is new with every answer.",
            };
            finding
                .text(format!("{} {why}", place(first.policy)))
                .todo("Have the site write its nonce into our tag, as it does for its other scripts:")
                .code(format!("<script async nonce=\"…\" src=\"{}\"></script>", self.loader))
        } else {
            finding.todo("Change the policy as shown below, where the site’s headers are set: a security plugin, the host or the content network.")
        })
    }

    /// What the script loads once somebody opens it. Where that is barred, the hosted page stands in.
    fn runtime(&self, policies: &[&'v Policy], mends: &mut Mends<'v>, isolated: bool) -> Option<Finding> {
        let (code, requests, wasm) = self.barred(policies);
        let titles = [
            (!code.is_empty(), "load the rest of our script"),
            (!requests.is_empty(), "talk to our server"),
            (!wasm.is_empty(), "use WebAssembly"),
        ];
        let what: Vec<&str> = titles.iter().filter(|(is, _)| *is).map(|(_, words)| *words).collect();
        if what.is_empty() {
            return None;
        }
        self.note_the_rest(policies, mends);
        let frames: Vec<_> = policies
            .iter()
            .filter_map(|policy| {
                Some(Barred { policy, bar: policy.bars(FRAMES, &self.hosted, self.page)?, names: FRAMES })
            })
            .collect();
        let instead = if frames.is_empty() && !isolated {
            "A click still opens the estimate: our own page stands in, inside a frame."
        } else {
            frames.iter().for_each(|b| mends.add(b, &self.own));
            "A click still leads to the estimate: to our own page, because the policy bars frames, too."
        };
        Some(
            Finding::new(
                Topic::Policy,
                Level::Limits,
                format!("The site’s content policy does not let the widget {}", list(&what)),
            )
            .text(instead)
            .todo("To have it on the page itself, change the policy as shown below."),
        )
    }

    fn barred(&self, policies: &[&'v Policy]) -> (Vec<Barred<'v>>, Vec<Barred<'v>>, Vec<Barred<'v>>) {
        // Scripts inherit the trust of the script that imports them.
        let script = Script { url: &self.runtime, nonce: self.nonce, integrity: None, by_parser: false };
        let each = |f: &dyn Fn(&'v Policy) -> Option<Bar<'v>>, names| {
            policies.iter().filter_map(|policy| Some(Barred { policy, bar: f(policy)?, names })).collect()
        };
        (
            each(&|policy| policy.bars_script(script, self.page), SCRIPTS),
            each(&|policy| self.requests.iter().find_map(|to| policy.bars(REQUESTS, to, self.page)), REQUESTS),
            each(&|policy| policy.bars_wasm(), CODE),
        )
    }

    /// Whoever changes a policy should have to do it once.
    fn note_the_rest(&self, policies: &[&'v Policy], mends: &mut Mends<'v>) {
        let (code, requests, wasm) = self.barred(policies);
        for b in code.iter().filter(|b| !b.bar.wants_nonce() && !b.bar.has("'strict-dynamic'")).chain(&requests) {
            mends.add(b, &self.own);
        }
        wasm.iter().for_each(|b| mends.add(b, "'wasm-unsafe-eval'"));
    }

    fn pictures(&self, policies: &[&'v Policy], mends: &mut Mends<'v>) -> Option<Finding> {
        let barred: Vec<_> = policies
            .iter()
            .filter_map(|policy| {
                Some(Barred { policy, bar: policy.bars(PICTURES, &self.pictures, self.page)?, names: PICTURES })
            })
            .collect();
        let first = barred.first()?;
        barred.iter().for_each(|b| mends.add(b, &self.own));
        Some(
            Finding::new(
                Topic::Policy,
                Level::Limits,
                format!("The site’s content policy bars our pictures ({})", first.bar.directive),
            )
            .text("The company’s logo is missing from the dialog; everything else works.")
            .todo("Change the policy as shown below."),
        )
    }
}

fn sandbox(policy: &Policy) -> Option<Finding> {
    let rule = policy.sandbox()?;
    let todo = "Leave “sandbox” out of the header, or add the word.";
    if !rule.has("allow-scripts") {
        return Some(
            Finding::new(
                Topic::Policy,
                Level::Stops,
                "The site’s content policy runs the page in a sandbox without scripts",
            )
            .todo(todo)
            .code("allow-scripts"),
        );
    }
    let missing: Vec<_> = ["allow-same-origin", "allow-forms"].into_iter().filter(|word| !rule.has(word)).collect();
    let finding =
        Finding::new(Topic::Policy, Level::Limits, "The site’s content policy runs the page in a sandbox")
            .text("The button is shown, but the page has no name there by which our server could let it in, or may send no form.")
            .todo(todo);
    (!missing.is_empty()).then(|| missing.into_iter().fold(finding, Finding::code))
}

fn place(policy: &Policy) -> String {
    match policy.origin {
        Origin::Header => "The policy is sent in the header Content-Security-Policy.".to_owned(),
        Origin::Meta { line, .. } => format!("The policy stands in a meta element, line {line} of the page’s HTML."),
    }
}

fn list(words: &[&str]) -> String {
    match words {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => words.concat(),
    }
}

/// Directives to be changed, each once with everything it lacks.
#[derive(Default)]
struct Mends<'p>(Vec<Mend<'p>>);

struct Mend<'p> {
    policy: &'p Policy,
    names: &'static [&'static str],
    also: Vec<String>,
}

impl<'p> Mends<'p> {
    fn add(&mut self, barred: &Barred<'p>, source: &str) {
        let written = |policy: &Policy, names| policy.amended(names, &[]).split(' ').next().map(str::to_owned);
        let target = written(barred.policy, barred.names);
        let known =
            self.0.iter_mut().find(|m| std::ptr::eq(m.policy, barred.policy) && written(m.policy, m.names) == target);
        match known {
            Some(mend) if mend.also.iter().any(|known| known == source) => {}
            Some(mend) => mend.also.push(source.to_owned()),
            None => self.0.push(Mend { policy: barred.policy, names: barred.names, also: vec![source.to_owned()] }),
        }
    }

    fn finding(self) -> Option<Finding> {
        let first = self.0.first()?;
        let finding = Finding::new(Topic::Policy, Level::Note, "These parts of the content policy should read").text(
            format!("{} Where such a part exists, write it over; where it does not, add it.", place(first.policy)),
        );
        Some(self.0.iter().fold(finding, |finding, mend| {
            let also: Vec<&str> = mend.also.iter().map(String::as_str).collect();
            finding.code(mend.policy.amended(mend.names, &also))
        }))
    }
}
