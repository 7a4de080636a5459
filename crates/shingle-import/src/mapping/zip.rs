//! Where the ZIP of a row comes from.

use shingle_domain::Zip;

use crate::geo::crs::CrsName;
use crate::mapping::file_patterns::FilePatterns;
use crate::mapping::formula::Formula;
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::raw_formula::{Compiler, RawFormula};

#[derive(Debug, Clone)]
pub(crate) enum ZipFrom {
    Formula(Formula),
    Nearby(NearbyZip),
    Areas(ZipLayer),
}

/// For tables that carry the owner's ZIP but not the property's: where an owner's mailing address is the
/// property itself its ZIP is the property's; other rows take the one of the nearest number in the street.
#[derive(Debug, Clone)]
pub(crate) struct NearbyZip {
    pub zip: usize,
    /// The column of the mailing address the ZIP belongs to.
    pub mailing_line: usize,
    /// ZIPs of this town; others are never taken.
    pub among: Vec<Zip>,
    /// For streets where nobody receives mail.
    pub otherwise: Option<Zip>,
}

/// `zip = { areas = …, column = … }`
#[derive(Debug, Clone)]
pub(crate) struct ZipLayer {
    pub files: FilePatterns,
    pub zip: Formula,
    pub columns: Vec<String>,
    /// The rows' own ZIP, used where it is not blank.
    pub own: Option<Formula>,
    /// For places in no area.
    pub otherwise: Option<Zip>,
    pub crs: Option<CrsName>,
}

impl ZipFrom {
    pub fn compile(written: RawFormula, compiler: &mut Compiler) -> Result<Self, MappingProblem> {
        if written.0.areas.is_some() {
            return ZipLayer::compile(written, compiler).map(Self::Areas);
        }
        let Some(nearby) = &written.0.nearby else { return compiler.formula(written).map(Self::Formula) };
        let line = written.0.mailing_line.as_ref().ok_or(MappingProblem::NoMailingLine)?;
        if written.0.among.is_empty() {
            return Err(MappingProblem::NoZips);
        }
        let otherwise = written.otherwise();
        let is_zip = |text: String| Zip::parse(&text).ok_or(MappingProblem::NotFiveDigits { text });
        Ok(Self::Nearby(NearbyZip {
            zip: compiler.column(nearby),
            mailing_line: compiler.column(line),
            otherwise: otherwise.map(is_zip).transpose()?,
            among: written.0.among,
        }))
    }
}

impl ZipLayer {
    /// `rows` counts the columns of the rows; the ZIP itself is in the areas' file.
    pub fn compile(mut written: RawFormula, rows: &mut Compiler) -> Result<Self, MappingProblem> {
        let keys = &mut written.0;
        let files = keys.areas.take().ok_or(MappingProblem::NoAreas)?;
        let (own, crs, otherwise) = (keys.own.take(), keys.crs.take(), keys.otherwise.take());
        let otherwise = otherwise.map(|code| {
            let text = code.shown();
            Zip::parse(&text).ok_or(MappingProblem::NotFiveDigits { text })
        });
        let mut compiler = rows.beside();
        let zip = compiler.formula(written)?;
        let columns = compiler.columns;
        Ok(Self { files, zip, columns, own: rows.optional(own, "`own`")?, otherwise: otherwise.transpose()?, crs })
    }
}
