//! How commands speak: words for people, JSON for programs.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use super::Problem;

#[derive(Debug, Clone, Copy)]
pub struct Report {
    json: bool,
}

impl Report {
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    pub fn is_json(self) -> bool {
        self.json
    }

    /// Whether somebody watches: progress is for eyes only.
    pub fn is_watched(self) -> bool {
        !self.json && io::stderr().is_terminal()
    }

    /// The result, once: `value` as one line of JSON, or the words.
    pub fn done<T: Serialize>(self, value: &T, words: impl FnOnce(&T) -> String) -> Result<(), Problem> {
        let text = if self.json {
            serde_json::to_string(value)
                .map_err(|e| Problem::new(format!("The answer cannot be written as JSON: {e}")))?
        } else {
            words(value)
        };
        self.line(&text)
    }

    /// A finished text as it is.
    pub fn line(self, text: &str) -> Result<(), Problem> {
        let mut out = io::stdout().lock();
        match writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()) {
            // Whoever read the pipe has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Problem::new(format!("The answer cannot be written: {error}"))),
            Ok(()) => Ok(()),
        }
    }

    pub fn failed(self, problem: &Problem) {
        let text = match serde_json::to_string(problem) {
            Ok(json) if self.json => json,
            _ => format!("error: {problem}"),
        };
        // Nowhere left to say it if this fails; the exit code still does.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Columns under headings, as wide as their widest cell.
pub fn table<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> String {
    let mut widths = headings.map(|h| h.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        text.trim_end().to_owned()
    };
    let mut text = line(headings);
    for row in rows {
        text.push('\n');
        text.push_str(&line(row.each_ref().map(String::as_str)));
    }
    text
}
