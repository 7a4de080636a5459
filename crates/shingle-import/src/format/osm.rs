//! OpenStreetMap XML: buildings, and points with house numbers, each with its tags as columns. Everything else (roads,
//! trees) is no row. A file has its nodes first, then ways, then relations; nodes and ways are kept until the end,
//! about 20 bytes each: a county fits, a country does not.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use shingle_domain::message::Message;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::file_problem::FileProblem;
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::format::unread_row::UnreadRow;

/// More nodes than any county has; 1.4 GB in memory.
const MAX_NODES: usize = 60_000_000;

pub(crate) struct OsmXml {
    path: PathBuf,
    reader: Reader<BufReader<File>>,
    buffer: Vec<u8>,
    wanted: Vec<String>,
    seen: Vec<bool>,
    /// Where no tag is asked for: those that rows had so far.
    met: Vec<String>,
    /// Steps of ten-millionths of a degree, as the database has them.
    nodes: HashMap<i64, (i32, i32), foldhash::fast::RandomState>,
    ways: HashMap<i64, Vec<i64>>,
    read: u64,
}

/// What is between the start and the end of a node, a way or a relation.
#[derive(Default)]
struct Element {
    kind: Kind,
    id: i64,
    at: Option<(f64, f64)>,
    deleted: bool,
    tags: Vec<(String, String)>,
    refs: Vec<i64>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Node,
    Way,
    Relation,
}

const STEPS_PER_DEGREE: f64 = 1e7;

impl OsmXml {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Self {
        let mut reader = Reader::from_reader(BufReader::with_capacity(256 * 1024, file));
        reader.config_mut().check_end_names = true;
        Self {
            path: path.to_owned(),
            reader,
            buffer: Vec::new(),
            wanted: wanted.to_vec(),
            seen: vec![false; wanted.len()],
            met: Vec::new(),
            nodes: HashMap::default(),
            ways: HashMap::new(),
            read: 0,
        }
    }

    /// The next node, way or relation.
    fn element(&mut self) -> Result<Option<Element>, ImportError> {
        let mut open: Option<Element> = None;
        loop {
            self.buffer.clear();
            let (path, read) = (&self.path, self.read);
            let broken = |e: Message| ImportError::input(path, FileProblem::NotXml { read, e });
            let event =
                self.reader.read_event_into(&mut self.buffer).map_err(|e| broken(Message::Text(e.to_string())))?;
            let is_empty = matches!(event, Event::Empty(_));
            match &event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let kind = match tag.name().0 {
                        "node" => Some(Kind::Node),
                        "way" => Some(Kind::Way),
                        "relation" => Some(Kind::Relation),
                        _ => None,
                    };
                    if let Some(kind) = kind {
                        let element = Element::new(kind, tag);
                        if is_empty {
                            return Ok(Some(element));
                        }
                        open = Some(element);
                    } else if let Some(element) = &mut open {
                        element.take(tag);
                    }
                }
                Event::End(tag) => {
                    if matches!(tag.name().0, "node" | "way" | "relation")
                        && let Some(element) = open.take()
                    {
                        return Ok(Some(element));
                    }
                }
                Event::Eof if open.is_some() => {
                    return Err(broken(FileProblem::EndsWithinElement.into()));
                }
                Event::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    fn keep(&mut self, element: &Element) -> Result<(), ImportError> {
        match element.kind {
            Kind::Node => {
                if let Some((lon, lat)) = element.at {
                    let steps = |degrees: f64| (degrees * STEPS_PER_DEGREE).round() as i32;
                    self.nodes.insert(element.id, (steps(lon), steps(lat)));
                }
                if self.nodes.len() > MAX_NODES {
                    let problem = FileProblem::TooManyNodes { max: MAX_NODES };
                    return Err(ImportError::input(&self.path, problem));
                }
            }
            Kind::Way => {
                self.ways.insert(element.id, element.refs.clone());
            }
            Kind::Relation => {}
        }
        Ok(())
    }

    fn shape(&self, element: &Element) -> Result<Shape, UnreadRow> {
        let place = |id: &i64| -> Option<(f64, f64)> {
            let (lon, lat) = self.nodes.get(id)?;
            Some((f64::from(*lon) / STEPS_PER_DEGREE, f64::from(*lat) / STEPS_PER_DEGREE))
        };
        let ring = |refs: &[i64]| -> Result<Vec<(f64, f64)>, UnreadRow> {
            if refs.len() < 4 || refs.first() != refs.last() {
                return Err(UnreadRow::Line);
            }
            refs.iter().map(place).collect::<Option<_>>().ok_or(UnreadRow::LacksPoints)
        };
        match element.kind {
            Kind::Node => Ok(element.at.map_or(Shape::None, |(x, y)| Shape::Point(x, y))),
            Kind::Way => Ok(Shape::Rings(vec![ring(&element.refs)?])),
            Kind::Relation => {
                let ways: Option<Vec<Vec<i64>>> = element.refs.iter().map(|id| self.ways.get(id).cloned()).collect();
                let closed = joined(ways.ok_or(UnreadRow::LacksWays)?);
                Ok(Shape::Rings(closed.iter().map(|refs| ring(refs)).collect::<Result<_, _>>()?))
            }
        }
    }
}

impl Element {
    fn new(kind: Kind, tag: &BytesStart<'_>) -> Self {
        let number = |name: &str| attribute(tag, name).and_then(|v| v.parse::<f64>().ok());
        Self {
            kind,
            id: attribute(tag, "id").and_then(|v| v.parse().ok()).unwrap_or_default(),
            at: number("lon").zip(number("lat")).filter(|(lon, lat)| lon.abs() <= 180.0 && lat.abs() <= 90.0),
            deleted: attribute(tag, "action").as_deref() == Some("delete")
                || attribute(tag, "visible").as_deref() == Some("false"),
            ..Self::default()
        }
    }

    /// A tag, a node of a way, or a member of a relation.
    fn take(&mut self, tag: &BytesStart<'_>) {
        let reference = || attribute(tag, "ref").and_then(|v| v.parse::<i64>().ok());
        match tag.name().0 {
            "tag" => {
                let both = attribute(tag, "k").zip(attribute(tag, "v"));
                self.tags.extend(both.map(|(key, value)| (key, cell::tidy(&value))));
            }
            "nd" => self.refs.extend(reference()),
            "member" if attribute(tag, "type").as_deref() == Some("way") => self.refs.extend(reference()),
            _ => {}
        }
    }

    fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Whether it is a building or has a house number.
    fn is_row(&self) -> bool {
        let is_building = self.kind != Kind::Node && self.tag("building").is_some_and(|b| b != "no");
        !self.deleted && (is_building || self.tag("addr:housenumber").is_some())
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.try_get_attribute(name).ok()??;
    Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}

/// Rings from ways that continue each other, in either direction. What closes nowhere stays open.
fn joined(mut ways: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    while let Some(mut ring) = ways.pop() {
        while ring.first() != ring.last() {
            let Some(end) = ring.last().copied() else { break };
            let Some(at) = ways.iter().position(|w| w.first() == Some(&end) || w.last() == Some(&end)) else { break };
            let mut next = ways.swap_remove(at);
            if next.first() != Some(&end) {
                next.reverse();
            }
            ring.extend(next.into_iter().skip(1));
        }
        out.push(ring);
    }
    out
}

impl RowSource for OsmXml {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        row.cells.resize(self.wanted.len(), String::new());
        row.cells.iter_mut().for_each(String::clear);
        row.shape = Shape::None;
        row.has_stray_hole = false;
        let element = loop {
            let Some(element) = self.element()? else { return Ok(Step::End) };
            self.keep(&element)?;
            if element.is_row() {
                break element;
            }
        };
        self.read += 1;
        if self.wanted.is_empty() {
            for (key, _) in &element.tags {
                if !self.met.contains(key) {
                    self.met.push(key.clone());
                }
            }
        }
        for ((cell, name), seen) in row.cells.iter_mut().zip(&self.wanted).zip(&mut self.seen) {
            if let Some(value) = element.tag(name) {
                cell.push_str(value);
                *seen = true;
            }
        }
        match self.shape(&element) {
            Ok(shape) => row.shape = shape,
            Err(reason) => return Ok(Step::Bad(reason)),
        }
        Ok(Step::Row)
    }

    fn declared(&self) -> DeclaredCrs {
        DeclaredCrs::Degrees
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn header(&self) -> &[String] {
        &self.met
    }

    fn unseen(&self) -> Vec<String> {
        self.wanted.iter().zip(&self.seen).filter(|(_, seen)| !**seen).map(|(name, _)| name.clone()).collect()
    }
}
