//! A letter as plain text: lines under 72 characters, where a link or a long word allows it.

use crate::letter::{Amount, Block, Letter, Row, Span};

const WIDTH: usize = 71;
/// Labels of rows are in a column of at most this width.
const MAX_LABEL: usize = 17;

pub fn render(letter: &Letter) -> String {
    let mut text = String::new();
    let mut buttons = false;
    for block in &letter.blocks {
        // Buttons belong to what follows, as the hint about one of them.
        if spaced(block) || buttons {
            text.push('\n');
        }
        buttons = matches!(block, Block::Buttons(_));
        show(&mut text, block);
    }
    text.push('\n');
    wrap(&mut text, &said(&letter.footer), "", "");
    text.trim_start().to_owned()
}

fn spaced(block: &Block) -> bool {
    !matches!(block, Block::Line(_) | Block::Amount(_) | Block::Rows(_) | Block::Steps(_))
}

fn show(text: &mut String, block: &Block) {
    match block {
        Block::Kicker { what, when } if when.is_empty() => wrap(text, &what.to_uppercase(), "", ""),
        Block::Kicker { what, when } => wrap(text, &[&what.to_uppercase(), ", ", when].concat(), "", ""),
        Block::Title(line) | Block::Line(line) | Block::Notice(line) => wrap(text, line, "", ""),
        Block::Heading(line) => wrap(text, &line.to_uppercase(), "", ""),
        Block::Amount(amount) => show_amount(text, amount),
        Block::Buttons(buttons) => {
            let rows = buttons.iter().map(|b| Row::plain(&b.text[0], [b.text[1].clone()]));
            show_rows(text, &rows.collect::<Vec<_>>());
        }
        Block::Small(spans) => wrap(text, &said(spans), "", ""),
        Block::Picture { alt, .. } => wrap(text, &["[", alt, "]"].concat(), "", ""),
        Block::Command(line) => push_line(text, &["  ", line].concat()),
        Block::Rows(rows) => show_rows(text, rows),
        Block::Steps(steps) => {
            for (at, [title, more]) in steps.iter().enumerate() {
                let first = format!("{}. ", at + 1);
                wrap(text, &[title, ". ", more].concat(), &first, "   ");
            }
        }
        Block::Card { title, lines } => {
            wrap(text, title, "", "");
            for line in lines {
                wrap(text, &said(line), "", "");
            }
        }
    }
}

fn show_amount(text: &mut String, amount: &Amount) {
    for line in std::iter::once(&amount.sum).chain(&amount.strong).chain(&amount.details) {
        wrap(text, line, "", "");
    }
}

fn show_rows(text: &mut String, rows: &[Row]) {
    let label_width = rows.iter().map(|row| width(&row.label) + 2).max().unwrap_or_default().min(MAX_LABEL);
    let blank = " ".repeat(label_width);
    for row in rows {
        let mut label = [&row.label, ":"].concat();
        let mut lines = row.lines.iter();
        if width(&label) < label_width {
            label.push_str(&" ".repeat(label_width - width(&label)));
            wrap(text, &lines.next().map(|line| said(line)).unwrap_or_default(), &label, &blank);
        } else {
            wrap(text, &label, "", "");
        }
        for line in lines {
            wrap(text, &said(line), &blank, &blank);
        }
    }
}

fn said(spans: &[Span]) -> String {
    spans.iter().map(say).collect()
}

fn say(span: &Span) -> String {
    match span {
        Span::Plain(text) | Span::Strong(text) => text.clone(),
        Span::Link { label, href } => match href.split_once(':') {
            Some(("mailto" | "tel", _)) => label.clone(),
            _ if label == href => href.clone(),
            _ => [label, ": ", href].concat(),
        },
    }
}

/// Characters, as a fixed font would show most of them.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// Adds `line` in lines that begin with `first` and then `next`. Words longer than a line are left whole.
fn wrap(text: &mut String, line: &str, first: &str, next: &str) {
    let mut current = first.to_owned();
    let mut empty = true;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        if !empty && width(&current) + 1 + width(word) > WIDTH {
            push_line(text, &current);
            current = next.to_owned();
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(&word.replace('\u{a0}', " "));
        empty = false;
    }
    push_line(text, &current);
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[Row]) -> String {
        let mut text = String::new();
        show_rows(&mut text, rows);
        text
    }

    #[test]
    fn rows_stand_in_two_columns() {
        let both = [
            Row::plain(
                "Note",
                ["Side gate is open. Friendly dog in the yard. The ladder is behind the shed.".to_owned()],
            ),
            Row::plain("May contact", ["Calls".to_owned(), "and texts".to_owned()]),
        ];
        assert_eq!(
            rows(&both),
            "Note:        Side gate is open. Friendly dog in the yard. The ladder is\n             behind the shed.\n\
             May contact: Calls\n             and texts\n"
        );
        assert_eq!(
            rows(&[Row::plain("A label that is too long", ["x".to_owned()])]),
            "A label that is too long:\n                 x\n"
        );
    }

    #[test]
    fn a_word_longer_than_a_line_stays_whole() {
        let link = format!("https://example.com/{}", "x".repeat(90));
        let mut text = String::new();
        wrap(&mut text, &format!("Open it: {link} now"), "", "  ");
        assert_eq!(text, format!("Open it:\n  {link}\n  now\n"));
    }

    #[test]
    fn a_link_is_said_once() {
        let link = |label: &str, href: &str| say(&Span::Link { label: label.into(), href: href.into() });
        assert_eq!(link("a@b.co", "mailto:a@b.co"), "a@b.co");
        assert_eq!(link("Terms", "https://example.com/t"), "Terms: https://example.com/t");
        assert_eq!(link("https://example.com/", "https://example.com/"), "https://example.com/");
    }
}
