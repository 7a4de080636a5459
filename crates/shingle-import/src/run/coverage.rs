//! How many imported rows have each field.

use crate::mapping::field::Field;
use crate::mapping::table::TableMapping;
use crate::row::imported::ImportedRow;

/// What is counted besides fields.
const OWN: [&str; 4] = ["outline", "point", "unit", "parcel"];

pub(crate) struct Coverage {
    fields: Vec<Field>,
    counts: Vec<u64>,
}

impl Coverage {
    pub fn new(mapping: &TableMapping) -> Self {
        let fields: Vec<Field> = mapping.facts.iter().map(|f| f.field).collect();
        let counts = vec![0; OWN.len() + fields.len()];
        Self { fields, counts }
    }

    pub fn count(&mut self, row: &ImportedRow) {
        let point = row.plan.is_empty() && row.origin.is_some();
        let own = [!row.plan.is_empty(), point, row.unit.is_some(), row.parcel.is_some()];
        let fields = self.fields.iter().map(|field| field.is_known(&row.assessor));
        for (count, has) in self.counts.iter_mut().zip(own.into_iter().chain(fields)) {
            *count += u64::from(has);
        }
    }

    pub fn into_list(self) -> Vec<(String, u64)> {
        let (own, fields) = self.counts.split_at(OWN.len());
        let own = OWN.iter().zip(own).filter(|(_, n)| **n > 0).map(|(name, n)| ((*name).to_owned(), *n));
        own.chain(self.fields.iter().zip(fields).map(|(f, n)| (f.name().to_owned(), *n))).collect()
    }
}
