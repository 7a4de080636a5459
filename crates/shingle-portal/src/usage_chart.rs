//! Bars of look-ups by day. A table says the same to whoever cannot see them.

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

const WIDTH: usize = 620;
const HEIGHT: usize = 150;
/// Room for the figures beside and below.
const LEFT: usize = 46;
const BELOW: usize = 22;

pub(crate) fn chart(days: &Days<'_>) -> Node {
    let most = days.calls.iter().copied().chain(days.guess).max().unwrap_or(0).max(1);
    let count = days.calls.len().max(1);
    let step = (WIDTH - LEFT) as f64 / count as f64;
    let bar = |n: usize, calls: i64, class: &'static str| {
        let height = (HEIGHT as f64 * calls as f64 / most as f64).max(1.0);
        el("rect")
            .set("class", class)
            .set("x", format!("{:.1}", LEFT as f64 + n as f64 * step + step * 0.15))
            .set("y", format!("{:.1}", HEIGHT as f64 + 8.0 - height))
            .set("width", format!("{:.1}", step * 0.7))
            .set("height", format!("{height:.1}"))
    };
    let mut picture = el("svg")
        .set("class", "chart")
        .set("viewBox", format!("0 0 {WIDTH} {}", HEIGHT + 8 + BELOW))
        .set("aria-hidden", "true")
        .set("focusable", "false");
    for (at, value) in [(0, most), (HEIGHT / 2, most / 2), (HEIGHT, 0)] {
        let y = (at + 8).to_string();
        picture = picture.child(el("path").set("d", format!("M{LEFT} {y}H{WIDTH}"))).child(
            el("text")
                .set("x", (LEFT - 6).to_string())
                .set("y", (at + 12).to_string())
                .set("text-anchor", "end")
                .text(thousands(value)),
        );
    }
    for (n, calls) in days.calls.iter().enumerate() {
        if *calls > 0 {
            picture = picture.child(bar(n, *calls, "bar"));
        } else if let Some(guess) = days.guess.filter(|guess| *guess > 0 && n > days.over) {
            picture = picture.child(bar(n, guess, "guess"));
        }
        if n % 7 == 0 {
            let x = LEFT as f64 + n as f64 * step + step / 2.0;
            picture = picture.child(
                el("text")
                    .set("x", format!("{x:.1}"))
                    .set("y", (HEIGHT + 26).to_string())
                    .set("text-anchor", "middle")
                    .text((n + 1).to_string()),
            );
        }
    }
    picture
}
