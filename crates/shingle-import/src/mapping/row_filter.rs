//! Which rows of a table are imported.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::mapping::codes::Code;
use crate::mapping::formula::Cells;
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::raw_formula::Compiler;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRowFilter {
    #[serde(default)]
    only: BTreeMap<String, Vec<Code>>,
    #[serde(default)]
    skip: BTreeMap<String, Vec<Code>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct RowFilter {
    only: Vec<(usize, Vec<String>)>,
    skip: Vec<(usize, Vec<String>)>,
}

impl RawRowFilter {
    pub fn compile(self, compiler: &mut Compiler) -> Result<RowFilter, MappingProblem> {
        let mut all = |tests: BTreeMap<String, Vec<Code>>| {
            let bound = tests.into_iter().map(|(column, values)| {
                if values.is_empty() {
                    return Err(MappingProblem::NoValues { column });
                }
                Ok((compiler.column(&column), values.iter().map(Code::shown).collect()))
            });
            bound.collect::<Result<Vec<_>, _>>()
        };
        Ok(RowFilter { only: all(self.only)?, skip: all(self.skip)? })
    }
}

impl RowFilter {
    pub fn takes(&self, cells: Cells<'_>) -> bool {
        let holds = |(at, values): &(usize, Vec<String>)| {
            let cell = cells.get(*at);
            values.iter().any(|v| v.eq_ignore_ascii_case(cell))
        };
        self.only.iter().all(holds) && !self.skip.iter().any(holds)
    }
}
