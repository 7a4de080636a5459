//! The results as charts: the funnel, how soon leads are answered, towns that are missing, what is won.

use shingle_domain::visit::{OTHER, VisitStep};
use shingle_domain::{Language, Usd};
use shingle_store::StepCounts;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::{dollars, thousands};

use crate::chart::{Bar, Room, as_table, bars, table};
use crate::counted::{Counted, counted};
use crate::element::{el, link, p, soft};
use crate::phrase::{phrase, read, translated};
use crate::results_sums::{WAITS, waits, weeks};
use crate::results_view::{ENOUGH, ResultsView, card_with_csv, share, share_or_counts, step_in_words};

const FUNNEL: [VisitStep; 5] =
    [VisitStep::Opened, VisitStep::Address, VisitStep::Roof, VisitStep::Details, VisitStep::Lead];

pub(crate) fn funnel(view: &ResultsView<'_>, sum: &StepCounts, language: Language) -> Node {
    let of = |step: VisitStep| sum[step as usize];
    let is_whole = view.query.page.is_empty() && view.query.source.is_empty();
    let mut all = card_with_csv("From view to lead", view.query, "steps", language);
    if is_whole {
        all = all.child(soft(phrase(language, "Seen: {count}", &[("count", &thousands(of(VisitStep::Seen)))])));
    }
    if let Some(since) = view.counted_since.filter(|since| *since > view.query.first) {
        all = all.child(soft(phrase(language, "Counted since {day}.", &[("day", &view.day(since, language))])));
    }
    let opened = of(VisitStep::Opened);
    let rows = VisitStep::ALL.into_iter().enumerate().filter(|(n, _)| *n > 0 || is_whole).map(|(n, step)| {
        let behind = n.checked_sub(1).map_or(0, |before| sum[before]);
        let of_before = if n == 0 { String::new() } else { share_or_counts(sum[n], behind, language) };
        let of_before = if n == 1 && !is_whole { String::new() } else { of_before };
        vec![step_in_words(step).into(), thousands(sum[n]).into(), of_before.into()]
    });
    let caption = phrase(
        language,
        "From view to lead, {first} to {last}",
        &[("first", &view.day(view.query.first, language)), ("last", &view.day(view.query.last, language))],
    );
    let rows: Vec<Vec<Text>> = rows.collect();
    let how = "We count without cookies and without identifying anyone: a returning visitor counts twice. A step counts everyone who got that far or farther. “Seen” is at least that many: a browser keeps the widget for five minutes and doesn’t say which page it’s on. We don’t count suspected spam.";
    if opened < ENOUGH {
        let few = phrase(
            language,
            "Too few to tell. Opened: {opened}. Leads: {leads}. We show percentages from 30 on; until then you see the counts.",
            &[("opened", &thousands(opened)), ("leads", &thousands(of(VisitStep::Lead)))],
        );
        return all
            .child(p(few))
            .child(table(caption, &["Step", "Count", "Of the previous step"], rows))
            .child(soft(how));
    }
    let mut bar = Vec::new();
    let mut worst: Option<(i64, VisitStep)> = None;
    let mut before = of(VisitStep::Seen);
    for step in FUNNEL {
        let count = of(step);
        let mut one = Bar::new(step_in_words(step), count, thousands(count));
        if (step != VisitStep::Opened || is_whole)
            && let Some(share) = share(count, before)
        {
            one.share = phrase(language, "{share} of the previous step", &[("share", &share)]);
        }
        one.is_strong = step == VisitStep::Lead;
        bar.push(one);
        if step != VisitStep::Opened && worst.is_none_or(|(lost, _)| before - count > lost) && before > count {
            worst = Some((before - count, step));
        }
        before = count;
    }
    let lost = worst.map(|(lost, step)| {
        let of = match step {
            VisitStep::Address => Counted::LEFT_AT_ADDRESS,
            VisitStep::Roof => Counted::LEFT_AT_ROOF,
            VisitStep::Details => Counted::LEFT_AT_CONTACT,
            _ => Counted::LEFT_UNSENT,
        };
        counted(language, of, lost)
    });
    let sentence = phrase(
        language,
        "Funnel. Opened: {opened}. Leads: {leads}. {lost}",
        &[
            ("opened", &thousands(opened)),
            ("leads", &thousands(of(VisitStep::Lead))),
            ("lost", lost.as_deref().unwrap_or_default()),
        ],
    );
    let all = all.child(bars(&sentence, &bar, Room::Whole)).child(as_table(table(
        caption,
        &["Step", "Count", "Of the previous step"],
        rows,
    )));
    let lost = lost.map(|lost| {
        p("").child(el("span").text("Biggest drop-off:")).child(el("span").text(" ")).child(el("b").text(lost))
    });
    all.children(lost).child(soft(how))
}

pub(crate) fn touches(view: &ResultsView<'_>, language: Language) -> Node {
    let count = i64::try_from(view.leads.len()).unwrap_or_default();
    let counts = waits(view.leads);
    let how_many = counted(language, Counted::LEADS, count);
    let all = card_with_csv("Time to first response", view.query, "touch", language).child(soft(how_many));
    if count == 0 {
        return all.child(soft("No lead came in during this period."));
    }
    let bar = WAITS.iter().zip(counts).enumerate().map(|(n, ((_, name), count))| {
        let mut bar = Bar::new(*name, count, thousands(count));
        bar.is_strong = n == 0;
        bar
    });
    let sentence = phrase(
        language,
        "Time until someone took a lead or changed its status: {quick} of {all} within 5 minutes.",
        &[("quick", &thousands(counts[0])), ("all", &thousands(count))],
    );
    let rows = WAITS.iter().zip(counts).map(|((_, name), count)| vec![(*name).into(), thousands(count).into()]);
    let caption = translated(language, "Time to first response").to_owned();
    all.child(bars(&sentence, &bar.collect::<Vec<_>>(), Room::Half)).child(as_table(table(
        caption,
        &["Time", "Leads"],
        rows.collect(),
    )))
}

pub(crate) fn towns(view: &ResultsView<'_>, language: Language) -> Node {
    let asked: i64 = view.towns.iter().map(|(_, asked)| asked).sum();
    let how_many = counted(language, Counted::ADDRESSES, asked);
    let all = card_with_csv("Addresses we don’t cover", view.query, "towns", language).child(soft(how_many));
    let Some((town, most)) = view.towns.first() else {
        return all.child(soft("Every town visitors asked for is imported. We keep only the town, never the address."));
    };
    let named = |town: &str| -> Text { if town == OTHER { "Other towns".into() } else { town.to_owned().into() } };
    let bar: Vec<_> =
        view.towns.iter().take(8).map(|(town, asked)| Bar::new(named(town), *asked, thousands(*asked))).collect();
    let sentence = phrase(
        language,
        "Addresses in towns that are not imported: {count}, most of them in {town}: {most}.",
        &[("count", &thousands(asked)), ("town", &read(&named(town), language)), ("most", &thousands(*most))],
    );
    let rows = view.towns.iter().map(|(town, asked)| vec![named(town), thousands(*asked).into()]);
    let caption = translated(language, "Addresses we don’t cover").to_owned();
    all.child(bars(&sentence, &bar, Room::Half))
        .child(as_table(table(caption, &["Town", "Addresses"], rows.collect())))
        .child(el("p").child(link("/portal/towns", "What is imported")))
        .child(soft("We keep only the town, never the address. The source and page you chose don’t apply here."))
}

pub(crate) fn won(view: &ResultsView<'_>, language: Language) -> Node {
    let weeks = weeks(view.leads, view.query.first, view.query.last);
    let value: i64 = weeks.iter().map(|week| week.cents).sum();
    let won: i64 = weeks.iter().map(|week| week.won).sum();
    let all = card_with_csv("Won, by week the lead came in", view.query, "weeks", language);
    let rows = weeks.iter().rev().map(|week| {
        let figures = [thousands(week.leads), thousands(week.won), dollars(Usd::from_cents(week.cents))];
        std::iter::once(view.day(week.monday, language)).chain(figures).map(Text::from).collect()
    });
    let heads = ["Week from", "Leads", "Won", "Value"];
    let caption = translated(language, "Won by week").to_owned();
    if won == 0 {
        return all.child(soft("No lead from this period is won yet.")).child(as_table(table(
            caption,
            &heads,
            rows.collect(),
        )));
    }
    let shown = weeks.iter().rev().take(14).map(|week| {
        let said = [dollars(Usd::from_cents(week.cents)), thousands(week.won)];
        let said = phrase(language, "{value}, {won} won", &[("value", &said[0]), ("won", &said[1])]);
        let mut bar = Bar::new(view.day(week.monday, language), week.cents, said);
        let ends = week.monday.checked_add(jiff::Span::new().days(6)).unwrap_or(week.monday);
        bar.is_open = ends >= view.query.today;
        bar
    });
    let sentence = phrase(
        language,
        "Value won by week: {value}. Leads won: {won}.",
        &[("value", &dollars(Usd::from_cents(value))), ("won", &thousands(won))],
    );
    all.child(bars(&sentence, &shown.collect::<Vec<_>>(), Room::Whole))
        .child(as_table(table(caption, &heads, rows.collect())))
        .child(soft("A dashed outline marks the current week. Recent leads may still be won."))
}
