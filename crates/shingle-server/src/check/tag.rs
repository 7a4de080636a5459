//! Our script tag on a page: which it is, and what has become of it.

use url::Url;

use super::page::{Page, Script, Within};

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'w> {
    /// The widget's id, as text.
    pub id: &'w str,
    /// `{base_url}/w/{id}.js`
    pub loader: &'w Url,
}

/// One script of the page that has to do with us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'p> {
    pub script: &'p Script,
    /// Where its address leads, when it can be read.
    pub url: Option<Url>,
    pub address: Address,
    /// What keeps it from running, or puts it off.
    pub change: Option<Change>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    /// Exactly ours.
    Ours,
    /// Ours but for `http` and `https`.
    OtherScheme,
    /// This widget, by another server's address.
    OtherServer,
    /// Our server, another widget.
    OtherWidget,
    /// Holds the widget's id, and leads nowhere.
    Damaged,
}

/// A change by a tool, or by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub by: &'static str,
    pub effect: Effect,
    /// How to undo it.
    pub mend: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Runs, later than it could.
    Later,
    /// Runs once the visitor scrolls, taps or types.
    FirstMove,
    /// Runs once the visitor agrees to cookies.
    Consent,
    /// Something of the page has to start it; whether it does cannot be seen.
    Unsure,
    Never,
}

impl Found<'_> {
    /// Whether browsers run this as the page stands.
    pub fn runs(&self) -> bool {
        self.script.within == Within::Page
            && matches!(self.address, Address::Ours | Address::OtherScheme)
            && self.change.is_none_or(|change| change.effect == Effect::Later)
    }
}

/// Every script of the page that names our server's widgets or this widget's id, best first.
pub fn find<'p>(page: &'p Page, base: &Url, wanted: Wanted<'_>) -> Vec<Found<'p>> {
    let mut found: Vec<_> = page.scripts.iter().filter_map(|script| look(script, base, wanted)).collect();
    found.sort_by_key(|f| (!f.runs(), f.script.within, f.address, f.change.map(|c| c.effect), f.script.place));
    found
}

fn look<'p>(script: &'p Script, base: &Url, wanted: Wanted<'_>) -> Option<Found<'p>> {
    let of = |value: &str| base.join(value.trim()).ok().map(|url| (address(&url, wanted), url));
    let change = change(script);
    let (mut url, mut place, mut moved) = (None, None, None);
    for (name, value) in &script.attributes {
        if name != "src" && (place.is_some() || !value.contains("/w/")) {
            continue;
        }
        if let Some((Some(address), found)) = of(value) {
            (place, url) = (Some(address), Some(found));
            moved = (name != "src").then_some(Change {
                by: "a plugin of the site that delays or blocks scripts",
                effect: Effect::Unsure,
                mend: "Its address was moved out of src. Exclude the script in the settings of the plugin that handles \
                       JavaScript (speed, caching or cookie consent).",
            });
        }
    }
    let named = || script.attributes.iter().any(|(_, value)| value.contains(wanted.id));
    let address = match place {
        Some(address) => address,
        None if named() => Address::Damaged,
        None => return None,
    };
    Some(Found { script, url, address, change: change.or(moved) })
}

fn address(url: &Url, wanted: Wanted<'_>) -> Option<Address> {
    let place = |url: &Url| (url.host_str().map(str::to_owned), url.port_or_known_default(), url.path().to_owned());
    let bare = |url: &Url| (url.host_str().map(str::to_owned), url.port(), url.path().to_owned());
    if place(url) == place(wanted.loader) && url.scheme() == wanted.loader.scheme() {
        return Some(Address::Ours);
    }
    if bare(url) == bare(wanted.loader) {
        return Some(Address::OtherScheme);
    }
    let (head, name) = url.path().rsplit_once("/w/")?;
    let id = name.strip_suffix(".js")?;
    if id.eq_ignore_ascii_case(wanted.id) {
        return Some(Address::OtherServer);
    }
    let ours = url.host_str() == wanted.loader.host_str()
        && url.port() == wanted.loader.port()
        && wanted.loader.path().starts_with(head);
    (ours && id.len() == wanted.id.len()).then_some(Address::OtherWidget)
}

/// Types that browsers run.
const SCRIPTS: [&str; 16] = [
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

/// Speed plugins: a mark they leave on what they hold back, in `type` or as an attribute's first letters.
const HELD: [(&str, &str, &str); 12] = [
    (
        "rocketlazyloadscript",
        "WP Rocket",
        "In WP Rocket: File Optimization, Delay JavaScript execution, Excluded JavaScript Files: add /w/.",
    ),
    (
        "data-rocket-",
        "WP Rocket",
        "In WP Rocket: File Optimization, Delay JavaScript execution, Excluded JavaScript Files: add /w/.",
    ),
    (
        "litespeed/javascript",
        "LiteSpeed Cache",
        "In LiteSpeed Cache: Page Optimization, Tuning, JS Delayed Excludes and JS Deferred Excludes: add /w/.",
    ),
    (
        "data-litespeed",
        "LiteSpeed Cache",
        "In LiteSpeed Cache: Page Optimization, Tuning, JS Delayed Excludes and JS Deferred Excludes: add /w/.",
    ),
    (
        "pmdelayedscript",
        "Perfmatters",
        "In Perfmatters: Assets, JavaScript, Delay JavaScript, Excluded from Delay: add /w/.",
    ),
    (
        "data-perfmatters",
        "Perfmatters",
        "In Perfmatters: Assets, JavaScript, Delay JavaScript, Excluded from Delay: add /w/.",
    ),
    (
        "data-pmdelayedscript",
        "Perfmatters",
        "In Perfmatters: Assets, JavaScript, Delay JavaScript, Excluded from Delay: add /w/.",
    ),
    ("nitropack/", "NitroPack", "In NitroPack: Advanced settings, Excluded resources: add this script as not delayed."),
    ("nitro-", "NitroPack", "In NitroPack: Advanced settings, Excluded resources: add this script as not delayed."),
    ("javascript/blocked", "WP Meteor", "In WP Meteor: Settings, Exclusions: add /w/."),
    ("data-wpmeteor", "WP Meteor", "In WP Meteor: Settings, Exclusions: add /w/."),
    ("data-flying", "FlyingPress", "In FlyingPress: JavaScript, Delay, Exclude: add /w/."),
];

/// Consent tools: the attribute, or the class, they mark blocked scripts with.
const CONSENT: [(&str, &str); 19] = [
    ("data-cookieconsent", "Cookiebot"),
    ("optanon-category", "OneTrust"),
    ("data-cookieyes", "CookieYes"),
    ("data-cli-class", "CookieYes (GDPR Cookie Consent)"),
    ("cmplz-", "Complianz"),
    ("_iub_cs_activate", "iubenda"),
    ("data-iub-", "iubenda"),
    ("data-usercentrics", "Usercentrics"),
    ("data-borlabs", "Borlabs Cookie"),
    ("data-cmp-", "consentmanager"),
    ("cmplazyload", "consentmanager"),
    ("data-osano", "Osano"),
    ("data-categories", "Termly"),
    ("data-cookiefirst", "CookieFirst"),
    ("data-cookiecategory", "CookieConsent"),
    ("data-category", "CookieConsent or Complianz"),
    ("data-consent", "a consent banner"),
    ("consent-", "Real Cookie Banner"),
    ("data-name", "Klaro"),
];

const CONSENT_MEND: &str = "The widget sets no cookie and follows nobody around, so it needs no consent of that kind: put it into \
                            the category that is always on (necessary), or exclude it from blocking.";

fn change(script: &Script) -> Option<Change> {
    let kind = script.get("type").unwrap_or_default().trim().to_ascii_lowercase();
    let runs = kind.is_empty() || kind == "module" || SCRIPTS.contains(&kind.as_str());
    let marked =
        |mark: &str| kind.starts_with(mark) || script.attributes.iter().any(|(name, _)| name.starts_with(mark));
    let parked = script.get("src").is_none();
    if !runs
        && (kind.ends_with("-text/javascript")
            || kind.ends_with("-application/javascript")
            || kind.ends_with("-module"))
    {
        return Some(Change {
            by: "Cloudflare Rocket Loader",
            effect: Effect::Later,
            mend: "To show it at once, write data-cfasync=\"false\" into the tag, or switch Rocket Loader off.",
        });
    }
    if runs && !parked {
        let skipped = kind != "module" && script.get("nomodule").is_some();
        return skipped.then_some(Change {
            by: "the attribute nomodule",
            effect: Effect::Never,
            mend: "Take nomodule out of the tag: today's browsers skip scripts that have it.",
        });
    }
    if let Some((_, by, mend)) = HELD.iter().find(|(mark, ..)| marked(mark)) {
        return Some(Change { by, effect: Effect::FirstMove, mend });
    }
    let classes = script.get("class").unwrap_or_default();
    let asks = |mark: &str| {
        script.attributes.iter().any(|(name, _)| name.starts_with(mark))
            || classes.split_ascii_whitespace().any(|class| class.starts_with(mark))
    };
    let blocked = parked || matches!(kind.as_str(), "text/plain" | "text/template" | "text/x-blocked");
    if let Some((_, by)) = CONSENT.iter().find(|(mark, _)| blocked && asks(mark)) {
        return Some(Change { by, effect: Effect::Consent, mend: CONSENT_MEND });
    }
    if kind == "text/plain" {
        return Some(Change { by: "a consent banner", effect: Effect::Consent, mend: CONSENT_MEND });
    }
    if parked && ["data-src", "data-lazy-src", "data-type"].iter().any(|name| script.get(name).is_some()) {
        return Some(Change {
            by: "a speed plugin (data-src is used by Flying Scripts, Autoptimize, a3 Lazy Load and others)",
            effect: Effect::FirstMove,
            mend: "Add /w/ to the scripts the plugin leaves alone.",
        });
    }
    (!runs).then_some(Change {
        by: "its type attribute",
        effect: Effect::Never,
        mend: "Take the type attribute out of the tag: browsers run no script of this type.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
    const OTHER: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";

    /// Tool and effect.
    type Held = (&'static str, Effect);

    /// Address, change and whether it runs, of the best tag on the page; `ID` in the text stands for the widget's.
    fn best(html: &str) -> Option<(Address, Option<Held>, bool)> {
        let html = html.replace("ID", ID).replace("OTHER", OTHER);
        let page = Page::read(&html, ID);
        let loader = format!("https://roofs.example/w/{ID}.js").parse().unwrap();
        let base = "https://oak.example.com/a/b".parse().unwrap();
        let found = find(&page, &base, Wanted { id: ID, loader: &loader });
        found.first().map(|f| (f.address, f.change.map(|c| (c.by, c.effect)), f.runs()))
    }

    #[test]
    fn the_tag_is_known_by_where_its_address_leads() {
        for (src, address) in [
            ("https://roofs.example/w/ID.js", Some(Address::Ours)),
            ("//roofs.example/w/ID.js", Some(Address::Ours)),
            (" https://ROOFS.example:443/w/ID.js?site=1#x ", Some(Address::Ours)),
            ("http://roofs.example/w/ID.js", Some(Address::OtherScheme)),
            ("http://127.0.0.1:8080/w/ID.js", Some(Address::OtherServer)),
            ("https://roofs.example/sub/w/ID.js", Some(Address::OtherServer)),
            ("/w/ID.js", Some(Address::OtherServer)),
            ("https://roofs.example/w/OTHER.js", Some(Address::OtherWidget)),
            ("https://elsewhere.example/w/OTHER.js", None),
            ("https://roofs.example/w/ID", Some(Address::Damaged)),
            ("\u{201d}https://roofs.example/w/ID.js\u{201d}", Some(Address::Damaged)),
            ("https://roofs.example/runtime/a.js", None),
            ("/app.js", None),
        ] {
            let found = best(&format!("<script async src=\"{src}\"></script>"));
            assert_eq!(found.map(|f| f.0), address, "{src}");
        }
    }

    #[test]
    fn what_tools_do_to_the_tag_is_told_by_their_marks() {
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
            assert_eq!(found, Some((Address::Ours, Some((by, effect)), runs)), "{tag}");
        }
        assert!(matches!(
            best(&format!("<script data-src={src}></script>")),
            Some((Address::Ours, Some((_, Effect::FirstMove)), false))
        ));
    }

    #[test]
    fn every_healthy_way_to_write_the_tag_runs() {
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
            assert_eq!(found, Some((Address::Ours, None, true)), "{attributes}");
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
