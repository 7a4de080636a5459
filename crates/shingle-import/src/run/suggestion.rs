//! Likely mistakes in the mapping, as the counts of a check suggest them.

use regex::{Regex, RegexBuilder};

use crate::format::date;
use crate::mapping::field::Field;
use crate::mapping::formula::Unread;
use crate::mapping::table::TableMapping;
use crate::row::stats::UnreadCells;
use crate::run::advice::{Suggestion, UnreadAdvice};
use crate::run::check_report::CheckReport;

/// How tables often name the fields; the first unused heading that fits is suggested.
const HEADINGS: [(Field, &str); 22] = [
    (Field::PrimaryOwner, r"^own(er)?s?_?(name)?_?1?$|owner_?name"),
    (Field::MailingAddress, r"^mail.*(addr|line)|own.*(addr|mail)"),
    (Field::ResidentialExemption, r"homestead|exemption|owner_?occ"),
    (Field::YearBuilt, r"y(ea)?r[_\s]?(b(ui)?lt|const)|^ayb|^built|(construct|build)\w*[_\s]?y(ea)?r"),
    (Field::Storeys, r"stor(ey|y|ie)|^sto?r?_?h(ei)?g|num_?floors"),
    (Field::LivingAreaSqft, r"(liv|heat|fin(ish)?)\w*[_\s]?(area|sq|space|size)|^sq_?ft|gla$"),
    (Field::GarageCars, r"gar(age)?_?(cars|cap|spaces)"),
    (Field::GarageAreaSqft, r"gar(age)?_?(area|sq)"),
    (Field::RoofType, r"roof_?(ty?p|shape|style|struct)"),
    (Field::RoofMaterial, r"roof_?(mat|cov|cvr)"),
    (Field::WallType, r"(ext\w*_?wall|wall_?ty?pe?|siding)"),
    (Field::HeatFuel, r"(heat\w*_?fuel|fuel_?ty?pe?|^fuel)"),
    (Field::Grade, r"grade|quality|bldg_?qual"),
    (Field::Units, r"(num|no|of)_?units|^units|dwell\w*_?units|living_?units|units?[_\s]?(count|cnt)"),
    (Field::PropertyClass, r"(use|class|land_?use|dor)[_\s]?(code|cd|desc)|^prop(erty)?_?class"),
    (Field::Zoning, r"^((primary|main|base)[_\s]?)?zon(e|ing)"),
    (Field::Subdivision, r"^subdiv"),
    (Field::SchoolDistrict, r"school_?d"),
    (Field::SaleDate, r"(sale|deed|transfer)[_\s]?da?te?"),
    (Field::SalePrice, r"(sale|sell\w*)[_\s]?(price|amt|amount|val)|^price$"),
    (Field::AssessedValue, r"(assess\w*|total|tot|appr\w*|market|cash|just)[_\s]?va?l"),
    (Field::BuildingValue, r"(b(ui)?ldi?n?g|impr\w*)_?va?l"),
];

/// If a larger share of a field's cells is unread, the mapping is probably wrong.
const MAX_UNREAD_SHARE: f64 = 0.01;
/// The same for rows that are duplicates or rejected.
const MAX_ROW_SHARE: f64 = 0.2;

pub(crate) fn of(report: &CheckReport, mapping: &TableMapping, headings: &[String]) -> Vec<Suggestion> {
    let mut out = Vec::new();
    let share = |n: u64, of: u64| n as f64 / of.max(1) as f64;
    let rows = report.rows_read;
    for field in &report.fields {
        let cells = field.known + field.unread;
        if rows > 0 && cells == 0 {
            out.push(Suggestion::Blank { field: field.field.clone() });
        } else if share(field.unread, cells) > MAX_UNREAD_SHARE {
            let kinds = |problem: Unread| field.problems.iter().any(|p| p.problem == problem);
            let format = field.problems.iter().find_map(|p| date::format_of(&p.example));
            let advice = if kinds(Unread::UnknownCode) {
                UnreadAdvice::Codes { codes: unknown(&field.problems) }
            } else if field.field == Field::SaleDate.name() {
                format.map_or(UnreadAdvice::Formats, |format| UnreadAdvice::Format { format })
            } else if field.problems.iter().any(|p| has_decimal_comma(&p.example)) {
                UnreadAdvice::Comma
            } else if kinds(Unread::OutOfRange) {
                UnreadAdvice::Unit
            } else {
                UnreadAdvice::Any
            };
            out.push(Suggestion::Unread { field: field.field.clone(), unread: field.unread, cells, advice });
        }
    }
    if share(report.duplicates, rows) > MAX_ROW_SHARE {
        out.push(Suggestion::Duplicates { duplicates: report.duplicates, rows });
    }
    if share(report.rejected, rows) > MAX_ROW_SHARE {
        out.push(Suggestion::Rejected { rejected: report.rejected, rows });
    }
    if let Some(extent) = &report.extent
        && share(extent.near_their_zip, extent.compared) < 0.5
        && extent.compared > 0
    {
        out.push(Suggestion::FarFromZip);
    }
    if mapping.source.as_of.is_none() {
        out.push(Suggestion::NoDate);
    }
    out.extend(unused(mapping, headings));
    out
}

/// The codes that no table has, the most frequent first.
fn unknown(problems: &[UnreadCells]) -> Vec<String> {
    let codes = problems.iter().filter(|p| p.problem == Unread::UnknownCode && !p.example.is_empty());
    codes.take(CODES_TOLD).map(|p| format!("`{}` ({})", p.example, p.cells)).collect()
}

const CODES_TOLD: usize = 8;

fn has_decimal_comma(example: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_one = |word: &str| word.split_once(',').is_some_and(|(whole, part)| digits(whole) && digits(part));
    example.split_whitespace().any(is_one)
}

/// Fields that the table seems to have and the mapping does not ask for.
fn unused(mapping: &TableMapping, headings: &[String]) -> Vec<Suggestion> {
    let used = &mapping.columns;
    let free: Vec<&String> = headings.iter().filter(|h| !used.iter().any(|u| u.eq_ignore_ascii_case(h))).collect();
    let asked = |field: Field| mapping.facts.iter().any(|f| f.field == field);
    let pattern = |text: &str| -> Option<Regex> { RegexBuilder::new(text).case_insensitive(true).build().ok() };
    let offers = HEADINGS.iter().filter(|(field, _)| !asked(*field)).filter_map(|(field, text)| {
        let pattern = pattern(text)?;
        let heading = free.iter().find(|h| pattern.is_match(h))?;
        let heading: String = heading.chars().take(40).collect();
        Some(Suggestion::Unused { heading, field: field.name() })
    });
    let offers: Vec<Suggestion> = offers.collect();
    let shown = |h: &&String| !h.trim().is_empty();
    let names: Vec<String> = free
        .iter()
        .copied()
        .filter(shown)
        .take(COLUMNS_TOLD)
        .map(|h| format!("`{}`", h.chars().take(40).collect::<String>()))
        .collect();
    let rest = free.iter().copied().filter(shown).count().saturating_sub(COLUMNS_TOLD);
    let left = match rest {
        _ if names.is_empty() => None,
        0 => Some(Suggestion::Left { names }),
        rest => Some(Suggestion::LeftWithMore { names, rest }),
    };
    offers.into_iter().chain(left).collect()
}

const COLUMNS_TOLD: usize = 40;
