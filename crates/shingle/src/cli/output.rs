//! What commands print: text for people, JSON for programs.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use shingle_app::operator_error::OperatorError;

#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    pub fn is_json(self) -> bool {
        self.json
    }

    /// Whether a person watches the terminal.
    pub fn shows_progress(self) -> bool {
        !self.json && io::stderr().is_terminal()
    }

    /// Prints the result: `value` as one line of JSON, or as text.
    pub fn print<T: Serialize>(self, value: &T, to_text: impl FnOnce(&T) -> String) -> Result<(), OperatorError> {
        let text = if self.json {
            serde_json::to_string(value)
                .map_err(|e| OperatorError::new(format!("The result cannot be written as JSON: {e}")))?
        } else {
            to_text(value)
        };
        self.print_text(&text)
    }

    pub fn print_text(self, text: &str) -> Result<(), OperatorError> {
        let mut out = io::stdout().lock();
        match writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()) {
            // The reader of the pipe has closed it.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(OperatorError::new(format!("The result cannot be written: {error}"))),
            Ok(()) => Ok(()),
        }
    }

    /// Prints a part of what is too long to be held as a whole. `false`: nobody reads on.
    pub fn print_part(self, part: &[u8]) -> Result<bool, OperatorError> {
        let mut out = io::stdout().lock();
        match out.write_all(part).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(OperatorError::new(format!("The result cannot be written: {error}"))),
            Ok(()) => Ok(true),
        }
    }

    pub fn print_error(self, error: &OperatorError) {
        let text = match serde_json::to_string(error) {
            Ok(json) if self.json => json,
            _ => format!("error: {error}"),
        };
        // If this fails, the exit code still reports the error.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Formats a table with columns as wide as their widest cell.
pub fn table<const N: usize>(headings: [&'static str; N], rows: &[[String; N]]) -> String {
    TableParts::new(headings).part(rows)
}

/// A table in parts: its columns are as wide as the widest cell up to the end of the part.
pub struct TableParts<const N: usize> {
    headings: Option<[&'static str; N]>,
    widths: [usize; N],
}

impl<const N: usize> TableParts<N> {
    pub fn new(headings: [&'static str; N]) -> Self {
        Self { headings: Some(headings), widths: headings.map(|h| h.chars().count()) }
    }

    /// Lines without an end of the last one. The first part begins with the headings.
    pub fn part(&mut self, rows: &[[String; N]]) -> String {
        for row in rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let headings = self.headings.take().map(|headings| self.line(headings));
        let lines = headings.into_iter().chain(rows.iter().map(|row| self.line(row.each_ref().map(String::as_str))));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line(&self, cells: [&str; N]) -> String {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(self.widths) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        text.trim_end().to_owned()
    }
}
