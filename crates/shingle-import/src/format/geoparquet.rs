//! GeoParquet, and Parquet tables without shapes. What lies within a column has a path: `bbox.xmin`,
//! `address_levels.0.value`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Type as PhysicalType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row as Record};
use parquet::schema::types::Type;
use serde_json::Value;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::columns::locate;
use crate::format::file_problem::FileProblem;
use crate::format::foreign_panic::unless_it_panics;
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::format::wkb;
use shingle_projection::as_wkt;

pub(crate) struct GeoParquet {
    path: PathBuf,
    records: RowIter<'static>,
    /// Of every wanted column, the path to it.
    wanted: Vec<Vec<String>>,
    header: Vec<String>,
    geometry: Option<String>,
    declared: DeclaredCrs,
    rows: u64,
    read: u64,
}

/// Elements of a list that the heading names; a mapping may ask for later ones.
const NAMED_ELEMENTS: usize = 3;

impl GeoParquet {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Result<Self, ImportError> {
        unless_it_panics(|| Self::opened(path, file, wanted)).unwrap_or_else(|| Err(damaged(path)))
    }

    fn opened(path: &Path, file: File, wanted: &[String]) -> Result<Self, ImportError> {
        let failed = |e: ParquetError| unreadable(path, &e);
        let reader = SerializedFileReader::new(file).map_err(failed)?;
        let meta = reader.metadata().file_metadata();
        let rows = u64::try_from(meta.num_rows()).unwrap_or_default();
        let schema = meta.schema();
        let geo = meta.key_value_metadata().into_iter().flatten().find(|kv| kv.key == "geo");
        let geo = geo.and_then(|kv| serde_json::from_str::<Value>(kv.value.as_deref()?).ok());
        let (geometry, declared) = geometry_column(path, schema, geo.as_ref())?;
        let mut header = Vec::new();
        for field in schema.get_fields().iter().filter(|f| Some(f.name()) != geometry.as_deref()) {
            paths(field, field.name(), &mut header);
        }
        let wanted = resolve(path, wanted, schema, &header)?;
        let needed = |name: &str| geometry.as_deref() == Some(name) || wanted.iter().any(|w| w[0] == name);
        let mut columns: Vec<Arc<Type>> = schema.get_fields().iter().filter(|f| needed(f.name())).cloned().collect();
        if columns.is_empty() {
            // Rows are counted anyway.
            columns.extend(schema.get_fields().first().cloned());
        }
        let projection = Type::group_type_builder(schema.name()).with_fields(columns).build().map_err(failed)?;
        let records = RowIter::from_file_into(Box::new(reader)).project(Some(projection)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), records, wanted, header, geometry, declared, rows, read: 0 })
    }
}

impl RowSource for GeoParquet {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        row.shape = Shape::None;
        row.has_stray_hole = false;
        row.cells.resize(self.wanted.len(), String::new());
        let next = unless_it_panics(|| self.records.next()).ok_or_else(|| damaged(&self.path))?;
        let Some(record) = next else {
            return if self.read < self.rows {
                let (read, rows) = (self.read, self.rows);
                Err(ImportError::input(&self.path, FileProblem::EndsAfterRow { read, rows }))
            } else {
                Ok(Step::End)
            };
        };
        let record = record.map_err(|e| unreadable(&self.path, &e))?;
        self.read += 1;
        for (cell, path) in row.cells.iter_mut().zip(&self.wanted) {
            cell.clear();
            if let Some(field) = field_at(&record, path) {
                write(field, cell);
            }
        }
        if let Some(geometry) = &self.geometry
            && let Some((_, Field::Bytes(bytes))) = record.get_column_iter().find(|(name, _)| *name == geometry)
        {
            match wkb::shape(bytes.data()) {
                Ok(shape) => row.shape = shape,
                Err(reason) => return Ok(Step::Bad(reason)),
            }
        }
        Ok(Step::Row)
    }

    fn declared(&self) -> DeclaredCrs {
        self.declared.clone()
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn header(&self) -> &[String] {
        &self.header
    }
}

fn unreadable(path: &Path, e: &ParquetError) -> ImportError {
    ImportError::input(path, FileProblem::Parquet { e: e.to_string() })
}

/// The reader of Parquet broke over it.
fn damaged(path: &Path) -> ImportError {
    ImportError::input(path, FileProblem::ParquetDamaged)
}

/// The column with the shapes, and what its coordinates are.
fn geometry_column(
    path: &Path,
    schema: &Type,
    geo: Option<&Value>,
) -> Result<(Option<String>, DeclaredCrs), ImportError> {
    let named = geo.and_then(|g| g.get("primary_column")).and_then(Value::as_str).unwrap_or("geometry");
    let is_binary = |f: &&Arc<Type>| {
        f.name() == named && f.is_primitive() && f.get_physical_type() == PhysicalType::BYTE_ARRAY && !is_text(f)
    };
    let column = geo.and_then(|g| g.get("columns")?.get(named));
    if let Some(encoding) = column.and_then(|c| c.get("encoding")).and_then(Value::as_str)
        && encoding != "WKB"
    {
        let problem = FileProblem::ShapeEncoding { encoding: cell::tidy(encoding) };
        return Err(ImportError::input(path, problem));
    }
    if !schema.get_fields().iter().any(|f| is_binary(&f)) {
        return Ok((None, DeclaredCrs::Table));
    }
    let declared = match column.and_then(|c| c.get("crs")) {
        // By the format's own rule.
        None => DeclaredCrs::Degrees,
        Some(Value::Null) => DeclaredCrs::Nothing,
        Some(crs) => {
            let id = crs.get("id").and_then(|id| Some((id.get("authority")?.as_str()?, id.get("code")?)));
            let id = id.filter(|(authority, _)| matches!(*authority, "EPSG" | "OGC"));
            let name = id.map(|(authority, code)| format!("{authority}:{}", code.to_string().trim_matches('"')));
            let told = || crs.get("name").and_then(Value::as_str).unwrap_or("without a name").to_owned();
            match (name, as_wkt(crs)) {
                (Some(name), _) => DeclaredCrs::Name(name),
                (None, Some(wkt)) => DeclaredCrs::Wkt(wkt),
                (None, None) => DeclaredCrs::Name(told()),
            }
        }
    };
    Ok((Some(named.to_owned()), declared))
}

fn is_text(field: &Type) -> bool {
    let info = field.get_basic_info();
    info.logical_type_ref().is_some_and(|l| matches!(l, parquet::basic::LogicalType::String))
        || info.converted_type() == parquet::basic::ConvertedType::UTF8
}

/// What a list holds, however its groups are named.
fn element(list: &Type) -> Option<&Type> {
    let repeated = list.get_fields().first()?;
    match repeated.is_primitive() {
        true => Some(repeated),
        false => Some(repeated.get_fields().first().filter(|_| repeated.get_fields().len() == 1).unwrap_or(repeated)),
    }
}

fn is_list(field: &Type) -> bool {
    !field.is_primitive()
        && field.get_fields().len() == 1
        && field.get_fields().first().is_some_and(|f| {
            let info = f.get_basic_info();
            info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED
        })
}

/// The paths of everything within a column.
fn paths(field: &Type, path: &str, into: &mut Vec<String>) {
    if field.is_primitive() {
        into.push(path.to_owned());
    } else if is_list(field) {
        // Lists in lists are provenance, not facts.
        let Some(element) = element(field).filter(|e| !is_list(e)) else { return };
        for at in 0..NAMED_ELEMENTS {
            paths(element, &format!("{path}.{at}"), into);
        }
    } else {
        for inner in field.get_fields() {
            paths(inner, &format!("{path}.{}", inner.name()), into);
        }
    }
}

/// Every wanted path, spelled as the file spells it.
fn resolve(path: &Path, wanted: &[String], schema: &Type, header: &[String]) -> Result<Vec<Vec<String>>, ImportError> {
    let found: Vec<Option<Vec<String>>> = wanted.iter().map(|name| walk(schema, name)).collect();
    let missing: Vec<String> =
        wanted.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(name, _)| name.clone()).collect();
    if !missing.is_empty() {
        locate(path, &missing, header)?;
    }
    Ok(found.into_iter().flatten().collect())
}

fn walk(schema: &Type, name: &str) -> Option<Vec<String>> {
    let (mut here, mut out) = (schema, Vec::new());
    // A column's own name may have points in it.
    if let Some(whole) = schema.get_fields().iter().find(|f| f.name() == name) {
        return Some(vec![whole.name().to_owned()]);
    }
    for part in name.split('.') {
        if here.is_primitive() {
            return None;
        }
        if !out.is_empty() && is_list(here) {
            part.parse::<usize>().ok()?;
            out.push(part.to_owned());
            here = element(here)?;
            continue;
        }
        let exact = here.get_fields().iter().find(|f| f.name() == part);
        let found = exact.or_else(|| here.get_fields().iter().find(|f| f.name().eq_ignore_ascii_case(part)))?;
        out.push(found.name().to_owned());
        here = found;
    }
    here.is_primitive().then_some(out)
}

fn field_at<'r>(record: &'r Record, path: &[String]) -> Option<&'r Field> {
    let (first, rest) = path.split_first()?;
    let column = |record: &'r Record, name: &str| record.get_column_iter().find(|(n, _)| *n == name).map(|(_, f)| f);
    let mut at = column(record, first)?;
    for part in rest {
        at = match at {
            Field::Group(group) => column(group, part)?,
            Field::ListInternal(list) => list.elements().get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

fn write(field: &Field, into: &mut String) {
    match field {
        Field::Str(text) => cell::tidy_into(text, into),
        Field::Float(n) => into.push_str(&n.to_string()),
        Field::Double(n) => into.push_str(&n.to_string()),
        Field::Null | Field::Bytes(_) | Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {}
        // Numbers, flags, dates as ISO 8601.
        other => cell::tidy_into(&other.to_string(), into),
    }
}
