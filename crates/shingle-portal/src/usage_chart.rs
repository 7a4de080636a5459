//! Bars of look-ups by day. A table has the same data for people who cannot see them.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::element::el;

pub(crate) struct Days<'d> {
    /// From the first day of the month to its last.
    pub calls: &'d [i64],
    /// What a day that is still to come is guessed to have.
    pub guess: Option<i64>,
    /// Days that are over.
    pub over: usize,
}

/// Pixels of the page: the drawing is as wide as its card, and as high at each width.
const HEIGHT: usize = 150;
/// Room above the highest line for half of its figure.
const ABOVE: usize = 8;

/// What the highest line stands for: so much that a line at its half is a whole number, and both are round.
fn top(most: i64) -> i64 {
    let half = (most + 1) / 2;
    let mut ten = 1;
    while half > ten * 10 {
        ten *= 10;
    }
    [1, 2, 3, 4, 5, 6, 8, 10].into_iter().map(|n| n * ten * 2).find(|top| *top >= most).unwrap_or(most)
}

pub(crate) fn chart(days: &Days<'_>) -> Node {
    let top = top(days.calls.iter().copied().chain(days.guess).max().unwrap_or(0).max(1));
    let step = 100.0 / days.calls.len().max(1) as f64;
    let share = |of: f64| format!("{of:.2}%");
    let bar = |n: usize, calls: i64, class: &'static str| {
        let height = (HEIGHT as f64 * calls as f64 / top as f64).max(1.0);
        el("rect")
            .set("class", class)
            .set("x", share((n as f64 + 0.15) * step))
            .set("y", format!("{:.1}", (HEIGHT + ABOVE) as f64 - height))
            .set("width", share(step * 0.7))
            .set("height", format!("{height:.1}"))
    };
    let mut picture = el("svg").set("class", "chart by-day").set("aria-hidden", "true").set("focusable", "false");
    for (at, value) in [(0, top), (HEIGHT / 2, top / 2), (HEIGHT, 0)] {
        let y = (at + ABOVE).to_string();
        let line = el("line").set("x2", "100%").set("y1", y.clone()).set("y2", y);
        // Figures are in the padding beside the drawing.
        let figure = el("text").set("x", "-8").set("y", (at + ABOVE + 4).to_string()).set("class", "beside");
        picture = picture.child(line).child(figure.text(thousands(value)));
    }
    for (n, calls) in days.calls.iter().enumerate() {
        if *calls > 0 {
            picture = picture.child(bar(n, *calls, "bar"));
        } else if let Some(guess) = days.guess.filter(|guess| *guess > 0 && n > days.over) {
            picture = picture.child(bar(n, guess, "open"));
        }
        if n % 7 == 0 {
            let day = el("text").set("x", share((n as f64 + 0.5) * step)).set("y", (HEIGHT + ABOVE + 18).to_string());
            picture = picture.child(day.set("class", "below").text((n + 1).to_string()));
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_line_is_round_and_halves_to_a_whole_number() {
        for (most, line) in
            [(1, 2), (2, 2), (3, 4), (5, 6), (9, 10), (13, 16), (20, 20), (21, 40), (103, 120), (8_001, 10_000)]
        {
            assert_eq!(top(most), line, "{most}");
        }
    }
}
