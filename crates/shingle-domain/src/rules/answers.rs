//! The rules of what a homeowner answers after the estimate.

use core::str::FromStr;

use super::lead::message;
use crate::answers::{AnswerChange, AnswersChange, ContactBy, ContactTime, Leak, Planned, RoofAge, SentAnswers};
use crate::violation::{Rule, Violations};

impl AnswersChange {
    pub fn parse(sent: &SentAnswers) -> Result<Self, Violations> {
        let mut answers = Answered::default();
        answers.word("roofAge", &sent.roof_age, RoofAge::ALL, RoofAge::as_str, AnswerChange::RoofAge);
        answers.word("leak", &sent.leak, Leak::ALL, Leak::as_str, AnswerChange::Leak);
        answers.word("planned", &sent.planned, Planned::ALL, Planned::as_str, AnswerChange::Planned);
        answers.word("contactBy", &sent.contact_by, ContactBy::ALL, ContactBy::as_str, AnswerChange::ContactBy);
        answers.word("contactTime", &sent.contact_time, ContactTime::ALL, ContactTime::as_str, |answer| {
            AnswerChange::ContactTime(answer)
        });
        if let Some(text) = &sent.note {
            match message(text) {
                Ok(note) => answers.changes.push(AnswerChange::Note(note)),
                Err(problem) => answers.broken.push("answers.note", problem.rule()),
            }
        }
        answers.broken.or(Self(answers.changes))
    }
}

#[derive(Default)]
struct Answered {
    changes: Vec<AnswerChange>,
    broken: Violations,
}

impl Answered {
    fn word<T: FromStr + Copy>(
        &mut self,
        name: &str,
        sent: &Option<String>,
        all: &[T],
        as_str: fn(T) -> &'static str,
        change: fn(Option<T>) -> AnswerChange,
    ) {
        match sent.as_deref().map(|text| if text.is_empty() { Ok(None) } else { text.parse().map(Some) }) {
            None => {}
            Some(Ok(answer)) => self.changes.push(change(answer)),
            Some(Err(_)) => {
                let words = all.iter().map(|word| as_str(*word)).collect();
                self.broken.push(format!("answers.{name}"), Rule::OneOf { words });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answers;

    fn change(json: &str) -> Result<AnswersChange, Violations> {
        AnswersChange::parse(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn an_answer_is_given_changed_and_taken_back_and_the_others_stay() {
        let mut answers = Answers::default();
        for (sent, kept) in [
            (r#"{"roofAge":"10-20","note":" The dog bites. "}"#, r#"{"roofAge":"10-20","note":"The dog bites."}"#),
            (
                r#"{"leak":"leak","planned":"now"}"#,
                r#"{"roofAge":"10-20","leak":"leak","planned":"now","note":"The dog bites."}"#,
            ),
            (
                r#"{"roofAge":"","note":null,"contactBy":"text","contactTime":"evening"}"#,
                r#"{"leak":"leak","planned":"now","contactBy":"text","contactTime":"evening"}"#,
            ),
            ("{}", r#"{"leak":"leak","planned":"now","contactBy":"text","contactTime":"evening"}"#),
        ] {
            change(sent).unwrap().apply(&mut answers);
            assert_eq!(serde_json::to_string(&answers).unwrap(), kept);
        }
        assert!(!answers.is_empty());
    }

    #[test]
    fn what_nobody_asked_is_refused_with_every_reason() {
        let broken = change(r#"{"roofAge":"old","contactBy":"fax","note":"a\u0007b"}"#).unwrap_err();
        assert_eq!(
            broken.messages(),
            [
                "answers.roofAge must be one of the following values: under-10, 10-20, over-20, unknown",
                "answers.contactBy must be one of the following values: call, text, email",
                "answers.note must not contain control characters",
            ]
        );
    }
}
