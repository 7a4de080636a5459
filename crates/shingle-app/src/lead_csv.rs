//! Leads as CSV (RFC 4180) for spreadsheets, with a guard against cells that a spreadsheet would run as formulas.

use std::borrow::Cow;

use shingle_domain::inspection::Inspection;
use shingle_domain::lead::Lead;

const COLUMNS: [&str; 35] = [
    "id",
    "createdAt",
    "updatedAt",
    "status",
    "widgetId",
    "firstName",
    "lastName",
    "email",
    "phone",
    "preferredContactTime",
    "address",
    "roofMaterial",
    "roofArea",
    "squares",
    "averageRoofPitch",
    "costEstimate",
    "message",
    "inspectionState",
    "inspectionRequestedAt",
    "inspectionWishes",
    "inspectionContactBy",
    "inspectionNote",
    "via",
    "language",
    "pageUrl",
    "referrer",
    "utmSource",
    "utmMedium",
    "utmCampaign",
    "consentGiven",
    "consentAt",
    "consentText",
    "consentIp",
    "earlierLeadId",
    "earlierLeadSame",
];

/// A part of a table: the headings belong to the first.
pub fn csv(leads: &[Lead], headings: bool) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    if headings {
        writer.write_record(COLUMNS)?;
    }
    for lead in leads {
        writer.write_record(row(lead).iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(std::io::Error::other(e.to_string())))
}

fn row(lead: &Lead) -> [String; 35] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (estimate, visit) = (lead.estimate.as_ref(), lead.inspection.as_ref());
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let cost = estimate.and_then(|e| {
        let chosen = e.prices.iter().find(|p| Some(p.material) == lead.roof_material).or(e.prices.first())?;
        Some(chosen.cost.to_string())
    });
    [
        lead.id.to_string(),
        lead.created_at.to_string(),
        lead.updated_at.to_string(),
        lead.status.as_str().to_owned(),
        lead.widget_id.to_string(),
        lead.first_name.clone(),
        lead.last_name.clone(),
        lead.email.to_string(),
        lead.phone.as_ref().map(ToString::to_string).unwrap_or_default(),
        lead.preferred_contact_time.map(json_name).unwrap_or_default(),
        lead.address.clone(),
        lead.roof_material.map(|m| m.as_str().to_owned()).unwrap_or_default(),
        number(estimate.map(|e| e.roof_area)),
        number(estimate.map(|e| e.squares)),
        number(estimate.map(|e| e.average_roof_pitch)),
        cost.unwrap_or_default(),
        text(&lead.message),
        visit.map(|v| v.state.as_str().to_owned()).unwrap_or_default(),
        visit.map(|v| v.requested_at.to_string()).unwrap_or_default(),
        visit.map(wishes).unwrap_or_default(),
        visit.map(|v| v.contact_by.as_str().to_owned()).unwrap_or_default(),
        visit.and_then(|v| v.note.clone()).unwrap_or_default(),
        json_name(lead.source.via),
        lead.source.language.tag().to_owned(),
        text(&lead.source.page_url),
        text(&lead.source.referrer),
        text(&lead.source.utm_source),
        text(&lead.source.utm_medium),
        text(&lead.source.utm_campaign),
        lead.consent.given.to_string(),
        lead.consent.at.to_string(),
        lead.consent.text.clone(),
        text(&lead.consent.ip),
        lead.earlier_lead.map(|earlier| earlier.id.to_string()).unwrap_or_default(),
        lead.earlier_lead.map(|earlier| earlier.same.as_str().to_owned()).unwrap_or_default(),
    ]
}

/// `2026-12-01 morning, 2026-12-04 evening`
pub fn wishes(visit: &Inspection) -> String {
    let wishes = visit.wishes.iter().map(|wish| format!("{} {}", wish.date, wish.part.as_str()));
    wishes.collect::<Vec<_>>().join(", ")
}

/// The name of a value in JSON.
fn json_name(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A table of other things, by the same rules.
pub fn table_csv(heads: &[&str], rows: &[Vec<String>]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(heads)?;
    for row in rows {
        writer.write_record(row.iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(std::io::Error::other(e.to_string())))
}

/// An apostrophe turns a formula into text (ASVS 5.0, 1.2.10): at the beginning of a cell, and after what begins a cell for
/// a spreadsheet that separates by semicolons.
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    const STARTS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];
    let begins = |before: Option<char>, c: char| match before {
        None => STARTS.contains(&c) || matches!(c, '\t' | '\r' | '\0'),
        Some(before) => SEPARATORS.contains(&before) && STARTS.contains(&c),
    };
    let mut before = None;
    let mut escaped = String::new();
    for (at, c) in cell.char_indices() {
        if begins(before, c) {
            if escaped.is_empty() {
                escaped.push_str(&cell[..at]);
            }
            escaped.push('\'');
        }
        if !escaped.is_empty() {
            escaped.push(c);
        }
        before = Some(c);
    }
    if escaped.is_empty() { Cow::Borrowed(cell) } else { Cow::Owned(escaped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_becomes_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\0x"] {
            assert_eq!(escape_formula(cell), format!("'{cell}"));
        }
        for cell in ["\u{ff1d}1+1", "\u{ff0b}1", "\u{ff0d}1", "\u{ff20}SUM(A1)"] {
            assert_eq!(escape_formula(cell), format!("'{cell}"), "full width");
        }
        assert_eq!(escape_formula("a;=1+1;b;\u{ff1d}2\n-3"), "a;'=1+1;b;'\u{ff1d}2\n'-3");
        for cell in ["a; - b", "1-1", "one\ntwo", "", "Oak", "(757) 555-0134", "a=b"] {
            assert_eq!(escape_formula(cell), cell);
        }
    }

    #[test]
    fn without_leads_there_is_a_header_line() {
        let text = String::from_utf8(csv(&[], true).unwrap()).unwrap();
        assert!(text.starts_with("id,createdAt,") && text.ends_with("earlierLeadSame\r\n"));
        assert!(csv(&[], false).unwrap().is_empty());
    }
}
