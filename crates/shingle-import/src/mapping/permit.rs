//! Building permits: one row, one permit, tied to its place by address or parcel.
//!
//! A permit makes a place of its own when no other data set has the address; such a place has no building and no
//! record, and every estimate of it is unknown. In the index permits of one address are united.

use serde::Deserialize;
use shingle_domain::evidence::{Permit, PermitKind};
use shingle_domain::messages;

use crate::format::{cell, date};
use crate::mapping::codes::Code;
use crate::mapping::formula::{Cells, Formula, Unread, Value};
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::raw_formula::{Compiler, RawFormula};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPermitColumns {
    kind: RawFormula,
    issued: RawFormula,
    contractor: Option<RawFormula>,
}

#[derive(Debug, Clone)]
pub(crate) struct PermitColumns {
    pub kind: Formula,
    pub issued: Formula,
    pub contractor: Option<Formula>,
}

impl RawPermitColumns {
    pub fn compile(self, compiler: &mut Compiler) -> Result<PermitColumns, MappingProblem> {
        let kind = compiler.formula(self.kind).map_err(|problem| problem.at("`[permit] kind`"))?;
        for code in kind.codes() {
            if !matches!(code, Code::Word(w) if kind_of(w).is_some()) {
                return Err(MappingProblem::PermitCode { shown: code.shown() });
            }
        }
        let wrong = |problem: MappingProblem| problem.at("`[permit] issued`");
        let issued = compiler.formula(self.issued).map_err(wrong)?;
        issued.formats().iter().try_for_each(|format| date::check_format(format)).map_err(wrong)?;
        Ok(PermitColumns { kind, issued, contractor: compiler.optional(self.contractor, "`[permit] contractor`")? })
    }
}

messages! {
    /// Why a row has no permit.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum PermitProblem {
        UnreadKind { problem: Unread } => "the kind of permit is {problem}",
        NoKind => "no kind of permit",
        UnknownKind { kind: String } => "`{kind}` is not a kind of permit in the codes",
        NoDate => "the permit has no date of issue",
        NotADate { issued: String } => "`{issued}` is not a date in the stated formats",
    }
}

/// A longer text is not a name.
const MAX_NAME_LEN: usize = 120;

impl PermitColumns {
    /// The permit of a row, or why not: a permit without its date is of no use.
    pub fn read(&self, cells: Cells<'_>) -> Result<Permit, PermitProblem> {
        let shown = |text: &str| text.chars().take(40).collect::<String>();
        let kind = self.kind.value(cells).map_err(|problem| PermitProblem::UnreadKind { problem })?;
        let kind = kind.ok_or(PermitProblem::NoKind)?.into_text();
        let kind = kind_of(&kind).ok_or_else(|| PermitProblem::UnknownKind { kind: shown(&kind) })?;
        let issued = self.issued.value(cells).ok().flatten().map(Value::into_text);
        let issued = issued.filter(|text| !date::is_no_date(text)).ok_or(PermitProblem::NoDate)?;
        let issued = date::date(&issued, self.issued.formats())
            .ok_or_else(|| PermitProblem::NotADate { issued: shown(&issued) })?;
        let contractor = self.contractor.as_ref().map(|f| f.text(cells).into_owned());
        let contractor = contractor.filter(|c| !c.is_empty() && c.len() <= MAX_NAME_LEN && !cell::is_nobody(c));
        Ok(Permit { kind, issued, contractor, source: 0 })
    }
}

fn kind_of(word: &str) -> Option<PermitKind> {
    Some(match word {
        "roof" => PermitKind::Roof,
        "solar" => PermitKind::Solar,
        "heatPump" => PermitKind::HeatPump,
        "vehicleCharger" => PermitKind::VehicleCharger,
        "kitchen" => PermitKind::Kitchen,
        "other" => PermitKind::Other,
        _ => return None,
    })
}
