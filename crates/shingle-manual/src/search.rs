//! The search: which sections have the words, the best first.

use crate::book::{Page, Section, pages};

/// Longer questions are cut: a message of the program has fewer.
const MAX_WORDS: usize = 24;
const MAX_LETTERS: usize = 400;
const MAX_HITS: usize = 20;
/// A hit far behind the best one helps nobody.
const LEAST_OF_BEST: f32 = 0.3;
const IN_HEADING: f32 = 3.0;
const AS_WRITTEN: f32 = 4.0;
/// Letters of the text around what was found.
const AROUND: usize = 90;

pub(crate) struct Hit {
    pub page: &'static Page,
    pub section: &'static Section,
    pub excerpt: Excerpt,
    score: f32,
}

/// A piece of a section, in parts; every second part is a word that was asked for.
pub(crate) struct Excerpt {
    pub parts: Vec<&'static str>,
    pub is_cut_before: bool,
    pub is_cut_after: bool,
}

/// What was asked for, in small letters.
struct Question {
    words: Vec<String>,
    /// Each word with the next.
    pairs: Vec<String>,
    whole: String,
}

impl Question {
    fn parse(query: &str) -> Self {
        let query: String = query.chars().take(MAX_LETTERS).collect::<String>().to_ascii_lowercase();
        let mut words: Vec<String> = Vec::new();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for word in query.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
            if words.len() < MAX_WORDS && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        let pairs = words.windows(2).map(|pair| pair.join(" ")).collect();
        Self { words, pairs, whole: query.split_whitespace().collect::<Vec<_>>().join(" ") }
    }
}

pub(crate) fn search(query: &str) -> Vec<Hit> {
    let question = Question::parse(query);
    let sections: Vec<Lowered> =
        pages().iter().flat_map(|page| page.sections.iter().map(|s| Lowered::new(page, s))).collect();
    let all = sections.len() as f32;
    // A word of few sections says more than one of many.
    let weights: Vec<f32> = question
        .words
        .iter()
        .map(|word| sections.iter().filter(|section| section.has(word)).count())
        .map(|found| if found == 0 { 0.0 } else { (1.0 + all / found as f32).ln().powi(2) })
        .collect();
    let mut hits: Vec<Hit> = sections.iter().filter_map(|section| section.judge(&question, &weights)).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let least = hits.first().map_or(0.0, |best| best.score * LEAST_OF_BEST);
    hits.retain(|hit| hit.score >= least);
    hits.truncate(MAX_HITS);
    hits
}

/// A section with its text in small letters, byte for byte.
struct Lowered {
    page: &'static Page,
    section: &'static Section,
    heading: String,
    text: String,
}

impl Lowered {
    fn new(page: &'static Page, section: &'static Section) -> Self {
        let (heading, text) = (section.heading.to_ascii_lowercase(), section.text.to_ascii_lowercase());
        Self { page, section, heading, text }
    }

    fn has(&self, word: &str) -> bool {
        found(&self.heading, word).is_some() || found(&self.text, word).is_some()
    }

    fn judge(&self, question: &Question, weights: &[f32]) -> Option<Hit> {
        let mut score = 0.0;
        for (word, weight) in question.words.iter().zip(weights) {
            if found(&self.heading, word).is_some() {
                score += weight * IN_HEADING;
            } else if found(&self.text, word).is_some() {
                score += weight;
            }
        }
        // Words side by side, as in a part of a message.
        for (pair, weights) in question.pairs.iter().zip(weights.windows(2)) {
            if self.text.contains(pair.as_str()) {
                score += weights.iter().sum::<f32>();
            }
        }
        if question.words.len() > 1 && self.text.contains(&question.whole) {
            score *= AS_WRITTEN;
        }
        (score > 0.0).then(|| Hit {
            page: self.page,
            section: self.section,
            excerpt: self.excerpt(question, weights),
            score,
        })
    }

    fn excerpt(&self, question: &Question, weights: &[f32]) -> Excerpt {
        let said = self.section.text.as_str();
        let whole = Some(&question.whole).filter(|whole| question.words.len() > 1 && !whole.is_empty());
        let as_written = whole.and_then(|whole| Some((self.text.find(whole.as_str())?, whole.len())));
        let rarest = question
            .words
            .iter()
            .zip(weights)
            .filter_map(|(word, weight)| Some((weight, found(&self.text, word)?, word.len())))
            .max_by(|a, b| a.0.total_cmp(b.0))
            .map(|(_, at, len)| (at, len));
        let (at, len) = as_written.or(rarest).unwrap_or((0, 0));
        let from = said.floor_char_boundary(at.saturating_sub(AROUND));
        let from = if from == 0 { 0 } else { said[from..at].find(' ').map_or(from, |space| from + space + 1) };
        let to = said.ceil_char_boundary((at + len + AROUND).min(said.len()));
        let to = if to == said.len() { to } else { said[at + len..to].rfind(' ').map_or(to, |space| at + len + space) };
        let parts = vec![&said[from..at], &said[at..at + len], &said[at + len..to]];
        Excerpt { parts, is_cut_before: from > 0, is_cut_after: to < said.len() }
    }
}

/// Where a word begins with `word`. In `SHINGLE_SMTP_URL`, three words do.
fn found(text: &str, word: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(word).map(|at| from + at) {
        let is_begin = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        // A short word is meant as it is: `ip` is not `ipsum`.
        let is_end = word.len() > 2 || text[at + word.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if is_begin && is_end {
            return Some(at);
        }
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_where_one_begins() {
        assert_eq!(found("the smtp url", "smtp"), Some(4));
        assert_eq!(found("shingle_smtp_url", "smtp_url"), Some(8));
        assert_eq!(found("backups", "back"), Some(0));
        assert_eq!(found("setback", "back"), None);
        assert_eq!(found("ipsum ip", "ip"), Some(6));
        assert_eq!(found("päck back", "ck"), None);
    }

    #[test]
    fn a_page_is_found_by_its_subject_and_by_a_message() {
        let first = |query: &str| search(query).first().map(|hit| hit.page.name.as_str());
        assert_eq!(first("restore"), Some("backup"));
        assert_eq!(first("traefik"), Some("https"));
        assert_eq!(first("The base URL has a path, and pages of the server link to its root"), Some("troubleshooting"));
        assert_eq!(first("the passphrase does not open this backup"), Some("backup"));
        assert!(search("").is_empty());
        assert!(search("zzzzqqq").is_empty());
        assert!(search("\u{130}\u{df} « »").is_empty());
    }

    #[test]
    fn an_excerpt_is_cut_between_words() {
        let hits = search("backup");
        assert!(hits.len() > 2);
        for hit in hits {
            let shown: String = hit.excerpt.parts.concat();
            assert!(hit.section.text.contains(&shown));
            let before = hit.section.text.split(&shown).next().unwrap_or_default();
            assert!(before.is_empty() || before.ends_with(' '), "{shown}");
        }
    }
}
