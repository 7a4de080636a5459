//! Requests about personal data: whose they are, and how long they are kept.

use super::lead::{email, phone};
use super::reader::{FieldReader, FieldValue, Fields};
use crate::contact::{Email, Phone};
use crate::violation::{Rule, Violations};

/// Whose data are asked for: by e-mail address, phone number, or either of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonQuery {
    pub email: Option<Email>,
    pub phone: Option<Phone>,
}

impl PersonQuery {
    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let email = filled(&mut reader, "email")
            .and_then(|text| email(text).map_err(|problem| reader.violate("email", problem.rule())).ok());
        let phone = filled(&mut reader, "phone")
            .and_then(|text| phone(text).map_err(|problem| reader.violate("phone", problem.rule())).ok().flatten());
        if reader.violations.0.is_empty() && email.is_none() && phone.is_none() {
            reader.violate("email", Rule::EmailOrPhone);
        }
        reader.violations.or(Self { email, phone })
    }
}

fn filled<'a>(reader: &mut FieldReader<'a>, name: &str) -> Option<&'a str> {
    match reader.sent(name) {
        FieldValue::Nothing => None,
        FieldValue::Text(text) => Some(text).filter(|text| !text.trim().is_empty()),
        _ => {
            reader.violate(name, Rule::Text);
            None
        }
    }
}

/// How many days leads are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionDays(u32);

impl RetentionDays {
    pub const MAX: u32 = 36_500;
    /// Four years and a day: so long a consent may be asked for in the United States.
    pub const OF_CONSENT: u32 = 1_462;

    pub fn new(days: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&days).then_some(Self(days))
    }

    pub fn get(self) -> u32 {
        self.0
    }

    /// Of a query; nothing where it is left out.
    pub fn parse_query(fields: &Fields<'_>) -> Result<Option<Self>, Violations> {
        let mut reader = FieldReader::new(fields);
        let days = match reader.sent("days") {
            FieldValue::Nothing => return Ok(None),
            FieldValue::Text(text) => text.parse().ok().and_then(Self::new),
            _ => None,
        };
        if days.is_none() {
            reader.violate("days", DAYS);
        }
        reader.violations.or(days)
    }

    /// Of a body, which replaces what was set: without a number leads are kept.
    pub fn parse_body(fields: &Fields<'_>) -> Result<Option<Self>, Violations> {
        let mut reader = FieldReader::new(fields);
        let whole =
            |number: f64| (number.fract() == 0.0 && (1.0..=f64::from(Self::MAX)).contains(&number)).then_some(number);
        let days = match reader.sent("days") {
            FieldValue::Nothing => return Ok(None),
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its bounds are checked")]
            FieldValue::Number(number) => whole(number).and_then(|number| Self::new(number as u32)),
            _ => None,
        };
        if days.is_none() {
            reader.violate("days", DAYS);
        }
        reader.violations.or(days)
    }
}

const DAYS: Rule = Rule::WholeFrom { min: 1, max: RetentionDays::MAX };

#[cfg(test)]
mod tests {
    use super::super::FieldItem;
    use super::*;

    fn person(pairs: &[(&str, &str)]) -> Result<PersonQuery, Vec<String>> {
        PersonQuery::parse(&Fields::from_pairs(pairs.iter().copied())).map_err(|violations| violations.messages())
    }

    #[test]
    fn a_person_has_an_address_or_a_number() {
        let found = person(&[("email", " Ann@example.com "), ("phone", "207 555 0143")]).unwrap();
        assert_eq!(found.email.unwrap().as_str(), "Ann@example.com");
        assert_eq!(found.phone.unwrap().as_str(), "(207) 555-0143");
        assert!(person(&[("phone", "2075550143"), ("email", "")]).unwrap().email.is_none());
        for (pairs, rule) in [
            (&[][..], "email or phone should not be empty"),
            (&[("email", " ")], "email or phone should not be empty"),
            (&[("email", "ann")], "email must be an email"),
            (&[("phone", "12")], "phone must be a valid phone number"),
        ] {
            assert_eq!(person(pairs).unwrap_err(), [rule], "{pairs:?}");
        }
        let mut fields = Fields::default();
        fields.push_item("email", FieldItem::Boolean(true));
        assert_eq!(
            PersonQuery::parse(&fields).unwrap_err().messages(),
            ["email must be a string", "email or phone should not be empty"][..1]
        );
    }

    #[test]
    fn days_are_whole_and_null_keeps_leads() {
        let body = |item| {
            let mut fields = Fields::default();
            fields.push_item("days", item);
            RetentionDays::parse_body(&fields).map(|days| days.map(RetentionDays::get)).map_err(|v| v.messages())
        };
        assert_eq!(body(FieldItem::Number(1_500.0)), Ok(Some(1_500)));
        assert_eq!(body(FieldItem::Null), Ok(None));
        for wrong in [0.0, -1.0, 1.5, 36_501.0, f64::NAN, f64::INFINITY] {
            assert_eq!(body(FieldItem::Number(wrong)).unwrap_err(), ["days must be a whole number from 1 to 36500"]);
        }
        assert_eq!(RetentionDays::parse_body(&Fields::default()).unwrap(), None);
        let query = |text| RetentionDays::parse_query(&Fields::from_pairs([("days", text)]));
        assert_eq!(query("30").unwrap().map(RetentionDays::get), Some(30));
        assert!(query("0").is_err() && query("x").is_err());
        assert_eq!(RetentionDays::parse_query(&Fields::default()).unwrap(), None);
    }
}
