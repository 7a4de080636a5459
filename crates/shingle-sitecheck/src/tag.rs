//! Finds our script tag on a page, and what a tool or a person changed in it.

use shingle_domain::cold_sort::ColdSort as _;
use url::Url;

use crate::html::{Container, ParsedPage, ScriptElement};
use crate::messages::{Fix, Tool};

/// The tag to look for.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedTag<'w> {
    /// The widget's id, as text.
    pub id: &'w str,
    /// `{base_url}/w/{id}.js`
    pub loader: &'w Url,
}

/// A script of the page that may be our tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagMatch<'p> {
    pub script: &'p ScriptElement,
    /// The resolved URL, if it can be parsed.
    pub url: Option<Url>,
    pub src_match: SrcMatch,
    /// What prevents or delays it.
    pub alteration: Option<Alteration>,
}

/// How the URL of a tag compares to the expected one, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SrcMatch {
    Exact,
    /// Only `http` and `https` differ.
    OtherScheme,
    /// This widget, on another server.
    OtherServer,
    /// Another widget of our server.
    OtherWidget,
    /// Contains the widget's id and is no usable URL.
    Damaged,
}

/// A change that a tool or a person made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alteration {
    pub by: Tool,
    pub effect: Effect,
    /// How to undo it.
    pub fix: Fix,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Runs later than it could.
    Later,
    /// Runs once the visitor scrolls, taps or types.
    FirstMove,
    /// Runs once the visitor agrees to cookies.
    Consent,
    /// Another script has to start it; whether one does cannot be seen from here.
    Unsure,
    Never,
}

impl TagMatch<'_> {
    /// Whether browsers run this as the page stands.
    pub fn runs(&self) -> bool {
        self.script.container == Container::Page
            && matches!(self.src_match, SrcMatch::Exact | SrcMatch::OtherScheme)
            && self.alteration.is_none_or(|alteration| alteration.effect == Effect::Later)
    }
}

/// Every script of the page that names our server's widgets or this widget's id, best first.
pub fn find<'p>(page: &'p ParsedPage, base: &Url, expected: ExpectedTag<'_>) -> Vec<TagMatch<'p>> {
    let mut found: Vec<_> = page.scripts.iter().filter_map(|script| match_tag(script, base, expected)).collect();
    found.cold_sort_by_key(|f| {
        (!f.runs(), f.script.container, f.src_match, f.alteration.map(|a| a.effect), f.script.position)
    });
    found
}

fn match_tag<'p>(script: &'p ScriptElement, base: &Url, expected: ExpectedTag<'_>) -> Option<TagMatch<'p>> {
    let resolve = |value: &str| base.join(value.trim()).ok().map(|url| (compare(&url, expected), url));
    let alteration = alteration(script);
    let (mut url, mut src_match, mut moved) = (None, None, None);
    for (name, value) in &script.attributes {
        if name != "src" && (src_match.is_some() || !value.contains("/w/")) {
            continue;
        }
        if let Some((Some(compared), resolved)) = resolve(value) {
            (src_match, url) = (Some(compared), Some(resolved));
            moved = (name != "src").then_some(Alteration {
                by: Tool::Plugin,
                effect: Effect::Unsure,
                fix: Fix::ExcludeInPlugin,
            });
        }
    }
    let named = || script.attributes.iter().any(|(_, value)| value.contains(expected.id));
    let src_match = match src_match {
        Some(src_match) => src_match,
        None if named() => SrcMatch::Damaged,
        None => return None,
    };
    Some(TagMatch { script, url, src_match, alteration: alteration.or(moved) })
}

fn compare(url: &Url, expected: ExpectedTag<'_>) -> Option<SrcMatch> {
    let with_known_port =
        |url: &Url| (url.host_str().map(str::to_owned), url.port_or_known_default(), url.path().to_owned());
    let with_port = |url: &Url| (url.host_str().map(str::to_owned), url.port(), url.path().to_owned());
    if with_known_port(url) == with_known_port(expected.loader) && url.scheme() == expected.loader.scheme() {
        return Some(SrcMatch::Exact);
    }
    if with_port(url) == with_port(expected.loader) {
        return Some(SrcMatch::OtherScheme);
    }
    let (head, name) = url.path().rsplit_once("/w/")?;
    let id = name.strip_suffix(".js")?;
    if id.eq_ignore_ascii_case(expected.id) {
        return Some(SrcMatch::OtherServer);
    }
    let ours = url.host_str() == expected.loader.host_str()
        && url.port() == expected.loader.port()
        && expected.loader.path().starts_with(head);
    (ours && id.len() == expected.id.len()).then_some(SrcMatch::OtherWidget)
}

/// Values of `type` that browsers run.
const JAVASCRIPT_TYPES: [&str; 16] = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];

/// Tools that delay scripts: the prefix of `type` or of an attribute's name by which they mark one, the tool's name, and
/// the fix.
const DELAY_TOOLS: [(&str, &str, Fix); 12] = [
    ("rocketlazyloadscript", "WP Rocket", Fix::WpRocket),
    ("data-rocket-", "WP Rocket", Fix::WpRocket),
    ("litespeed/javascript", "LiteSpeed Cache", Fix::LiteSpeed),
    ("data-litespeed", "LiteSpeed Cache", Fix::LiteSpeed),
    ("pmdelayedscript", "Perfmatters", Fix::Perfmatters),
    ("data-perfmatters", "Perfmatters", Fix::Perfmatters),
    ("data-pmdelayedscript", "Perfmatters", Fix::Perfmatters),
    ("nitropack/", "NitroPack", Fix::NitroPack),
    ("nitro-", "NitroPack", Fix::NitroPack),
    ("javascript/blocked", "WP Meteor", Fix::WpMeteor),
    ("data-wpmeteor", "WP Meteor", Fix::WpMeteor),
    ("data-flying", "FlyingPress", Fix::FlyingPress),
];

/// Consent tools: the prefix of the attribute or class that marks a blocked script, and the tool's name.
const CONSENT_TOOLS: [(&str, Tool); 19] = [
    ("data-cookieconsent", Tool::Named { name: "Cookiebot" }),
    ("optanon-category", Tool::Named { name: "OneTrust" }),
    ("data-cookieyes", Tool::Named { name: "CookieYes" }),
    ("data-cli-class", Tool::Named { name: "CookieYes (GDPR Cookie Consent)" }),
    ("cmplz-", Tool::Named { name: "Complianz" }),
    ("_iub_cs_activate", Tool::Named { name: "iubenda" }),
    ("data-iub-", Tool::Named { name: "iubenda" }),
    ("data-usercentrics", Tool::Named { name: "Usercentrics" }),
    ("data-borlabs", Tool::Named { name: "Borlabs Cookie" }),
    ("data-cmp-", Tool::Named { name: "consentmanager" }),
    ("cmplazyload", Tool::Named { name: "consentmanager" }),
    ("data-osano", Tool::Named { name: "Osano" }),
    ("data-categories", Tool::Named { name: "Termly" }),
    ("data-cookiefirst", Tool::Named { name: "CookieFirst" }),
    ("data-cookiecategory", Tool::Named { name: "CookieConsent" }),
    ("data-category", Tool::CookieConsentOrComplianz),
    ("data-consent", Tool::ConsentBanner),
    ("consent-", Tool::Named { name: "Real Cookie Banner" }),
    ("data-name", Tool::Named { name: "Klaro" }),
];

fn alteration(script: &ScriptElement) -> Option<Alteration> {
    let kind = script.get("type").unwrap_or_default().trim().to_ascii_lowercase();
    let runs = kind.is_empty() || kind == "module" || JAVASCRIPT_TYPES.contains(&kind.as_str());
    let is_marked =
        |prefix: &str| kind.starts_with(prefix) || script.attributes.iter().any(|(name, _)| name.starts_with(prefix));
    let lacks_src = script.get("src").is_none();
    if !runs
        && (kind.ends_with("-text/javascript")
            || kind.ends_with("-application/javascript")
            || kind.ends_with("-module"))
    {
        return Some(Alteration {
            by: Tool::Named { name: "Cloudflare Rocket Loader" },
            effect: Effect::Later,
            fix: Fix::RocketLoader,
        });
    }
    if runs && !lacks_src {
        let skipped = kind != "module" && script.get("nomodule").is_some();
        return skipped.then_some(Alteration { by: Tool::Nomodule, effect: Effect::Never, fix: Fix::RemoveNomodule });
    }
    if let Some((_, by, fix)) = DELAY_TOOLS.iter().find(|(prefix, ..)| is_marked(prefix)) {
        return Some(Alteration { by: Tool::Named { name: by }, effect: Effect::FirstMove, fix: *fix });
    }
    let classes = script.get("class").unwrap_or_default();
    let needs_consent = |prefix: &str| {
        script.attributes.iter().any(|(name, _)| name.starts_with(prefix))
            || classes.split_ascii_whitespace().any(|class| class.starts_with(prefix))
    };
    let is_blocked = lacks_src || matches!(kind.as_str(), "text/plain" | "text/template" | "text/x-blocked");
    if let Some((_, by)) = CONSENT_TOOLS.iter().find(|(prefix, _)| is_blocked && needs_consent(prefix)) {
        return Some(Alteration { by: *by, effect: Effect::Consent, fix: Fix::Consent });
    }
    if kind == "text/plain" {
        return Some(Alteration { by: Tool::ConsentBanner, effect: Effect::Consent, fix: Fix::Consent });
    }
    if lacks_src && ["data-src", "data-lazy-src", "data-type"].iter().any(|name| script.get(name).is_some()) {
        return Some(Alteration { by: Tool::SpeedPlugin, effect: Effect::FirstMove, fix: Fix::SpeedPlugin });
    }
    (!runs).then_some(Alteration { by: Tool::TypeAttribute, effect: Effect::Never, fix: Fix::RemoveType })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
    const OTHER: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";

    /// Tool and effect.
    type ToolEffect = (String, Effect);

    /// Match, alteration and whether it runs, of the best tag on the page; `ID` in the text stands for the widget's.
    fn best(html: &str) -> Option<(SrcMatch, Option<ToolEffect>, bool)> {
        let html = html.replace("ID", ID).replace("OTHER", OTHER);
        let page = ParsedPage::read(&html, ID, &AtomicBool::new(false));
        let loader = format!("https://roofs.example/w/{ID}.js").parse().unwrap();
        let base = "https://oak.example.com/a/b".parse().unwrap();
        let found = find(&page, &base, ExpectedTag { id: ID, loader: &loader });
        found.first().map(|f| (f.src_match, f.alteration.map(|a| (a.by.to_string(), a.effect)), f.runs()))
    }

    #[test]
    fn the_tag_is_found_by_where_its_src_leads() {
        for (src, address) in [
            ("https://roofs.example/w/ID.js", Some(SrcMatch::Exact)),
            ("//roofs.example/w/ID.js", Some(SrcMatch::Exact)),
            (" https://ROOFS.example:443/w/ID.js?site=1#x ", Some(SrcMatch::Exact)),
            ("http://roofs.example/w/ID.js", Some(SrcMatch::OtherScheme)),
            ("http://127.0.0.1:8080/w/ID.js", Some(SrcMatch::OtherServer)),
            ("https://roofs.example/sub/w/ID.js", Some(SrcMatch::OtherServer)),
            ("/w/ID.js", Some(SrcMatch::OtherServer)),
            ("https://roofs.example/w/OTHER.js", Some(SrcMatch::OtherWidget)),
            ("https://elsewhere.example/w/OTHER.js", None),
            ("https://roofs.example/w/ID", Some(SrcMatch::Damaged)),
            ("\u{201d}https://roofs.example/w/ID.js\u{201d}", Some(SrcMatch::Damaged)),
            ("https://roofs.example/runtime/a.js", None),
            ("/app.js", None),
        ] {
            let found = best(&format!("<script async src=\"{src}\"></script>"));
            assert_eq!(found.map(|f| f.0), address, "{src}");
        }
    }

    #[test]
    fn tools_that_changed_the_tag_are_named() {
        let src = "https://roofs.example/w/ID.js";
        for (tag, by, effect) in [
            ("type=\"a1b2c3d4e5f6-text/javascript\" src=SRC", "Cloudflare Rocket Loader", Effect::Later),
            ("type=rocketlazyloadscript data-rocket-src=SRC", "WP Rocket", Effect::FirstMove),
            ("type=rocketlazyloadscript data-rocket-type=text/javascript src=SRC", "WP Rocket", Effect::FirstMove),
            ("type=litespeed/javascript data-src=SRC", "LiteSpeed Cache", Effect::FirstMove),
            ("type=pmdelayedscript data-cfasync=false src=SRC", "Perfmatters", Effect::FirstMove),
            ("type=nitropack/inlinescript nitro-src=SRC", "NitroPack", Effect::FirstMove),
            (
                "type=javascript/blocked data-wpmeteor-type=text/javascript data-wpmeteor-src=SRC",
                "WP Meteor",
                Effect::FirstMove,
            ),
            ("type=text/plain data-cookieconsent=marketing src=SRC", "Cookiebot", Effect::Consent),
            ("type=text/plain class='optanon-category-C0004' src=SRC", "OneTrust", Effect::Consent),
            (
                "type=text/plain data-service=x data-category=marketing class=cmplz-script src=SRC",
                "Complianz",
                Effect::Consent,
            ),
            ("type=text/plain class=_iub_cs_activate src=SRC", "iubenda", Effect::Consent),
            ("type=text/plain data-cookieyes=cookieyes-functional src=SRC", "CookieYes", Effect::Consent),
            ("type=text/plain data-usercentrics=x src=SRC", "Usercentrics", Effect::Consent),
            ("type=text/plain class=cmplazyload data-cmp-src=SRC", "consentmanager", Effect::Consent),
            ("type=text/plain src=SRC", "a consent banner", Effect::Consent),
            ("data-suppressed=SRC", "a plugin of the site that delays or blocks scripts", Effect::Unsure),
            ("type=text/babel src=SRC", "its type attribute", Effect::Never),
            ("nomodule src=SRC", "the attribute nomodule", Effect::Never),
        ] {
            let found = best(&format!("<script {}></script>", tag.replace("SRC", src)));
            let runs = effect == Effect::Later;
            assert_eq!(found, Some((SrcMatch::Exact, Some((by.to_owned(), effect)), runs)), "{tag}");
        }
        assert!(matches!(
            best(&format!("<script data-src={src}></script>")),
            Some((SrcMatch::Exact, Some((_, Effect::FirstMove)), false))
        ));
    }

    #[test]
    fn every_valid_form_of_the_tag_runs() {
        for attributes in [
            "",
            "async",
            "defer",
            "type=module",
            "type=\" Text/JavaScript \"",
            "type=application/javascript",
            "data-cfasync=false",
            "nonce=abc crossorigin",
            "data-category=x",
            "type=module nomodule",
        ] {
            let found = best(&format!("<script {attributes} src=https://roofs.example/w/ID.js></script>"));
            assert_eq!(found, Some((SrcMatch::Exact, None, true)), "{attributes}");
        }
    }

    #[test]
    fn the_tag_that_runs_is_preferred_to_those_that_do_not() {
        let good = "<script src=https://roofs.example/w/ID.js></script>";
        for other in [
            "<!-- <script src=https://roofs.example/w/ID.js></script> -->",
            "<noscript><script src=https://roofs.example/w/ID.js></script></noscript>",
            "<script type=text/plain src=https://roofs.example/w/ID.js></script>",
            "<script src=https://roofs.example/w/OTHER.js></script>",
            "<script src=http://127.0.0.1:8080/w/ID.js></script>",
        ] {
            assert!(best(&format!("{other}{good}")).unwrap().2, "{other}");
            assert!(!best(other).unwrap().2, "{other}");
        }
    }
}
