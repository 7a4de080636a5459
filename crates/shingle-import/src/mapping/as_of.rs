//! The date a source describes. Of two sources the newer wins, so invalid dates are rejected.

use jiff::civil::Date;
use serde::Deserialize;
use serde::de::{self, Deserializer};
use shingle_domain::message::ToMessage;

use crate::format::date::format_of;
use crate::mapping::mapping_problem::{AsOfForms, AsOfProblem};

/// `2024`, `2024-06` or `2024-06-30`, as the index compares them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AsOf(pub String);

/// TOML has numbers and dates of its own, and people write both.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Year(i64),
    Date(toml::value::Datetime),
}

impl<'de> Deserialize<'de> for AsOf {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = match Written::deserialize(from) {
            Ok(Written::Text(text)) => text,
            Ok(Written::Year(year)) => year.to_string(),
            Ok(Written::Date(date)) => date.to_string().chars().take(10).collect(),
            Err(_) => return Err(through_the_parser(&AsOfProblem::NotADate { forms: AsOfForms::Any })),
        };
        Self::parse(&text).map_err(|problem| through_the_parser(&problem))
    }
}

/// The parser carries only texts.
fn through_the_parser<E: de::Error>(problem: &AsOfProblem) -> E {
    E::custom(serde_json::to_string(&problem.to_message()).unwrap_or_else(|_| problem.to_string()))
}

impl AsOf {
    pub fn parse(text: &str) -> Result<Self, AsOfProblem> {
        let is_whole = text
            .split('-')
            .enumerate()
            .all(|(at, part)| part.len() == if at == 0 { 4 } else { 2 } && part.bytes().all(|b| b.is_ascii_digit()));
        let mut parts = text.split('-').map(|part| part.parse::<i16>().unwrap_or_default());
        let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let [month, day] = [month, day].map(|part| i8::try_from(part.unwrap_or(1)).unwrap_or_default());
        let is_date = (1600..=2200).contains(&year) && Date::new(year, month, day).is_ok();
        if is_whole && is_date && parts.next().is_none() {
            return Ok(Self(text.to_owned()));
        }
        let meant = format_of(text).and_then(|format| Date::strptime(format, text).ok());
        let (forms, text) = (AsOfForms::Any, text.to_owned());
        Err(match meant {
            Some(date) => AsOfProblem::OtherMeant { forms, text, date: date.to_string() },
            None => AsOfProblem::Other { forms, text },
        })
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::message::Message;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Of {
        as_of: AsOf,
    }

    fn read(toml: &str) -> Result<String, String> {
        let read = toml::from_str::<Of>(&format!("as_of = {toml}")).map(|of| of.as_of.0);
        read.map_err(|e| serde_json::from_str::<Message>(e.message()).unwrap().to_string())
    }

    #[test]
    fn years_months_and_days_are_read_however_toml_has_them() {
        for (toml, kept) in [
            ("\"2025\"", "2025"),
            ("2025", "2025"),
            ("\"2025-06\"", "2025-06"),
            ("\"2025-06-30\"", "2025-06-30"),
            ("2025-06-30", "2025-06-30"),
        ] {
            assert_eq!(read(toml).as_deref(), Ok(kept), "{toml}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused_with_what_to_write() {
        for toml in
            ["\"2025-13\"", "\"2025-02-30\"", "\"25\"", "\"June 2025\"", "20250630", "\"\"", "\"2025-6\"", "true"]
        {
            let told = read(toml).unwrap_err();
            assert!(told.contains("\"2025-06\" or"), "{toml}: {told}");
        }
        assert!(read("\"06/30/2025\"").unwrap_err().contains("did you mean `2025-06-30`?"));
    }
}
