//! Content Security Policies: parsing, and which loads one blocks.

use std::collections::HashSet;

use url::Url;

use crate::source::matches;

/// One policy. A load must pass every policy of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub origin: Origin,
    directives: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Header,
    /// A `<meta>` element, with its line and its index among the page's elements.
    Meta {
        line: u64,
        position: usize,
    },
}

/// What a policy looks at in a script.
#[derive(Debug, Clone, Copy)]
pub struct ScriptLoad<'s> {
    pub url: &'s Url,
    pub nonce: Option<&'s str>,
    pub integrity: Option<&'s str>,
    /// The parser found it in the HTML; no other script added it.
    pub by_parser: bool,
}

/// A directive of a policy, under the name that it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive<'p> {
    pub name: &'p str,
    pub sources: &'p [String],
}

pub const SCRIPT_DIRECTIVES: &[&str] = &["script-src-elem", "script-src", "default-src"];
pub const EVAL_DIRECTIVES: &[&str] = &["script-src", "default-src"];
pub const CONNECT_DIRECTIVES: &[&str] = &["connect-src", "default-src"];
pub const FRAME_DIRECTIVES: &[&str] = &["frame-src", "child-src", "default-src"];
pub const IMAGE_DIRECTIVES: &[&str] = &["img-src", "default-src"];

/// Directives that browsers ignore in a `<meta>`.
const HEADER_ONLY: [&str; 3] = ["frame-ancestors", "report-uri", "sandbox"];

/// Of one response, and of one page. No site has as many.
pub const MAX_POLICIES: usize = 64;

/// Bytes of sources that a suggestion repeats.
const MAX_SHOWN: usize = 4_000;

impl Policy {
    /// The policies of one header line, which commas separate.
    pub fn of_header(line: &str) -> impl Iterator<Item = Self> {
        line.split(',').filter_map(|text| Self::parse(text, Origin::Header)).take(MAX_POLICIES)
    }

    pub fn of_meta(text: &str, line: u64, position: usize) -> Option<Self> {
        Self::parse(text, Origin::Meta { line, position })
    }

    /// `None` when it has no directive.
    fn parse(text: &str, origin: Origin) -> Option<Self> {
        let (mut directives, mut known) = (Vec::new(), HashSet::new());
        for part in text.split(';') {
            let mut words = part.split_ascii_whitespace();
            let Some(name) = words.next().map(str::to_ascii_lowercase) else { continue };
            let ignored = origin != Origin::Header && HEADER_ONLY.contains(&name.as_str());
            // Of two with one name, the first counts.
            if !ignored && known.insert(name.clone()) {
                directives.push((name, words.map(str::to_owned).collect::<Vec<_>>()));
            }
        }
        (!directives.is_empty()).then_some(Self { origin, directives })
    }

    /// The first of these directives that the policy has.
    pub fn directive(&self, names: &[&str]) -> Option<Directive<'_>> {
        names.iter().find_map(|name| {
            let (name, sources) = self.directives.iter().find(|(known, _)| known == name)?;
            Some(Directive { name, sources })
        })
    }

    /// The directive that blocks this script, if one does.
    pub fn blocks_script(&self, script: ScriptLoad<'_>, page: &Url) -> Option<Directive<'_>> {
        let rule = self.directive(SCRIPT_DIRECTIVES)?;
        let by_nonce = script.nonce.is_some_and(|nonce| rule.has_nonce(nonce));
        let by_hash = script.integrity.is_some_and(|hashes| rule.lists_hashes(hashes));
        let allowed = by_nonce
            || by_hash
            || if rule.has("'strict-dynamic'") {
                !script.by_parser
            } else {
                rule.sources.iter().any(|source| matches(source, script.url, page))
            };
        (!allowed).then_some(rule)
    }

    /// The directive that blocks a load which is judged by its address alone.
    pub fn blocks(&self, names: &[&str], target: &Url, page: &Url) -> Option<Directive<'_>> {
        let rule = self.directive(names)?;
        (!rule.sources.iter().any(|source| matches(source, target, page))).then_some(rule)
    }

    /// The directive that blocks WebAssembly, if one does.
    pub fn blocks_wasm(&self) -> Option<Directive<'_>> {
        let rule = self.directive(EVAL_DIRECTIVES)?;
        (!rule.has("'wasm-unsafe-eval'") && !rule.has("'unsafe-eval'")).then_some(rule)
    }

    /// The `sandbox` directive, if there is one.
    pub fn sandbox(&self) -> Option<Directive<'_>> {
        self.directive(&["sandbox"])
    }

    pub fn upgrades_insecure_requests(&self) -> bool {
        self.directive(&["upgrade-insecure-requests"]).is_some()
    }

    /// The directive with `also` added. Where the policy has only a broader directive, the text is the first of `names`,
    /// with the sources of the broader one repeated.
    pub fn extended_with(&self, names: &[&str], also: &[&str]) -> String {
        let rule = self.directive(names);
        let own = rule.filter(|rule| !matches!(rule.name, "default-src" | "child-src"));
        let narrow = names.iter().find(|name| !name.ends_with("-elem")).unwrap_or(&"script-src");
        let mut words = vec![own.map_or(*narrow, |rule| rule.name)];
        let kept = rule.map_or(&[][..], |rule| rule.sources);
        let mut length = 0;
        for word in kept.iter().filter(|word| !word.eq_ignore_ascii_case("'none'")) {
            length += word.len();
            if length > MAX_SHOWN {
                words.push("…");
                break;
            }
            words.push(word);
        }
        for source in also {
            if !words.iter().any(|word| word.eq_ignore_ascii_case(source)) {
                words.push(source);
            }
        }
        format!("{};", words.join(" "))
    }
}

impl<'p> Directive<'p> {
    pub fn has(&self, word: &str) -> bool {
        self.sources.iter().any(|source| source.eq_ignore_ascii_case(word))
    }

    /// Whether the policy names scripts by a secret that is new with each response.
    pub fn uses_nonces(&self) -> bool {
        self.sources.iter().any(|source| starts_with_ignoring_case(source, "'nonce-"))
    }

    fn has_nonce(&self, nonce: &str) -> bool {
        !nonce.is_empty()
            && self.sources.iter().any(|source| {
                starts_with_ignoring_case(source, "'nonce-")
                    && source.get(7..).and_then(|s| s.strip_suffix('\'')) == Some(nonce)
            })
    }

    /// Whether every hash of the attribute is listed.
    fn lists_hashes(&self, integrity: &str) -> bool {
        let quoted = |source: &'p String| source.strip_prefix('\'').and_then(|s| s.strip_suffix('\''));
        let listed: HashSet<&str> = self.sources.iter().filter_map(quoted).collect();
        let mut hashes = integrity.split_ascii_whitespace().peekable();
        hashes.peek().is_some() && hashes.all(|hash| listed.contains(hash.split('?').next().unwrap_or_default()))
    }
}

fn starts_with_ignoring_case(text: &str, head: &str) -> bool {
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

    /// The directive that blocks the loader's tag.
    fn tag(text: &str, nonce: Option<&str>, by_parser: bool) -> Option<String> {
        let url = LOADER.parse().unwrap();
        let script = ScriptLoad { url: &url, nonce, integrity: None, by_parser };
        policy(text).blocks_script(script, &page()).map(|directive| directive.name.to_owned())
    }

    #[test]
    fn the_most_specific_directive_decides_on_a_script() {
        for (text, blocking) in [
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
            assert_eq!(tag(text, None, true).as_deref(), blocking, "{text}");
        }
    }

    #[test]
    fn a_nonce_allows_its_own_value_and_strict_dynamic_what_trusted_scripts_add() {
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
    fn a_hash_allows_a_tag_that_names_it() {
        let url = LOADER.parse().unwrap();
        let blocks = |integrity| {
            let script = ScriptLoad { url: &url, nonce: None, integrity: Some(integrity), by_parser: true };
            policy("script-src 'sha384-AAAA' 'sha256-BBBB'").blocks_script(script, &page()).is_some()
        };
        assert!(!blocks("sha384-AAAA") && !blocks("sha384-AAAA sha256-BBBB?x"));
        assert!(blocks("sha384-CCCC") && blocks("sha384-AAAA sha384-CCCC") && blocks(""));
    }

    #[test]
    fn other_loads_fall_back_to_their_broader_directives() {
        let target: Url = "https://roofs.example/w/a/session".parse().unwrap();
        for (text, names, blocking) in [
            ("connect-src 'self'", CONNECT_DIRECTIVES, Some("connect-src")),
            ("default-src 'self'", CONNECT_DIRECTIVES, Some("default-src")),
            ("default-src 'self'; connect-src https:", CONNECT_DIRECTIVES, None),
            ("script-src 'none'", CONNECT_DIRECTIVES, None),
            ("child-src 'self'", FRAME_DIRECTIVES, Some("child-src")),
            ("child-src 'self'; frame-src roofs.example", FRAME_DIRECTIVES, None),
            ("default-src https:; frame-src 'none'", FRAME_DIRECTIVES, Some("frame-src")),
            ("img-src data: https:", IMAGE_DIRECTIVES, None),
        ] {
            assert_eq!(policy(text).blocks(names, &target, &page()).map(|d| d.name), blocking, "{text}");
        }
    }

    #[test]
    fn webassembly_needs_its_own_keyword() {
        for (text, open) in [
            ("img-src 'none'", true),
            ("script-src 'self'", false),
            ("default-src *", false),
            ("script-src 'self' 'wasm-unsafe-eval'", true),
            ("script-src 'self' 'Unsafe-Eval'", true),
            ("default-src 'wasm-unsafe-eval'; script-src 'self'", false),
            ("script-src-elem 'self'", true),
        ] {
            assert_eq!(policy(text).blocks_wasm().is_none(), open, "{text}");
        }
    }

    #[test]
    fn commas_separate_policies_and_a_meta_ignores_some_directives() {
        let all: Vec<_> = Policy::of_header("default-src 'self', , sandbox allow-scripts;").collect();
        assert_eq!(all.len(), 2);
        assert!(all[1].sandbox().is_some_and(|rule| rule.has("allow-scripts")));
        assert_eq!(Policy::of_meta("sandbox; report-uri /x", 1, 1), None);
        assert!(Policy::of_meta("sandbox; upgrade-insecure-requests", 1, 1).unwrap().upgrades_insecure_requests());
    }

    #[test]
    fn an_extended_directive_repeats_its_sources() {
        for (text, names, also, extended) in [
            (
                "script-src 'self'",
                SCRIPT_DIRECTIVES,
                &["https://roofs.example"][..],
                "script-src 'self' https://roofs.example;",
            ),
            (
                "default-src 'self' cdn.example",
                CONNECT_DIRECTIVES,
                &["https://roofs.example"],
                "connect-src 'self' cdn.example https://roofs.example;",
            ),
            ("default-src 'none'", SCRIPT_DIRECTIVES, &["https://roofs.example"], "script-src https://roofs.example;"),
            (
                "script-src-elem a.example",
                SCRIPT_DIRECTIVES,
                &["https://roofs.example"],
                "script-src-elem a.example https://roofs.example;",
            ),
            (
                "child-src a.example",
                FRAME_DIRECTIVES,
                &["https://roofs.example"],
                "frame-src a.example https://roofs.example;",
            ),
            ("script-src 'self'", EVAL_DIRECTIVES, &["'wasm-unsafe-eval'"], "script-src 'self' 'wasm-unsafe-eval';"),
            (
                "script-src https://roofs.example",
                SCRIPT_DIRECTIVES,
                &["https://roofs.example"],
                "script-src https://roofs.example;",
            ),
        ] {
            assert_eq!(policy(text).extended_with(names, also), extended, "{text}");
        }
    }
}
