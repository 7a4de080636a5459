//! Normalizes what people type into a widget's fields.

use shingle_domain::{Email, SafeUrl};

/// What a link or an address looks like to the rules, however it was typed.
pub fn tidied(name: &str, text: &str) -> String {
    let text = text.trim();
    match name {
        "companyUrl" | "footerPirvacyPolicyLink" | "footerTermsOfUseLink"
            if !text.is_empty() && !text.contains("://") && SafeUrl::parse(&format!("https://{text}")).is_some() =>
        {
            format!("https://{text}")
        }
        "companyPhone" => shingle_domain::Phone::parse_loosely(text)
            .map_or_else(|| text.to_owned(), |phone| phone.as_str().to_owned()),
        "companyEmail" => Email::parse(text).map_or_else(|| text.to_owned(), |email| email.as_str().to_owned()),
        _ if name.starts_with("visit.") => hours(text),
        "monthlyPayment.link" | "rating.link"
            if !text.is_empty() && !text.contains("://") && SafeUrl::parse(&format!("https://{text}")).is_some() =>
        {
            format!("https://{text}")
        }
        // As people paste it from elsewhere.
        _ if name.ends_with("Color") && matches!(text.len(), 3 | 6) && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
            format!("#{text}")
        }
        "installedPrice" => text.trim_start_matches('$').replace(',', ""),
        _ => text.to_owned(),
    }
}

/// `8 - 12:30`, `8am to 5 pm` as the rules write it: `08:00-12:30`. Anything else stays as typed.
fn hours(text: &str) -> String {
    let lower = text.to_ascii_lowercase().replace(" to ", "-").replace(['–', '—'], "-");
    let read = lower.split_once('-').and_then(|(from, to)| Some(format!("{}-{}", time(from)?, time(to)?)));
    read.unwrap_or_else(|| text.to_owned())
}

fn time(text: &str) -> Option<String> {
    let text = text.trim();
    let (digits, later) = match (text.strip_suffix("pm"), text.strip_suffix("am")) {
        (Some(digits), _) => (digits.trim(), Some(12)),
        (_, Some(digits)) => (digits.trim(), Some(0)),
        _ => (text, None),
    };
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, "00"));
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match later {
        Some(later) if (1..=12).contains(&hour) => hour % 12 + later,
        Some(_) => return None,
        None => hour,
    };
    (hour <= 24 && minute < 60).then(|| format!("{hour:02}:{minute:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_put_in_the_form_of_the_rules() {
        for (name, typed, read) in [
            ("companyUrl", " oak.example.com ", "https://oak.example.com"),
            ("companyUrl", "javascript:alert(1)", "javascript:alert(1)"),
            ("companyUrl", "", ""),
            ("companyPhone", "207.555.0143", "(207) 555-0143"),
            ("companyPhone", "555", "555"),
            ("installedPrice", "$1,234.50", "1234.50"),
            ("buttonText", " Go ", "Go"),
            ("visit.monday.morning", "8 – 12:30", "08:00-12:30"),
            ("visit.monday.morning", "8am to 5 PM", "08:00-17:00"),
            ("visit.monday.morning", "12am-12pm", "00:00-12:00"),
            ("visit.monday.morning", "13pm-2", "13pm-2"),
            ("visit.monday.morning", "noon", "noon"),
            ("rating.link", "oak.example.com/r", "https://oak.example.com/r"),
        ] {
            assert_eq!(tidied(name, typed), read);
        }
    }
}
