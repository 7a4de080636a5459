//! JSON of any size, value by value. The brackets show where a value ends, so a bad value costs one row and a huge one
//! costs no memory.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::error::ImportError;
use crate::format::file_problem::FileProblem;

/// No building and no parcel needs more. The rest of a longer value is skipped.
pub(crate) const MAX_VALUE_BYTES: usize = 64 * 1024 * 1024;

/// Reads a file once, from front to back.
pub(crate) struct JsonScanner {
    path: PathBuf,
    reader: BufReader<File>,
    /// The value that was read last, at most [`MAX_VALUE_BYTES`] of it.
    pub value: Vec<u8>,
    /// Whether `value` was cut off because it is too long.
    pub is_overlong: bool,
    pub read: u64,
}

impl JsonScanner {
    pub fn new(path: &Path, file: File) -> Self {
        let reader = BufReader::with_capacity(256 * 1024, file);
        Self { path: path.to_owned(), reader, value: Vec::new(), is_overlong: false, read: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn clear(&mut self) {
        self.value.clear();
        self.is_overlong = false;
    }

    pub fn peek(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            let buffer = self.reader.fill_buf().map_err(ImportError::read(&self.path))?;
            let Some(&b) = buffer.first() else { return Ok(None) };
            // White space, the byte order mark, and the record separator of GeoJSON sequences.
            if b.is_ascii_whitespace() || matches!(b, 0xEF | 0xBB | 0xBF | 0x1E) {
                self.reader.consume(1);
            } else {
                return Ok(Some(b));
            }
        }
    }

    /// The next byte that is not white space. The end of the file is an error.
    pub fn expect(&mut self) -> Result<u8, ImportError> {
        match self.peek()? {
            Some(b) => Ok(b),
            None => Err(ImportError::input(&self.path, FileProblem::EndsAfterFeature { number: self.read })),
        }
    }

    /// Takes the byte that [`peek`](Self::peek) showed.
    pub fn skip(&mut self) {
        self.reader.consume(1);
    }

    pub fn not_json(&self) -> ImportError {
        ImportError::input(&self.path, FileProblem::NotJson { number: self.read })
    }

    /// The rest of the line.
    pub fn take_line(&mut self) -> Result<(), ImportError> {
        loop {
            let buffer = self.reader.fill_buf().map_err(ImportError::read(&self.path))?;
            let end = buffer.iter().position(|b| *b == b'\n');
            let used = end.map_or(buffer.len(), |e| e + 1);
            if self.value.len() + used <= MAX_VALUE_BYTES {
                self.value.extend_from_slice(&buffer[..used]);
            }
            self.reader.consume(used);
            if end.is_some() || used == 0 {
                return Ok(());
            }
        }
    }

    /// Appends one JSON value to `value`.
    pub fn take_value(&mut self) -> Result<(), ImportError> {
        let first = self.expect()?;
        if matches!(first, b',' | b'}' | b']') {
            // A closing bracket without an opening one: reading on would not help.
            return Err(self.not_json());
        }
        self.take_to_end(!matches!(first, b'{' | b'[' | b'"'), 0)
    }

    /// Appends a list whose opening bracket was skipped.
    pub fn take_opened_list(&mut self) -> Result<(), ImportError> {
        self.value.push(b'[');
        self.take_to_end(false, 1)
    }

    /// Appends what is left of a value within so many brackets.
    fn take_to_end(&mut self, is_scalar: bool, mut depth: u64) -> Result<(), ImportError> {
        let (mut in_text, mut escaped) = (false, false);
        loop {
            let buffer = self.reader.fill_buf().map_err(ImportError::read(&self.path))?;
            if buffer.is_empty() {
                if is_scalar {
                    return Ok(());
                }
                let problem = FileProblem::EndsWithinFeature { number: self.read + 1 };
                return Err(ImportError::input(&self.path, problem));
            }
            let mut used = 0;
            let mut done = false;
            for &b in buffer {
                if is_scalar && (b.is_ascii_whitespace() || matches!(b, b',' | b'}' | b']')) {
                    done = true;
                    break;
                }
                used += 1;
                if in_text {
                    match b {
                        _ if escaped => escaped = false,
                        b'\\' => escaped = true,
                        b'"' => in_text = false,
                        _ => {}
                    }
                } else {
                    match b {
                        b'"' => in_text = true,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
                if !is_scalar && depth == 0 && !in_text {
                    done = true;
                    break;
                }
            }
            if self.value.len() + used <= MAX_VALUE_BYTES {
                self.value.extend_from_slice(&buffer[..used]);
            } else {
                self.is_overlong = true;
            }
            self.reader.consume(used);
            if done {
                return Ok(());
            }
        }
    }

    /// The next key of the current object; its value comes next. `None` at the end of the object.
    pub fn key(&mut self) -> Result<Option<String>, ImportError> {
        loop {
            match self.expect()? {
                b'}' => {
                    self.skip();
                    return Ok(None);
                }
                b',' => self.skip(),
                b'"' => {
                    self.clear();
                    self.take_value()?;
                    let key = serde_json::from_slice(&self.value).map_err(|_| self.not_json())?;
                    if self.expect()? != b':' {
                        return Err(self.not_json());
                    }
                    self.skip();
                    return Ok(Some(key));
                }
                _ => return Err(self.not_json()),
            }
        }
    }

    /// Reads the next value of the current list into `value`; `false` at the end of the list.
    pub fn element(&mut self) -> Result<bool, ImportError> {
        loop {
            match self.expect()? {
                b']' => {
                    self.skip();
                    return Ok(false);
                }
                b',' => self.skip(),
                _ => {
                    self.clear();
                    return self.take_value().map(|()| true);
                }
            }
        }
    }

    /// Skips one value.
    pub fn pass(&mut self) -> Result<(), ImportError> {
        self.clear();
        self.take_value()
    }
}
