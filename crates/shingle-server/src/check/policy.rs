//! A page's content policies, and what they say of one load.

use url::Url;

use super::source::covers;

/// One policy. All that a page has must agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub origin: Origin,
    directives: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Header,
    /// A `<meta>` element, at this place among the page's elements.
    Meta {
        line: u64,
        place: usize,
    },
}

/// A script as the policy sees it.
#[derive(Debug, Clone, Copy)]
pub struct Script<'s> {
    pub url: &'s Url,
    pub nonce: Option<&'s str>,
    pub integrity: Option<&'s str>,
    /// Written in the page, not added by another script.
    pub by_parser: bool,
}

/// The directive that bars a load, under the name it has in the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar<'p> {
    pub directive: &'p str,
    pub sources: &'p [String],
}

pub const SCRIPTS: &[&str] = &["script-src-elem", "script-src", "default-src"];
pub const CODE: &[&str] = &["script-src", "default-src"];
pub const REQUESTS: &[&str] = &["connect-src", "default-src"];
pub const FRAMES: &[&str] = &["frame-src", "child-src", "default-src"];
pub const PICTURES: &[&str] = &["img-src", "default-src"];

/// What a `<meta>` cannot say.
const HEADER_ONLY: [&str; 3] = ["frame-ancestors", "report-uri", "sandbox"];

impl Policy {
    /// All policies of one header line: commas part them.
    pub fn of_header(line: &str) -> impl Iterator<Item = Self> {
        line.split(',').filter_map(|text| Self::parse(text, Origin::Header))
    }

    pub fn of_meta(text: &str, line: u64, place: usize) -> Option<Self> {
        Self::parse(text, Origin::Meta { line, place })
    }

    /// `None` when it says nothing.
    fn parse(text: &str, origin: Origin) -> Option<Self> {
        let mut directives: Vec<(String, Vec<String>)> = Vec::new();
        for part in text.split(';') {
            let mut words = part.split_ascii_whitespace();
            let Some(name) = words.next().map(str::to_ascii_lowercase) else { continue };
            let barred = origin != Origin::Header && HEADER_ONLY.contains(&name.as_str());
            // Of two with one name the first counts.
            if !barred && !directives.iter().any(|(known, _)| *known == name) {
                directives.push((name, words.map(str::to_owned).collect()));
            }
        }
        (!directives.is_empty()).then_some(Self { origin, directives })
    }

    /// The first of these directives that the policy has.
    pub fn directive(&self, names: &[&str]) -> Option<Bar<'_>> {
        names.iter().find_map(|name| {
            let (directive, sources) = self.directives.iter().find(|(known, _)| known == name)?;
            Some(Bar { directive, sources })
        })
    }

    /// What bars this script, if anything does.
    pub fn bars_script(&self, script: Script<'_>, page: &Url) -> Option<Bar<'_>> {
        let rule = self.directive(SCRIPTS)?;
        let by_nonce = script.nonce.is_some_and(|nonce| rule.has_nonce(nonce));
        let by_hash = script.integrity.is_some_and(|hashes| rule.has_hashes(hashes));
        let admitted = by_nonce
            || by_hash
            || if rule.has("'strict-dynamic'") {
                !script.by_parser
            } else {
                rule.sources.iter().any(|source| covers(source, script.url, page))
            };
        (!admitted).then_some(rule)
    }

    /// What bars a load that only its address speaks for.
    pub fn bars(&self, names: &[&str], target: &Url, page: &Url) -> Option<Bar<'_>> {
        let rule = self.directive(names)?;
        (!rule.sources.iter().any(|source| covers(source, target, page))).then_some(rule)
    }

    /// What bars WebAssembly.
    pub fn bars_wasm(&self) -> Option<Bar<'_>> {
        let rule = self.directive(CODE)?;
        (!rule.has("'wasm-unsafe-eval'") && !rule.has("'unsafe-eval'")).then_some(rule)
    }

    /// What the sandbox of this policy withholds: `None` without a sandbox.
    pub fn sandbox(&self) -> Option<Bar<'_>> {
        self.directive(&["sandbox"])
    }

    pub fn upgrades(&self) -> bool {
        self.directive(&["upgrade-insecure-requests"]).is_some()
    }

    /// The directive as it should be. `names` begins with the one to write where there is only a broader one,
    /// whose sources it then has to repeat.
    pub fn amended(&self, names: &[&str], also: &[&str]) -> String {
        let rule = self.directive(names);
        let own = rule.filter(|rule| !matches!(rule.directive, "default-src" | "child-src"));
        let narrow = names.iter().find(|name| !name.ends_with("-elem")).unwrap_or(&"script-src");
        let mut words = vec![own.map_or(*narrow, |rule| rule.directive)];
        let kept = rule.map_or(&[][..], |rule| rule.sources);
        words.extend(kept.iter().map(String::as_str).filter(|word| !word.eq_ignore_ascii_case("'none'")));
        for source in also {
            if !words.iter().any(|word| word.eq_ignore_ascii_case(source)) {
                words.push(source);
            }
        }
        format!("{};", words.join(" "))
    }
}

impl Bar<'_> {
    pub fn has(&self, word: &str) -> bool {
        self.sources.iter().any(|source| source.eq_ignore_ascii_case(word))
    }

    /// Whether scripts are known by a secret of each answer.
    pub fn wants_nonce(&self) -> bool {
        self.sources.iter().any(|source| starts(source, "'nonce-"))
    }

    fn has_nonce(&self, nonce: &str) -> bool {
        !nonce.is_empty()
            && self.sources.iter().any(|source| {
                starts(source, "'nonce-") && source.get(7..).and_then(|s| s.strip_suffix('\'')) == Some(nonce)
            })
    }

    /// Every hash of the attribute must be listed.
    fn has_hashes(&self, integrity: &str) -> bool {
        let mut hashes = integrity.split_ascii_whitespace().peekable();
        hashes.peek().is_some()
            && hashes.all(|hash| {
                let hash = hash.split('?').next().unwrap_or_default();
                self.sources.iter().any(|source| {
                    source.strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).is_some_and(|s| s == hash)
                })
            })
    }
}

fn starts(text: &str, head: &str) -> bool {
    text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADER: &str = "https://roofs.example/w/a.js";

    fn policy(text: &str) -> Policy {
        Policy::of_header(text).next().unwrap()
    }

    fn page() -> Url {
        "https://oak.example.com/".parse().unwrap()
    }

    /// The directive that bars the loader's tag.
    fn tag(text: &str, nonce: Option<&str>, by_parser: bool) -> Option<String> {
        let url = LOADER.parse().unwrap();
        let script = Script { url: &url, nonce, integrity: None, by_parser };
        policy(text).bars_script(script, &page()).map(|bar| bar.directive.to_owned())
    }

    #[test]
    fn the_most_particular_directive_decides_on_a_script() {
        for (text, bar) in [
            ("img-src 'none'", None),
            ("default-src 'self'", Some("default-src")),
            ("default-src 'none'; script-src https://roofs.example", None),
            ("default-src *; script-src 'self'", Some("script-src")),
            ("script-src 'none'; script-src-elem https:", None),
            ("script-src https:; script-src-elem 'self'", Some("script-src-elem")),
            ("script-src", Some("script-src")),
            ("Script-Src HTTPS://ROOFS.EXAMPLE", None),
            ("script-src 'self'; script-src https:", Some("script-src")),
            ("script-src 'self' 'unsafe-inline' 'unsafe-eval'", Some("script-src")),
            ("script-src 'none' https:", None),
        ] {
            assert_eq!(tag(text, None, true).as_deref(), bar, "{text}");
        }
    }

    #[test]
    fn a_nonce_opens_for_its_own_value_and_strict_dynamic_for_what_trusted_scripts_add() {
        for (text, nonce, by_parser, open) in [
            ("script-src 'nonce-R4nd'", Some("R4nd"), true, true),
            ("script-src 'NONCE-R4nd'", Some("R4nd"), true, true),
            ("script-src 'nonce-R4nd'", Some("r4nd"), true, false),
            ("script-src 'nonce-R4nd'", Some(""), true, false),
            ("script-src 'nonce-'", Some(""), true, false),
            ("script-src 'nonce-R4nd'", None, true, false),
            ("script-src 'nonce-R4nd' https:", None, true, true),
            ("script-src 'nonce-R4nd' 'strict-dynamic' https:", None, true, false),
            ("script-src 'nonce-R4nd' 'strict-dynamic' https:", Some("R4nd"), true, true),
            ("script-src 'nonce-R4nd' 'strict-dynamic'", None, false, true),
            ("script-src 'nonce-R4nd'", None, false, false),
        ] {
            assert_eq!(tag(text, nonce, by_parser).is_none(), open, "{text} {nonce:?} {by_parser}");
        }
    }

    #[test]
    fn a_hash_opens_for_a_tag_that_names_it() {
        let url = LOADER.parse().unwrap();
        let bars = |integrity| {
            let script = Script { url: &url, nonce: None, integrity: Some(integrity), by_parser: true };
            policy("script-src 'sha384-AAAA' 'sha256-BBBB'").bars_script(script, &page()).is_some()
        };
        assert!(!bars("sha384-AAAA") && !bars("sha384-AAAA sha256-BBBB?x"));
        assert!(bars("sha384-CCCC") && bars("sha384-AAAA sha384-CCCC") && bars(""));
    }

    #[test]
    fn other_loads_fall_back_to_their_broader_directives() {
        let target: Url = "https://roofs.example/w/a/session".parse().unwrap();
        for (text, names, bar) in [
            ("connect-src 'self'", REQUESTS, Some("connect-src")),
            ("default-src 'self'", REQUESTS, Some("default-src")),
            ("default-src 'self'; connect-src https:", REQUESTS, None),
            ("script-src 'none'", REQUESTS, None),
            ("child-src 'self'", FRAMES, Some("child-src")),
            ("child-src 'self'; frame-src roofs.example", FRAMES, None),
            ("default-src https:; frame-src 'none'", FRAMES, Some("frame-src")),
            ("img-src data: https:", PICTURES, None),
        ] {
            assert_eq!(policy(text).bars(names, &target, &page()).map(|b| b.directive), bar, "{text}");
        }
    }

    #[test]
    fn webassembly_needs_its_own_leave() {
        for (text, open) in [
            ("img-src 'none'", true),
            ("script-src 'self'", false),
            ("default-src *", false),
            ("script-src 'self' 'wasm-unsafe-eval'", true),
            ("script-src 'self' 'Unsafe-Eval'", true),
            ("default-src 'wasm-unsafe-eval'; script-src 'self'", false),
            ("script-src-elem 'self'", true),
        ] {
            assert_eq!(policy(text).bars_wasm().is_none(), open, "{text}");
        }
    }

    #[test]
    fn commas_part_policies_and_what_a_meta_cannot_say_is_not_heard() {
        let all: Vec<_> = Policy::of_header("default-src 'self', , sandbox allow-scripts;").collect();
        assert_eq!(all.len(), 2);
        assert!(all[1].sandbox().is_some_and(|rule| rule.has("allow-scripts")));
        assert_eq!(Policy::of_meta("sandbox; report-uri /x", 1, 1), None);
        assert!(Policy::of_meta("sandbox; upgrade-insecure-requests", 1, 1).unwrap().upgrades());
    }

    #[test]
    fn the_mended_directive_repeats_what_stood_there() {
        for (text, names, also, mended) in [
            ("script-src 'self'", SCRIPTS, &["https://roofs.example"][..], "script-src 'self' https://roofs.example;"),
            (
                "default-src 'self' cdn.example",
                REQUESTS,
                &["https://roofs.example"],
                "connect-src 'self' cdn.example https://roofs.example;",
            ),
            ("default-src 'none'", SCRIPTS, &["https://roofs.example"], "script-src https://roofs.example;"),
            (
                "script-src-elem a.example",
                SCRIPTS,
                &["https://roofs.example"],
                "script-src-elem a.example https://roofs.example;",
            ),
            ("child-src a.example", FRAMES, &["https://roofs.example"], "frame-src a.example https://roofs.example;"),
            ("script-src 'self'", CODE, &["'wasm-unsafe-eval'"], "script-src 'self' 'wasm-unsafe-eval';"),
            (
                "script-src https://roofs.example",
                SCRIPTS,
                &["https://roofs.example"],
                "script-src https://roofs.example;",
            ),
        ] {
            assert_eq!(policy(text).amended(names, also), mended, "{text}");
        }
    }
}
