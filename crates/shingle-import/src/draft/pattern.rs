//! Expressions that headings and codes are looked for with. Each is compiled once in a process: compiling all of them takes
//! longer than reading a small table.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex::bytes::{Regex, RegexBuilder};

/// Letters beyond ASCII stand for themselves only; tables of all letters would make each expression slow to compile.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Arc<Regex>);

impl Pattern {
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }
}

/// `None` where the text is no expression.
pub(super) fn pattern(text: &str) -> Option<Pattern> {
    static KNOWN: LazyLock<Mutex<HashMap<String, Option<Pattern>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pattern) = known.get(text) {
        return pattern.clone();
    }
    let compiled = RegexBuilder::new(text).unicode(false).build().ok().map(|regex| Pattern(Arc::new(regex)));
    known.insert(text.to_owned(), compiled.clone());
    compiled
}
