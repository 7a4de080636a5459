//! The findings as one verdict and one sentence.

use shingle_domain::check::{Finding, Level, SiteCheck, Verdict};
use shingle_domain::widget::ElementType;
use url::Url;

use crate::subject::Subject;

pub fn conclude(subject: &Subject, url: &Url, findings: Vec<Finding>) -> SiteCheck {
    let worst = findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Fine);
    let verdict = match worst {
        Level::Fine | Level::Note => Verdict::Shown,
        Level::Limits => Verdict::Limited,
        Level::Unclear => Verdict::Unclear,
        Level::Stops => Verdict::Hidden,
    };
    let noun = noun(subject.element);
    let custom = subject.element == ElementType::Custom;
    let does = if custom { "can open" } else { "shows" };
    let sentence = match verdict {
        Verdict::Shown => format!("Your site {does} {noun}"),
        Verdict::Limited => format!("Your site {does} {noun}, with limits"),
        Verdict::Unclear => {
            format!("We cannot tell whether your site {} {noun}", if custom { "opens" } else { "shows" })
        }
        Verdict::Hidden => format!("Your site {} {noun}", if custom { "cannot open" } else { "does not show" }),
    };
    let cause = findings.iter().find(|finding| verdict != Verdict::Shown && finding.level == worst);
    let summary = match cause {
        Some(finding) => format!("{sentence}: {}.", within_sentence(&finding.title.to_string())),
        None => format!("{sentence}."),
    };
    SiteCheck { widget_id: subject.id, url: url.to_string(), verdict, summary, findings }
}

fn noun(element: ElementType) -> &'static str {
    match element {
        ElementType::Banner => "the estimate banner",
        ElementType::Button => "the estimate button",
        ElementType::Custom => "the estimate",
    }
}

/// A title after a colon: an article loses its capital, a name keeps it.
fn within_sentence(title: &str) -> String {
    let articles = ["The ", "A ", "This ", "Visitors ", "There ", "No ", "Something "];
    match articles.iter().find(|article| title.starts_with(**article)) {
        Some(_) => title[..1].to_ascii_lowercase() + &title[1..],
        None => title.to_owned(),
    }
}
