//! The hours of inspections in the form of a widget: from and to for each part of a day.

use shingle_domain::Language;
use shingle_domain::notice::Weekday;
use shingle_domain::settings::DayPart;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{div, el};
use crate::notices::weekday_in_words;
use crate::phrase::{capital, phrase, translated};
use crate::visit_words::part_in_words;
use crate::widget_fields::{VISITS, WidgetFormValues, visit_name};

/// The end of a name for when the hours begin, and for when they end.
const ENDS: [&str; 2] = ["from", "to"];

/// `08:00-12:00`, from the two fields that the form has for it. `None`: it has neither.
pub fn typed_hours<'f>(name: &str, field: impl Fn(&str) -> Option<&'f str>) -> Option<String> {
    if !name.starts_with("visit.") {
        return None;
    }
    let [from, to] = ENDS.map(|end| field(&format!("{name}.{end}")));
    if from.is_none() && to.is_none() {
        return None;
    }
    let (from, to) = (from.unwrap_or_default().trim(), to.unwrap_or_default().trim());
    Some(if from.is_empty() && to.is_empty() { String::new() } else { format!("{from}-{to}") })
}

fn part(language: Language, day: Weekday, part: DayPart, values: &WidgetFormValues) -> Option<Node> {
    let name = visit_name(day, part)?;
    let field = VISITS.iter().find(|field| field.name == name)?;
    let hours = values.get(name);
    let (from, to) = hours.split_once('-').unwrap_or((hours, ""));
    let wrong = values.said(name);
    let said = format!("{name}-said");
    let label = translated(language, field.label);
    let time = |end: &str, value: &str| {
        let called = match end {
            "from" => phrase(language, "{hours}, from", &[("hours", label)]),
            _ => phrase(language, "{hours}, to", &[("hours", label)]),
        };
        // The summary of what is wrong leads to the first one.
        let id = if end == "from" { name.to_owned() } else { format!("{name}.{end}") };
        let input = el("input")
            .set("id", id)
            .set("name", format!("{name}.{end}"))
            .set("class", "in")
            .set("type", "time")
            .set("step", "900")
            .set("aria-label", called)
            .set("value", value.to_owned());
        if wrong.is_some() { input.set("aria-invalid", "true").set("aria-describedby", said.clone()) } else { input }
    };
    let wrong = wrong
        .map(|wrong| Node::classed("p", "wrong").set("id", said.clone()).set("role", "alert").text(wrong.to_owned()));
    let part = div("part-hours")
        .child(el("span").set("aria-hidden", "true").text(capital(translated(language, part_in_words(part)))))
        .child(time(ENDS[0], from))
        .child(el("span").set("aria-hidden", "true").text("–"))
        .child(time(ENDS[1], to));
    Some(div("field").child(part).children(wrong).children(field.other(values)))
}

/// Every day with its three parts. Monday's hours can be copied to all others where scripts run.
pub(crate) fn visit_hours(language: Language, values: &WidgetFormValues) -> Node {
    let day = |day: &Weekday| {
        let copy = (*day == Weekday::Monday).then(|| {
            let button = |text: &'static str| {
                el("button").set("type", "button").set("class", "btn").set("hidden", "").text(text)
            };
            let of_all = button("Copy Monday to all days").set("data-copy-hours", "");
            div("pair").child(of_all).child(button("Undo").set("data-undo-hours", "")).child(
                Node::classed("span", "soft")
                    .set("role", "status")
                    .set("data-copied", translated(language, "Copied to all days.")),
            )
        });
        let parts = DayPart::ALL.iter().filter_map(|of| part(language, *day, *of, values));
        div("visit-day")
            .set("role", "group")
            .set("aria-label", weekday_in_words(*day))
            .set("data-day", day.as_str())
            .child(el("b").text(weekday_in_words(*day)))
            .children(parts)
            .children(copy)
    };
    div("visit-days").children(Weekday::ALL.iter().map(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_times_become_the_hours_of_a_part() {
        let read = |pairs: &[(&str, &'static str)]| {
            let pairs: Vec<(String, &'static str)> =
                pairs.iter().map(|(end, text)| (format!("visit.monday.morning.{end}"), *text)).collect();
            typed_hours("visit.monday.morning", |name| {
                pairs.iter().find(|(field, _)| field == name).map(|(_, text)| *text)
            })
        };
        assert_eq!(read(&[("from", "08:00"), ("to", "12:00")]).as_deref(), Some("08:00-12:00"));
        assert_eq!(read(&[("from", ""), ("to", " ")]).as_deref(), Some(""));
        assert_eq!(read(&[("from", "08:00"), ("to", "")]).as_deref(), Some("08:00-"));
        assert_eq!(read(&[]), None, "a form without them says nothing of them");
        assert_eq!(typed_hours("license", |_| Some("x")), None);
    }
}
