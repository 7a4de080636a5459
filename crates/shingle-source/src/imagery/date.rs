//! When a photograph was taken, as catalogs write it.

use serde_json::Value;
use shingle_domain::aerial::PhotoDate;

/// Larger numbers are milliseconds since 1970; days as `20230714` are smaller.
const LEAST_MILLISECONDS: f64 = 1e10;
const DAY: i64 = 86_400_000;

/// A number or a text: milliseconds, `20230714`, `2023`, `2023-07-14…`, `7/14/2023…`.
pub fn date_of(value: &Value) -> Option<PhotoDate> {
    match value {
        Value::Number(number) => of_number(number.as_f64()?),
        Value::String(text) => of_text(text.trim()),
        _ => None,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "below 1e16")]
fn of_number(number: f64) -> Option<PhotoDate> {
    if number.abs() >= LEAST_MILLISECONDS {
        return (number.abs() < 1e15).then(|| of_days((number as i64).div_euclid(DAY)))?;
    }
    (number.fract() == 0.0 && number > 0.0).then(|| of_digits(&format!("{number}")))?
}

fn of_text(text: &str) -> Option<PhotoDate> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match text.parse::<f64>() {
            Ok(number) if number >= LEAST_MILLISECONDS => of_number(number),
            _ => of_digits(text),
        };
    }
    let day = text.split(['T', ' ']).next()?;
    let parts: Vec<&str> = day.split('/').collect();
    match parts.as_slice() {
        [month, day, year] => dated(&format!("{year}-{month:0>2}-{day:0>2}")),
        _ => dated(day),
    }
}

fn of_digits(digits: &str) -> Option<PhotoDate> {
    match digits.len() {
        4 => dated(digits),
        6 => dated(&format!("{}-{}", &digits[..4], &digits[4..])),
        8 => dated(&format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..])),
        _ => None,
    }
}

/// No photograph of a public survey is older than aerial photography of whole states, and none is of a later time.
fn dated(text: &str) -> Option<PhotoDate> {
    text.parse().ok().filter(|date: &PhotoDate| (1930..2100).contains(&date.year()))
}

/// Days since 1970 in the calendar, by its cycle of 400 years (146,097 days).
fn of_days(days: i64) -> Option<PhotoDate> {
    // From the first of March of the year 0, so that a leap day ends its year.
    let days = days + 719_468;
    let (cycle, of_cycle) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + cycle * 400 + i64::from(month <= 2);
    dated(&format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_way_to_write_a_date_is_read() {
        for (value, date) in [
            (json!(1_689_292_800_000_i64), "2023-07-14"),
            (json!(1_689_379_199_999_i64), "2023-07-14"),
            (json!(951_782_400_000_i64), "2000-02-29"),
            (json!(-315_619_200_000_i64), "1960-01-01"),
            (json!(1_735_603_200_000.0), "2024-12-31"),
            (json!("1689292800000"), "2023-07-14"),
            (json!(20_230_714), "2023-07-14"),
            (json!("20230714"), "2023-07-14"),
            (json!("2023-07-14T18:22:00Z"), "2023-07-14"),
            (json!("2023-07-14 00:00:00"), "2023-07-14"),
            (json!("7/4/2023 12:00:00 AM"), "2023-07-04"),
            (json!(202_307), "2023-07"),
            (json!("2023-07"), "2023-07"),
            (json!(2023), "2023"),
            (json!(" 2023 "), "2023"),
        ] {
            assert_eq!(date_of(&value).map(|date| date.to_string()).as_deref(), Some(date), "{value}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for value in [
            json!(null),
            json!(""),
            json!("unknown"),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(20_231_345),
            json!(99),
            json!("<Null>"),
            json!(1e300),
            json!(true),
            json!([2023]),
            json!("14/7/2023"),
            json!(1492),
            json!(9999),
        ] {
            assert_eq!(date_of(&value), None, "{value}");
        }
    }
}
