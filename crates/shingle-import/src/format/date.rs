//! Dates, however people write them.

use jiff::civil::Date;

use crate::format::cell::number;
use crate::mapping::mapping_problem::{DateLetters, MappingProblem};

/// An ISO date, from the stated `strptime` formats; `epoch-ms` and `epoch-s` count since 1970, `excel` is a
/// spreadsheet's number of a day. A leading ISO date is always understood. A time behind the date is left out.
pub(crate) fn date(text: &str, formats: &[String]) -> Option<String> {
    if formats.first().is_none_or(|format| format == "%Y-%m-%d") && is_iso_date(text) {
        return Some(text.to_owned());
    }
    let parsed = formats.iter().find_map(|format| match format.as_str() {
        "epoch-ms" => moment(number(text)?),
        "epoch-s" => moment(number(text)? * 1e3),
        // Day 60 is 29 February 1900, which never was. From day 61 on, counting from 1899-12-30 is right.
        "excel" => {
            let day = number(text).filter(|d| (61.0..200_000.0).contains(d))?;
            Date::constant(1899, 12, 30).checked_add(jiff::Span::new().days(day as i64)).ok()
        }
        format => Date::strptime(format, text).ok().or_else(|| {
            let (date, _) = text.split_once(' ').filter(|_| !format.contains(' '))?;
            Date::strptime(format, date).ok()
        }),
    });
    let date = parsed.or_else(|| text.get(..10)?.parse::<Date>().ok())?;
    (1600..=2200).contains(&date.year()).then(|| date.to_string())
}

/// A date of these years as it is kept: `2016-06-05`.
fn is_iso_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return false };
    let digits = [y1, y2, y3, y4, m1, m2, d1, d2];
    if !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let [y1, y2, y3, y4, m1, m2, d1, d2] = digits.map(|b| i16::from(b - b'0'));
    let (year, month, day) = (y1 * 1_000 + y2 * 100 + y3 * 10 + y4, m1 * 10 + m2, d1 * 10 + d2);
    (1600..=2200).contains(&year) && Date::new(year, month as i8, day as i8).is_ok()
}

fn moment(milliseconds: f64) -> Option<Date> {
    let moment = jiff::Timestamp::from_millisecond(milliseconds as i64).ok()?;
    Some(moment.to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// What stands where nobody knows the date: `00/00/0000`, `0`.
pub(crate) fn is_no_date(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0' | b'/' | b'-' | b'.' | b':' | b' ')) && text.contains('0')
}

/// Ways to write a date, besides the ISO one that is always read; the usual one first.
pub(crate) const USUAL: [&str; 9] = [
    "%m/%d/%Y",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%Y/%m/%d",
    "%Y%m%d",
    "%m-%d-%Y",
    "%d-%b-%Y",
    "%Y-%m-%d %H:%M:%S%.f",
    "%m/%d/%y",
];

/// The usual format that reads a text.
pub(crate) fn format_of(text: &str) -> Option<&'static str> {
    USUAL.into_iter().find(|format| Date::strptime(format, text).is_ok_and(|d| (1700..=2100).contains(&d.year())))
}

/// Whether a mapping may state a format: it says a whole date. The error says what to write.
pub(crate) fn check_format(format: &str) -> Result<(), MappingProblem> {
    if matches!(format, "excel" | "epoch-ms" | "epoch-s") {
        return Ok(());
    }
    if is_of_whole_dates(format) {
        return Ok(());
    }
    let meant = translated(format).filter(|meant| is_of_whole_dates(meant));
    let (format, known) = (format.to_owned(), DateLetters::Known);
    Err(match meant {
        Some(meant) => MappingProblem::DateFormatMeant { format, meant, known },
        None => MappingProblem::DateFormat { format, known },
    })
}

/// Whether a day written in it is read as the same day.
fn is_of_whole_dates(format: &str) -> bool {
    let day = Date::constant(2016, 6, 25);
    let written = jiff::fmt::strtime::format(format, day.at(13, 45, 30, 0)).ok();
    written.is_some_and(|text| Date::strptime(format, &text).is_ok_and(|read| read == day))
}

/// `MM/DD/YYYY` as strptime has it.
fn translated(format: &str) -> Option<String> {
    if format.contains('%') {
        return None;
    }
    let mut out = format.to_owned();
    for (letters, part) in [
        ("YYYY", "%Y"),
        ("yyyy", "%Y"),
        ("MMM", "%b"),
        ("MON", "%b"),
        ("Mon", "%b"),
        ("HH", "%H"),
        ("hh", "%I"),
        (":MM", ":%M"),
        (":mm", ":%M"),
        ("MM", "%m"),
        ("mm", "%m"),
        ("DD", "%d"),
        ("dd", "%d"),
        ("SS", "%S"),
        ("ss", "%S"),
        ("YY", "%y"),
        ("yy", "%y"),
    ] {
        out = out.replace(letters, part);
    }
    // Letters of one: `M/D/YYYY`.
    let mut whole = String::with_capacity(out.len());
    let mut before = ' ';
    for c in out.chars() {
        match c {
            'M' | 'm' if before != '%' => whole.push_str("%m"),
            'D' | 'd' if before != '%' => whole.push_str("%d"),
            c => whole.push(c),
        }
        before = c;
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_stated_formats() {
        let formats = |f: &str| vec![f.to_owned()];
        assert_eq!(date("2016-06-16 00:00:00.000", &[]).as_deref(), Some("2016-06-16"));
        assert_eq!(date("6/5/2016", &formats("%m/%d/%Y")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("20160605", &formats("%Y%m%d")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("1465084800000", &formats("epoch-ms")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("1465084800", &formats("epoch-s")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("42526", &formats("excel")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("42526.75", &formats("excel")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("0", &formats("excel")), None);
        assert_eq!(date("6/5/2016 12:30:00 AM", &formats("%m/%d/%Y")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("Jun 5, 2016", &formats("%b %d, %Y")).as_deref(), Some("2016-06-05"));
        assert_eq!(date("31/31/2016", &formats("%m/%d/%Y")), None);
        assert_eq!(date("é016-06-16", &[]), None);
    }

    #[test]
    fn the_short_way_says_what_the_long_way_says() {
        for text in ["2016-06-05", "1599-12-31", "1600-01-01", "2200-12-31", "2201-01-01", "2016-02-30", "2016-2-03x"] {
            let long = date(&format!("{text} "), &["%Y-%m-%d".to_owned()]).or_else(|| date(&format!("{text} 0"), &[]));
            assert_eq!(date(text, &["%Y-%m-%d".to_owned()]), long, "{text}");
            assert_eq!(date(text, &[]), long, "{text}");
        }
        assert_eq!(date("2016-06-05", &["%Y-%d-%m".to_owned()]).as_deref(), Some("2016-05-06"));
        assert_eq!(date("2016-06-05", &["%Y-%d-%m".to_owned()]).as_deref(), Some("2016-05-06"));
    }

    #[test]
    fn zeros_are_no_date() {
        for text in ["00/00/0000", "0000-00-00", "0", "0000-00-00 00:00:00"] {
            assert!(is_no_date(text), "{text}");
        }
        for text in ["", "-", "10/10/2010", "2000-01-01"] {
            assert!(!is_no_date(text), "{text}");
        }
    }

    #[test]
    fn a_format_is_checked_and_the_one_that_is_meant_is_told() {
        USUAL.iter().for_each(|format| assert_eq!(check_format(format), Ok(()), "{format}"));
        for (format, meant) in [
            ("MM/DD/YYYY", "%m/%d/%Y"),
            ("mm/dd/yyyy", "%m/%d/%Y"),
            ("M/D/YYYY", "%m/%d/%Y"),
            ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
            ("DD-MON-YY", "%d-%b-%y"),
            ("YYYYMMDD", "%Y%m%d"),
        ] {
            let told = check_format(format).unwrap_err().to_string();
            assert!(told.contains(&format!("write `{meant}`")), "{format}: {told}");
        }
        for format in ["%Y", "%q", "date", ""] {
            assert!(check_format(format).unwrap_err().to_string().contains("no format of a whole date."), "{format}");
        }
        assert_eq!((format_of("6/5/2016"), format_of("20160605")), (Some("%m/%d/%Y"), Some("%Y%m%d")));
    }
}
