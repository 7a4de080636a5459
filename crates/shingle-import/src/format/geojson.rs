//! GeoJSON of any size: one collection, or one feature a line; Esri's JSON, and lists of plain rows or of values. A bad feature costs one
//! row.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::esri;
use crate::format::file_problem::FileProblem;
use crate::format::geojson_geometry::Geometry;
use crate::format::json::{JsonScanner, MAX_VALUE_BYTES};
use crate::format::list_rows::ListHeadings;
use crate::format::properties::{Properties, WantedProperties, named_crs, without_place};
use crate::format::server_answer::{Paging, in_place_of_rows, may_tell_of_pages};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::format::unread_row::UnreadRow;

pub(crate) struct Features {
    scanner: JsonScanner,
    wanted: WantedProperties,
    declared: DeclaredCrs,
    state: ScanState,
    /// The first feature, read ahead so that a `crs` before it is known at once.
    ahead: Option<Result<bool, ImportError>>,
    paging: Paging,
    /// The file says what its coordinates are.
    is_declared: bool,
    /// Where rows are lists of values.
    headings: Option<ListHeadings>,
}

#[derive(PartialEq)]
enum ScanState {
    /// Between top-level values.
    File,
    /// In the list of features, of a collection or bare.
    List { collection: bool },
}

/// What the value that is read ahead turns out to be.
#[derive(PartialEq)]
enum FirstValue {
    Row,
    /// The names of the values in the lists that follow.
    Headings,
}

/// Each part as text: what it should be depends on the others.
#[derive(Deserialize)]
struct Feature<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    geometry: Option<&'a RawValue>,
    #[serde(borrow)]
    properties: Option<&'a RawValue>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
    id: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeatureKind {
    GeoJson,
    Esri,
    /// An object whose members are the cells.
    Row,
}

impl Feature<'_> {
    fn kind(&self) -> Result<FeatureKind, UnreadRow> {
        const GEOMETRIES: [&str; 8] = [
            "FeatureCollection",
            "GeometryCollection",
            "MultiPolygon",
            "Polygon",
            "MultiPoint",
            "Point",
            "MultiLineString",
            "LineString",
        ];
        let is_object = |text: Option<&RawValue>| text.is_some_and(|text| text.get().starts_with('{'));
        let kind = self.kind.and_then(|kind| serde_json::from_str::<String>(kind.get()).ok());
        match kind.as_deref() {
            Some("Feature") => Ok(FeatureKind::GeoJson),
            _ if is_object(self.attributes) => Ok(FeatureKind::Esri),
            Some(other) if GEOMETRIES.contains(&other) => Err(UnreadRow::OtherThanFeature { kind: cell::tidy(other) }),
            _ if is_object(self.properties) && self.geometry.is_some() => Ok(FeatureKind::GeoJson),
            _ => Ok(FeatureKind::Row),
        }
    }
}

impl Features {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Result<Self, ImportError> {
        let behind = declared_behind(&file).map_err(ImportError::read(path))?;
        let mut it = Self {
            scanner: JsonScanner::new(path, file),
            wanted: WantedProperties::new(wanted),
            declared: DeclaredCrs::Degrees,
            state: ScanState::File,
            ahead: None,
            paging: Paging::default(),
            is_declared: false,
            headings: None,
        };
        let mut ahead = it.cut();
        if !it.is_declared
            && let Some(behind) = behind
        {
            it.declare(behind);
        }
        if matches!(ahead, Ok(true)) && it.look_ahead()? == FirstValue::Headings {
            ahead = it.cut();
        }
        it.ahead = Some(ahead);
        Ok(it)
    }

    fn declare(&mut self, declared: DeclaredCrs) {
        self.declared = declared;
        self.is_declared = true;
    }

    /// What the first feature says of the file.
    fn look_ahead(&mut self) -> Result<FirstValue, ImportError> {
        let is_alone = self.state == ScanState::File && self.scanner.peek()?.is_none();
        let text = cell::decode(&self.scanner.value);
        if text.starts_with('[') {
            self.declared = DeclaredCrs::Table;
            if self.headings.is_some() {
                return Ok(FirstValue::Row);
            }
            self.headings = ListHeadings::of_first(text.as_bytes());
            let refused = || ImportError::input(self.scanner.path(), FileProblem::WithoutNames);
            return self.headings.as_ref().map(|_| FirstValue::Headings).ok_or_else(refused);
        }
        let Ok(feature) = serde_json::from_str::<Feature<'_>>(&text) else { return Ok(FirstValue::Row) };
        match feature.kind() {
            Ok(FeatureKind::Row) => {
                let object = serde_json::from_str::<Properties>(&text).unwrap_or_default();
                if is_alone && let Some(answer) = in_place_of_rows(&object) {
                    return Err(ImportError::input(self.scanner.path(), answer));
                }
                self.declared = DeclaredCrs::Table;
            }
            Ok(FeatureKind::Esri) if !self.is_declared => {
                let geometry = feature.geometry.map_or("", RawValue::get);
                let own = serde_json::from_str::<Value>(geometry).ok();
                let own = own.and_then(|own| serde_json::to_vec(own.get("spatialReference")?).ok());
                let own = own.and_then(|own| esri::declared(&own));
                let is_near = |shape: Shape| match shape {
                    Shape::None => true,
                    Shape::Point(x, y) => x.abs() <= 180.0 && y.abs() <= 90.0,
                    Shape::Rings(rings) => rings.iter().flatten().all(|(x, y)| x.abs() <= 180.0 && y.abs() <= 90.0),
                };
                let guessed = match esri::shape(geometry).is_ok_and(is_near) {
                    true => DeclaredCrs::PerhapsDegrees,
                    false => DeclaredCrs::Nothing,
                };
                self.declared = own.unwrap_or(guessed);
            }
            _ => {}
        }
        Ok(FirstValue::Row)
    }

    /// A member of a collection, beside its features.
    fn member(&mut self, key: &[u8], value: &[u8]) {
        self.paging.look(key, value);
        let declared = match key {
            b"\"crs\"" => named_crs(value),
            b"\"spatialReference\"" => esri::declared(value),
            _ => None,
        };
        if let Some(declared) = declared {
            self.declare(declared);
        }
    }

    /// The next feature's bytes into the scanner's value; `false` at the end of the file.
    fn cut(&mut self) -> Result<bool, ImportError> {
        loop {
            self.scanner.clear();
            match self.state {
                ScanState::List { collection } => {
                    if self.scanner.element()? {
                        return Ok(true);
                    }
                    self.state = ScanState::File;
                    if collection {
                        // What follows the list of features.
                        let before = self.declared.clone();
                        while let Some(key) = self.scanner.key()? {
                            self.scanner.pass()?;
                            let value = std::mem::take(&mut self.scanner.value);
                            self.member(format!("\"{key}\"").as_bytes(), &value);
                        }
                        if self.declared != before {
                            return Err(ImportError::input(self.scanner.path(), FileProblem::LateCrs));
                        }
                    }
                }
                ScanState::File => match self.scanner.peek()? {
                    None => return Ok(false),
                    Some(b'[') => {
                        self.scanner.skip();
                        if matches!(self.scanner.expect()?, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') {
                            // A line that is a list of values.
                            self.scanner.take_opened_list()?;
                            return Ok(true);
                        }
                        self.state = ScanState::List { collection: false };
                    }
                    Some(b'{') => {
                        if self.object()? {
                            return Ok(true);
                        }
                    }
                    Some(b',') => self.scanner.skip(),
                    Some(_) => {
                        // A bad line between features is one bad row, not the end.
                        self.scanner.take_line()?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    /// A top-level object: `true` when it is a value on its own, `false` when it opened a list of features.
    fn object(&mut self) -> Result<bool, ImportError> {
        self.scanner.skip();
        self.scanner.value.push(b'{');
        loop {
            let scanner = &mut self.scanner;
            match scanner.expect()? {
                b'}' => {
                    scanner.skip();
                    scanner.value.push(b'}');
                    return Ok(true);
                }
                b',' => {
                    scanner.skip();
                    scanner.value.push(b',');
                }
                b'"' => {
                    let start = scanner.value.len();
                    scanner.take_value()?;
                    let key = scanner.value.get(start..).unwrap_or_default().to_vec();
                    if scanner.expect()? != b':' {
                        return Err(scanner.not_json());
                    }
                    scanner.skip();
                    scanner.value.push(b':');
                    if key == b"\"features\"" && scanner.expect()? == b'[' {
                        scanner.skip();
                        self.state = ScanState::List { collection: true };
                        return Ok(false);
                    }
                    let before = start;
                    let start = scanner.value.len();
                    if LISTS.contains(&key.as_slice()) && scanner.expect()? == b'[' {
                        scanner.skip();
                        if scanner.expect()? == b'[' && self.heads_lists(before) {
                            self.state = ScanState::List { collection: true };
                            return Ok(false);
                        }
                        self.scanner.take_opened_list()?;
                    } else {
                        self.scanner.take_value()?;
                    }
                    if MEMBERS.contains(&key.as_slice()) {
                        let value = self.scanner.value.get(start..).unwrap_or_default();
                        // Most are those of one feature.
                        if key != b"\"properties\"" || may_tell_of_pages(value) {
                            let value = value.to_vec();
                            self.member(&key, &value);
                        }
                    }
                }
                _ => return Err(scanner.not_json()),
            }
        }
    }

    /// Whether an object says, in the bytes in front of a list, what the values of its lists are.
    fn heads_lists(&mut self, bytes: usize) -> bool {
        let front = self.scanner.value.get(..bytes).unwrap_or_default();
        let front = [front.strip_suffix(b",").unwrap_or(front), b"}"].concat();
        self.headings = serde_json::from_slice(&front).ok().and_then(|object| ListHeadings::of_object(&object));
        self.headings.is_some()
    }

    fn parse(&mut self, row: &mut Row) -> Result<(), UnreadRow> {
        if self.scanner.is_overlong {
            return Err(UnreadRow::FeatureTooLarge { megabytes: MAX_VALUE_BYTES / 1_048_576 });
        }
        // Bytes that are no UTF-8 are Windows-1252, as in a table.
        let text = cell::decode(&self.scanner.value);
        if let Some(headings) = self.headings.as_ref().filter(|_| text.starts_with('[')) {
            self.wanted.fill(row, Some(&headings.row(&text)?), None);
            return Ok(());
        }
        let not_one = |e: &serde_json::Error| UnreadRow::NotAFeature { why: without_place(e) };
        let feature: Feature<'_> = serde_json::from_str(&text).map_err(|e| not_one(&e))?;
        let properties = |text: Option<&RawValue>| match text {
            Some(text) => serde_json::from_str::<Option<Properties>>(text.get()).map_err(|e| not_one(&e)),
            None => Ok(None),
        };
        match feature.kind()? {
            FeatureKind::GeoJson => {
                self.wanted.fill(row, properties(feature.properties)?.as_ref(), feature.id.as_ref());
                let geometry = feature.geometry.map_or("null", RawValue::get);
                let geometry: Option<Geometry<'_>> = serde_json::from_str(geometry).map_err(|e| not_one(&e))?;
                (row.shape, row.has_stray_hole) = geometry.map_or(Ok((Shape::None, false)), |g| g.shape())?;
            }
            FeatureKind::Esri => {
                self.wanted.fill(row, properties(feature.attributes)?.as_ref(), None);
                let geometry = feature.geometry.map(RawValue::get).filter(|geometry| *geometry != "null");
                row.shape = geometry.map_or(Ok(Shape::None), esri::shape)?;
            }
            FeatureKind::Row => {
                let object: Properties = serde_json::from_str(&text).map_err(|e| not_one(&e))?;
                self.wanted.fill(row, Some(&object), None);
            }
        }
        Ok(())
    }
}

impl RowSource for Features {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        self.wanted.clear(row);
        row.shape = Shape::None;
        row.has_stray_hole = false;
        let more = match self.ahead.take() {
            Some(ahead) => ahead?,
            None => self.cut()?,
        };
        if !more {
            return Ok(Step::End);
        }
        self.scanner.read += 1;
        Ok(self.parse(row).map_or_else(Step::Bad, |()| Step::Row))
    }

    fn declared(&self) -> DeclaredCrs {
        self.declared.clone()
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn header(&self) -> &[String] {
        self.wanted.met()
    }

    fn unseen(&self) -> Vec<String> {
        self.wanted.unseen()
    }

    fn paging(&self) -> Paging {
        self.paging
    }
}

/// Members in which objects have rows that are lists.
const LISTS: [&[u8]; 4] = [b"\"data\"", b"\"rows\"", b"\"records\"", b"\"values\""];

/// Members of a collection that are looked at; those of a feature stay in its text.
const MEMBERS: [&[u8]; 10] = [
    b"\"crs\"",
    b"\"spatialReference\"",
    b"\"exceededTransferLimit\"",
    b"\"properties\"",
    b"\"numberMatched\"",
    b"\"totalFeatures\"",
    b"\"totalCount\"",
    b"\"total_count\"",
    b"\"links\"",
    b"\"next\"",
];

/// Bytes at the end of a file in which its coordinate system is looked for.
const TAIL: u64 = 256 * 1024;

/// What a collection says behind its features of its coordinates: GeoPandas writes it there.
fn declared_behind(file: &File) -> std::io::Result<Option<DeclaredCrs>> {
    let mut file = file;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    file.seek(SeekFrom::Start(0))?;
    let after = |key: &str| {
        let at = tail.windows(key.len()).rposition(|window| window == key.as_bytes())?;
        let rest = tail.get(at + key.len()..)?.trim_ascii_start().strip_prefix(b":")?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        let value = values.next()?.ok()?.get();
        // That of the last feature is not a word of the file.
        let behind = rest.get(values.byte_offset()..)?;
        let is_last = !behind.windows(10).any(|window| window == b"\"geometry\"" || window == b"\"features\"");
        is_last.then(|| value.as_bytes().to_vec())
    };
    let crs = || named_crs(&after("\"crs\"")?);
    let reference = || esri::declared(&after("\"spatialReference\"")?);
    Ok(crs().or_else(reference))
}
