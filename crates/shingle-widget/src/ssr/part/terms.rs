//! What a contractor says about a price: what is in it, what it might be by the month, who stands behind it. Nothing of
//! this is there until it was set.
//!
//! # Decision
//!
//! If the contractor set nothing, the estimate says that what is included is not stated.

use shingle_domain::payment::MonthlyPlan;
use shingle_domain::settings::MonthlyPayment;
use shingle_domain::{Language, Usd, WidgetSettings};

use crate::ssr::node::Node;
use crate::strokes::{CHECK, CLOSE};
use crate::view::Markup;
use crate::view::block::{heading, icon, small};
use crate::view::frame::link_apart;
use crate::words::{Words, cents, dollars, thousands, w};

/// All of it, in the order of the estimate: for pages that show one price.
pub fn terms(words: Words, settings: &WidgetSettings, company: &str, price: Usd) -> Vec<Node> {
    let included = included(words, settings, company).into_iter();
    included.chain(monthly(words, settings, price)).chain(credentials(words, settings)).collect()
}

/// A list, or that there is none: silence would look like "everything".
pub(super) fn included(words: Words, settings: &WidgetSettings, company: &str) -> Vec<Node> {
    let language = Language::of_tag(words.text(w::LANG));
    let (with, without) = (settings.price_includes(language), settings.price_excludes(language));
    if with.is_empty() && without.is_empty() {
        return vec![small(words.fill(w::TERMS_UNSAID, &[("company", company)]))];
    }
    let line =
        |class, path, text: String| Node::classed("li", class).child(icon(path)).child(Node::new("span").text(text));
    let lines = with.iter().map(|text| line("sh-in", CHECK, text.clone()));
    let others = without.iter().map(|what| line("sh-in no", CLOSE, words.fill(w::TERMS_NOT, &[("what", what)])));
    vec![heading(w::TERMS_INCLUDES), Node::classed("ul", "sh-incl").children(lines.chain(others))]
}

/// The example for one price, with the words that the law wants beside it.
pub(super) fn monthly(words: Words, settings: &WidgetSettings, price: Usd) -> Option<Node> {
    let (payment, _, plan) = example(settings, price)?;
    let for_months = Node::new("small").text(words.fill(w::MONTHLY_FOR, &[("months", &plan.months.to_string())]));
    let mut conditions: Node = small(monthly_terms(words, settings, price)?);
    if let Some(link) = &payment.link {
        conditions = conditions.text(" ").child(link_apart(link.to_string(), words.text(w::MONTHLY_LINK).to_owned()));
    }
    let figure = Node::new("b").text(cents(plan.each)).text(" ").child(for_months);
    let named = Node::classed("p", "sh-label").text(w::MONTHLY_TITLE);
    Some(Node::classed("div", "sh-monthly").child(named).child(figure).child(conditions))
}

/// The example in a sentence, with all its figures.
pub fn monthly_terms(words: Words, settings: &WidgetSettings, price: Usd) -> Option<String> {
    let (payment, price, plan) = example(settings, price)?;
    let with = [
        ("price", &*dollars(price)),
        ("apr", &payment.apr_percent.to_string()),
        ("months", &plan.months.to_string()),
        ("each", &cents(plan.each)),
        ("total", &cents(plan.total)),
    ];
    Some(words.fill(w::MONTHLY_TERMS, &with))
}

/// Of the price as it is shown: the sum can be checked.
fn example(settings: &WidgetSettings, price: Usd) -> Option<(&MonthlyPayment, Usd, MonthlyPlan)> {
    let payment = settings.monthly_payment.as_ref()?;
    let price = Usd::from_dollars((price.cents() + 50) / 100);
    Some((payment, price, payment.example(price)?))
}

/// License, and rating with a link to where the reviews are.
pub(super) fn credentials(words: Words, settings: &WidgetSettings) -> Option<Node> {
    let language = Language::of_tag(words.text(w::LANG));
    let license = settings.license(language).map(|license| words.fill(w::LICENSE, &[("license", license)]));
    let rating = settings.rating.as_ref().map(|rating| {
        let sentence = if rating.count == 1 { w::RATING_ONE } else { w::RATING };
        let (value, count) = (rating.value.to_string(), thousands(rating.count.into()));
        link_apart(rating.link.to_string(), words.fill(sentence, &[("value", &value), ("count", &count)]))
    });
    if license.is_none() && rating.is_none() {
        return None;
    }
    let shown = license.map(|text| Node::new("span").text(text)).into_iter().chain(rating);
    Some(Node::classed("p", "sh-creds").children(shown))
}

#[cfg(test)]
mod tests {
    use shingle_domain::decimal::Decimal;
    use shingle_domain::settings::{MonthlyPayment, Rating};
    use shingle_domain::{SafeUrl, WidgetSettings};

    use shingle_domain::Language::{English, Spanish};

    use super::*;
    use crate::words::flow_words;

    fn said(language: Language, settings: &WidgetSettings, dollars: i64) -> String {
        let nodes = terms(flow_words(language), settings, "Oak Roofing", Usd::from_dollars(dollars));
        nodes.into_iter().map(|node| node.read(flow_words(language)).to_string()).collect()
    }

    fn set() -> WidgetSettings {
        let link = |text| SafeUrl::parse(text).unwrap();
        let mut settings = WidgetSettings {
            price_includes: vec!["Permit & cleanup".to_owned()],
            price_excludes: vec!["rotten decking".to_owned()],
            monthly_payment: Some(MonthlyPayment {
                apr_percent: Decimal::from_f64(8.99).unwrap(),
                months: 120,
                least_amount: Usd::from_dollars(5_000),
                link: Some(link("https://oak.example.com/pay")),
            }),
            license: Some("RC-10448".to_owned()),
            rating: Some(Rating {
                value: Decimal::from_f64(4.8).unwrap(),
                count: 1_212,
                link: link("https://reviews.example.com/"),
            }),
            ..WidgetSettings::default()
        };
        settings.texts.es.price_includes = vec!["Permiso y limpieza".to_owned()];
        settings
    }

    #[test]
    fn nothing_is_claimed_that_was_not_set_and_that_is_said() {
        let unset = said(English, &WidgetSettings::default(), 16_120);
        assert_eq!(unset, "<p class=\"sh-small\">Ask Oak Roofing what this price includes.</p>");
    }

    #[test]
    fn the_example_has_every_figure_that_the_law_wants_beside_it() {
        let html = said(English, &set(), 16_120);
        for words in [
            "<span>Permit &amp; cleanup</span>",
            "Not included: rotten decking",
            "<b>$204.11 <small>a month for 120 months</small></b>",
            "$16,120 at 8.99% APR, no down payment: 120 payments of $204.11, $24,493.20 in all.",
            "An example, not an offer. The lender decides the rate and whether to lend",
            "href=\"https://oak.example.com/pay\"",
            "License RC-10448",
            "4.8 of 5, 1,212 reviews</a>",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
        let spanish = said(Spanish, &set(), 16_120);
        for words in ["Permiso y limpieza", "Licencia RC-10448", "120 pagos de $204.11, $24,493.20 en total"] {
            assert!(spanish.contains(words), "{words}: {spanish}");
        }
        assert!(!spanish.contains("Permit &amp;"));
        let small = said(English, &set(), 4_999);
        assert!(!small.contains("APR") && small.contains("License"), "{small}");
    }
}
