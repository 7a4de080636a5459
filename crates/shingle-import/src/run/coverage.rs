//! How many imported rows have each field.

use crate::mapping::field::Field;
use crate::mapping::file::Mapping;
use crate::row::reader::Gathered;

pub(crate) struct Coverage {
    outlines: u64,
    points: u64,
    units: u64,
    parcels: u64,
    fields: Vec<(Field, u64)>,
}

impl Coverage {
    pub fn new(mapping: &Mapping) -> Self {
        let fields = mapping.facts.iter().map(|f| (f.field, 0)).collect();
        Self { outlines: 0, points: 0, units: 0, parcels: 0, fields }
    }

    pub fn count(&mut self, row: &Gathered) {
        self.outlines += u64::from(!row.plan.is_empty());
        self.points += u64::from(row.plan.is_empty() && row.origin.is_some());
        self.units += u64::from(row.unit.is_some());
        self.parcels += u64::from(row.parcel.is_some());
        for (field, count) in &mut self.fields {
            *count += u64::from(field.is_known(&row.assessor));
        }
    }

    pub fn into_list(self) -> Vec<(String, u64)> {
        let own = [("outline", self.outlines), ("point", self.points), ("unit", self.units), ("parcel", self.parcels)];
        let own = own.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n));
        own.chain(self.fields.into_iter().map(|(f, n)| (f.name().to_owned(), n))).collect()
    }
}
