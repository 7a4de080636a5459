//! Pages that are made to be slow: four times the page takes about four times the work.

use std::sync::atomic::AtomicBool;

use rustix::time::{ClockId, clock_gettime};
use shingle_domain::widget::ElementType;

use crate::page_findings;
use crate::policy::Policy;
use crate::response::ReceivedPage;
use crate::subject::Subject;

const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
const SMALL: usize = 10_000;

/// Processor time of this thread, in nanoseconds.
fn processor_time() -> i64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// The least processor time of some checks of a page.
fn work(body: String, header: &str) -> i64 {
    let subject = Subject {
        id: ID.parse().unwrap(),
        active: true,
        element: ElementType::Custom,
        hosts: vec!["oak.example.com".into()],
        base: "https://roofs.example".parse().unwrap(),
    };
    let received = ReceivedPage {
        url: "https://oak.example.com/".parse().unwrap(),
        body,
        truncated: false,
        policies: Policy::of_header(header).collect(),
        has_report_only_policy: false,
        requires_hashes: false,
        requires_corp: false,
    };
    let once = || {
        let before = processor_time();
        let findings = page_findings(&subject, &received, &AtomicBool::new(false));
        assert!(findings.iter().map(|f| f.code.concat().len()).sum::<usize>() < 100_000, "what is said is bounded too");
        processor_time() - before
    };
    (0..3).map(|_| once()).min().unwrap()
}

/// `count` different words.
fn words(count: usize) -> String {
    (0..count).map(|n| format!("w{n} ")).collect()
}

#[test]
fn no_page_takes_more_work_than_its_length() {
    type Page = (&'static str, fn(usize) -> (String, String));
    let pages: [Page; 9] = [
        ("attributes", |n| (format!("<div {}>", words(n)), String::new())),
        ("attributes of a script", |n| (format!("<script {} src=/w/{ID}.js>", words(n)), String::new())),
        ("one attribute again and again", |n| (format!("<div {}>", "a=b ".repeat(n)), String::new())),
        ("directives", |n| {
            (
                format!("<meta http-equiv=content-security-policy content='{}'>", words(n).replace(' ', ";")),
                String::new(),
            )
        }),
        ("policies in elements", |n| {
            ("<meta http-equiv=content-security-policy content=\"default-src 'none'\">".repeat(n), String::new())
        }),
        ("policies in headers", |n| (String::new(), "default-src 'none',".repeat(n))),
        ("hashes", |n| {
            let script =
                format!("<script src=https://roofs.example/w/{ID}.js integrity='{}'></script>", "s ".repeat(n));
            (script, format!("script-src {} 's'", "'t' ".repeat(n)))
        }),
        ("a long base", |n| {
            (format!("<base href=/{}>{}", "b".repeat(n * 5), "<script src=w/x></script>".repeat(n / 10)), String::new())
        }),
        ("comments that begin", |n| ("<!--<script><![CDATA[".repeat(n), String::new())),
    ];
    for (name, page) in pages {
        let of = |count| {
            let (body, header) = page(count);
            work(body, &header)
        };
        let (small, large) = (of(SMALL), of(4 * SMALL));
        println!("{name}: {} us, {} us", small / 1_000, large / 1_000);
        // A square would be 16 times; below a millisecond there is nothing to compare.
        assert!(large < 8 * small.max(1_000_000), "{name}: {small} ns, four times as much: {large} ns");
    }
}
