//! Whole pages, as sites have them, and what the check says of them.

use std::sync::atomic::AtomicBool;

use shingle_domain::check::{Level, SiteCheck, Verdict};
use shingle_domain::widget::ElementType;

use crate::policy::Policy;
use crate::response::ReceivedPage;
use crate::subject::Subject;
use crate::{check_unlisted, page_findings, verdict, widget_findings};

const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
const WORDS: &str = "<h1>Oak Roofing</h1><p>Roofs that last, built by people who live here.</p>";
const TAG: &str = "<script async src=\"https://roofs.example/w/ID.js\"></script>";

fn subject() -> Subject {
    Subject {
        id: ID.parse().unwrap(),
        active: true,
        element: ElementType::Button,
        hosts: vec!["oak.example.com".into()],
        base: "https://roofs.example".parse().unwrap(),
    }
}

fn received(html: &str, policies: &[&str]) -> ReceivedPage {
    ReceivedPage {
        url: "https://oak.example.com/".parse().unwrap(),
        body: html.replace("TAG", TAG).replace("WORDS", WORDS).replace("ID", ID),
        truncated: false,
        policies: policies.iter().flat_map(|line| Policy::of_header(line)).collect(),
        has_report_only_policy: false,
        requires_hashes: false,
        requires_corp: false,
    }
}

fn check_of(subject: &Subject, received: &ReceivedPage) -> SiteCheck {
    let mut findings = widget_findings::findings(subject, &received.url);
    findings.extend(page_findings(subject, received, &AtomicBool::new(false)));
    verdict::conclude(subject, &received.url, findings)
}

fn check(html: &str, policies: &[&str]) -> SiteCheck {
    check_of(&subject(), &received(html, policies))
}

fn code(check: &SiteCheck) -> Vec<&str> {
    check.findings.iter().flat_map(|finding| &finding.code).map(String::as_str).collect()
}

#[test]
fn a_page_that_runs_the_script_gets_one_sentence() {
    for html in ["<html><head>TAG</head><body>WORDS", "WORDS TAG", "WORDS TAG TAG"] {
        let check = check(html, &[]);
        assert_eq!(
            (check.verdict, check.summary.as_str()),
            (Verdict::Shown, "Your site shows the estimate button."),
            "{html}"
        );
        assert!(check.findings.iter().all(|finding| finding.level <= Level::Note));
    }
}

#[test]
fn the_cause_is_the_second_half_of_the_sentence() {
    for (html, verdict, part) in [
        ("WORDS", Verdict::Hidden, "the script tag is not on the page"),
        ("WORDS <!-- TAG -->", Verdict::Hidden, "the script tag is commented out"),
        ("WORDS <noscript>TAG</noscript>", Verdict::Hidden, "inside <noscript>"),
        ("WORDS <template>TAG</template>", Verdict::Hidden, "inside <template>"),
        ("WORDS &lt;script async src=\"https://roofs.example/w/ID.js\"&gt;", Verdict::Hidden, "shown as text"),
        ("WORDS <textarea>TAG</textarea>", Verdict::Hidden, "shown as text"),
        ("WORDS <script src=http://127.0.0.1:8080/w/ID.js></script>", Verdict::Hidden, "names another server"),
        ("WORDS <script src=http://roofs.example/w/ID.js></script>", Verdict::Hidden, "begins with http://"),
        (
            "WORDS <script src=\u{201c}https://roofs.example/w/ID.js\u{201d}></script>",
            Verdict::Hidden,
            "address is damaged",
        ),
        (
            "WORDS <base href=https://cdn.example/><script src=/w/ID.js></script>",
            Verdict::Hidden,
            "names another server",
        ),
        (
            "WORDS <script src=https://roofs.example/w/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a.js></script>",
            Verdict::Hidden,
            "belongs to another widget",
        ),
        (
            "WORDS <script nomodule src=https://roofs.example/w/ID.js></script>",
            Verdict::Hidden,
            "because of the attribute nomodule",
        ),
        (
            "WORDS <script type=rocketlazyloadscript data-rocket-src=https://roofs.example/w/ID.js></script>",
            Verdict::Limited,
            "waits for the visitor’s first move: WP Rocket",
        ),
        (
            "WORDS <script type=text/plain data-cookieconsent=marketing src=https://roofs.example/w/ID.js></script>",
            Verdict::Limited,
            "waits for the visitor’s consent: Cookiebot",
        ),
        ("WORDS TAG<meta http-equiv=refresh content='1;url=/new'>", Verdict::Limited, "sends visitors on to /new"),
        (
            "WORDS <script>(function(w){w['dataLayer'].push({'gtm.start':1})})(window,'GTM-ABC')</script>",
            Verdict::Unclear,
            "the script tag is not in the HTML",
        ),
        (
            "WORDS <script>var s=document.createElement('script');s.src='//roofs.example/w/ID.js'</script>",
            Verdict::Unclear,
            "adds our script",
        ),
        ("<div id=root></div><script src=/app.js></script>", Verdict::Unclear, "the script tag is not in the HTML"),
        ("<iframe src=https://sites.example/oak></iframe>", Verdict::Unclear, "only frames another one"),
    ] {
        let check = check(html, &[]);
        assert_eq!(check.verdict, verdict, "{html}: {}", check.summary);
        assert!(check.summary.contains(part), "{html}: {}", check.summary);
        let worst = check.findings.iter().max_by_key(|finding| finding.level).unwrap();
        assert!(worst.todo.is_some() || !worst.code.is_empty(), "{html}: nothing to do about {}", worst.title);
    }
}

#[test]
fn a_policy_is_judged_by_what_visitors_get() {
    let (shown, limited, hidden) = (Verdict::Shown, Verdict::Limited, Verdict::Hidden);
    let all = "script-src 'self' https://roofs.example 'wasm-unsafe-eval'; connect-src https://roofs.example";
    // Without the configuration nothing starts.
    let narrow = format!("connect-src https://roofs.example/runtime/ https://roofs.example/w/{ID}/session");
    for (policies, verdict, part) in [
        (&[all][..], shown, ""),
        (&["default-src https: 'wasm-unsafe-eval'"], shown, ""),
        (&["upgrade-insecure-requests"], shown, ""),
        (&["style-src 'self'; frame-ancestors 'none'; object-src 'none'"], shown, ""),
        (&["require-trusted-types-for 'script'; trusted-types default"], shown, ""),
        (&["frame-src 'none'"], shown, ""),
        (&["script-src 'self'"], hidden, "blocks our script (script-src)"),
        (&["default-src 'self'"], hidden, "blocks our script (default-src)"),
        (&[all, "script-src-elem 'self'"], hidden, "blocks our script (script-src-elem)"),
        (&["script-src 'nonce-abc' 'strict-dynamic' https:"], hidden, "blocks our script"),
        (&["sandbox"], hidden, "sandbox without scripts"),
        (&["script-src https://roofs.example"], limited, "does not let the widget use WebAssembly"),
        (&["script-src https://roofs.example/w/ 'wasm-unsafe-eval'"], limited, "load the rest of our script"),
        (&["connect-src 'self'"], limited, "talk to our server"),
        (&["connect-src https://roofs.example/runtime/ https://roofs.example/w/"], shown, ""),
        (&["connect-src https://roofs.example/w/"], limited, "talk to our server"),
        (&[&narrow], limited, "talk to our server"),
        (&["script-src https:; connect-src 'self'"], limited, "talk to our server or use WebAssembly"),
        (&["img-src 'self' data:"], limited, "blocks our images"),
        (&["sandbox allow-scripts allow-forms"], limited, "sandbox"),
    ] {
        let check = check("<html><head>TAG</head><body>WORDS", policies);
        assert_eq!(check.verdict, verdict, "{policies:?}: {}", check.summary);
        assert!(check.summary.contains(part), "{policies:?}: {}", check.summary);
    }
}

#[test]
fn a_changed_policy_is_suggested_once_with_everything_it_lacks() {
    let own = check("TAG WORDS", &["default-src 'self'; img-src 'self' data:"]);
    assert_eq!(
        code(&own),
        [
            "script-src 'self' https://roofs.example 'wasm-unsafe-eval';",
            "connect-src 'self' https://roofs.example;",
            "img-src 'self' data: https://roofs.example;",
        ]
    );
    // What is then written lets everything through.
    let changed = format!("default-src 'self'; {}", code(&own).join(" "));
    assert_eq!(check("TAG WORDS", &[&changed]).verdict, Verdict::Shown);
    // Two policies are two places to change.
    let both = check("TAG WORDS", &["script-src 'self'", "script-src cdn.example"]);
    let lines = code(&both);
    assert!(lines.contains(&"script-src 'self' https://roofs.example 'wasm-unsafe-eval';"), "{lines:?}");
    assert!(lines.contains(&"script-src cdn.example https://roofs.example 'wasm-unsafe-eval';"), "{lines:?}");
}

#[test]
fn a_policy_that_works_by_nonces_gets_a_tag_with_a_nonce() {
    let policy = "script-src 'nonce-R4nd0m' 'strict-dynamic' 'wasm-unsafe-eval'; connect-src https:";
    let without = check("TAG WORDS", &[policy]);
    assert_eq!(without.verdict, Verdict::Hidden);
    assert_eq!(
        code(&without),
        [format!("<script async nonce=\"…\" src=\"https://roofs.example/w/{ID}.js\"></script>")]
    );
    let with =
        |nonce| check(&format!("<script nonce={nonce} src=https://roofs.example/w/ID.js></script>WORDS"), &[policy]);
    assert_eq!(with("R4nd0m").verdict, Verdict::Shown);
    let stale = with("0ld");
    assert_eq!(stale.verdict, Verdict::Hidden);
    assert!(
        stale
            .findings
            .iter()
            .any(|finding| finding.text.as_ref().is_some_and(|text| text.to_string().contains("cache")))
    );
}

#[test]
fn a_policy_in_a_meta_element_applies_to_what_comes_after_it() {
    let meta = "<meta http-equiv=content-security-policy content=\"script-src-elem 'self'\">";
    assert_eq!(check(&format!("<head>{meta}TAG</head>WORDS"), &[]).verdict, Verdict::Hidden);
    let late = check(&format!("<head>TAG{meta}</head>WORDS"), &[]);
    assert_eq!(late.verdict, Verdict::Limited, "{}", late.summary);
    assert!(late.summary.contains("load the rest"), "{}", late.summary);
}

#[test]
fn where_frames_are_blocked_too_the_click_leads_to_our_page() {
    let text = |policies: &[&str], requires_corp| {
        let received = ReceivedPage { requires_corp, ..received("TAG WORDS", policies) };
        check_of(&subject(), &received)
            .findings
            .into_iter()
            .filter_map(|finding| finding.text)
            .map(|text| text.to_string())
            .collect::<String>()
    };
    assert!(text(&["script-src https:"], false).contains("inside a frame"));
    assert!(text(&["script-src https:; frame-src 'self'"], false).contains("leads to the estimate"));
    assert!(text(&["script-src https:"], true).contains("leads to the estimate"));
}

#[test]
fn a_script_of_a_tag_manager_is_judged_as_an_added_script() {
    let gtm = "WORDS<script nonce=a>'GTM-ABC'</script>";
    let trusting = check(gtm, &["script-src 'nonce-a' 'strict-dynamic' 'wasm-unsafe-eval'"]);
    assert_eq!(trusting.verdict, Verdict::Unclear);
    let strict = check(gtm, &["script-src 'nonce-a' https://www.googletagmanager.com"]);
    assert_eq!(strict.verdict, Verdict::Hidden, "{}", strict.summary);
}

#[test]
fn the_widget_and_the_server_are_checked_before_the_page() {
    let page = received("TAG WORDS", &[]);
    let off = Subject { active: false, ..subject() };
    assert!(check_of(&off, &page).summary.ends_with(": the widget is switched off."));
    let elsewhere = Subject { hosts: vec!["elm.example.com".into(), "*.elm.example.com".into()], ..subject() };
    let check = check_of(&elsewhere, &page);
    assert!(check.summary.contains("oak.example.com is not on the widget’s list of domains"), "{}", check.summary);
    assert_eq!(check_unlisted(&elsewhere, &page.url).verdict, Verdict::Hidden);
    for (base, part) in
        [("http://127.0.0.1:8080", "cannot reach this server"), ("http://roofs.example", "not reached over HTTPS")]
    {
        let check = check_of(&Subject { base: base.parse().unwrap(), ..subject() }, &page);
        assert_eq!(check.verdict, Verdict::Hidden);
        assert!(check.summary.contains(part), "{}", check.summary);
    }
    let local = ReceivedPage {
        url: "http://localhost:3000/".parse().unwrap(),
        ..received("WORDS <script src=http://127.0.0.1:8080/w/ID.js></script>", &[])
    };
    let here = Subject { base: "http://127.0.0.1:8080".parse().unwrap(), hosts: vec!["localhost".into()], ..subject() };
    assert_eq!(check_of(&here, &local).verdict, Verdict::Shown);
}

#[test]
fn a_widget_of_its_own_elements_needs_one_on_the_page() {
    let custom = Subject { element: ElementType::Custom, ..subject() };
    let none = check_of(&custom, &received("TAG WORDS", &[]));
    assert_eq!(none.verdict, Verdict::Unclear);
    assert!(none.summary.contains("no element on the page that opens the estimate"), "{}", none.summary);
    for opener in [
        "<a data-shingle-open href=/x>go</a>",
        "<a href=#roof-estimate>go</a>",
        "<shingle-estimate></shingle-estimate>",
        "<script>shingle('open')</script>",
    ] {
        let check = check_of(&custom, &received(&format!("TAG WORDS {opener}"), &[]));
        assert_eq!(check.summary, "Your site can open the estimate.", "{opener}");
    }
}

#[test]
fn a_header_that_requires_hashes_is_reported() {
    let received = ReceivedPage { requires_hashes: true, ..received("TAG WORDS", &[]) };
    assert!(check_of(&subject(), &received).summary.contains("Integrity-Policy"));
}
