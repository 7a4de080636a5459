//! A release of addresses and buildings laid out as Overture Maps publishes its own: a catalog, the boxes of all files in
//! `collections.parquet`, files of several row groups. Streets and homes are invented.

use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::bucket::Bucket;

/// A house with its address.
#[derive(Debug, Clone, PartialEq)]
pub struct Home {
    pub id: String,
    pub number: u32,
    pub street: String,
    pub zip: String,
    pub city: String,
    pub state: String,
    pub longitude: f64,
    pub latitude: f64,
    /// Half the width of its outline, in degrees of longitude; 0 has none.
    pub half: f64,
}

/// How a file is written.
#[derive(Debug, Clone)]
pub struct Layout {
    pub rows_of_group: usize,
    pub packing: Compression,
    /// In the order of the file.
    pub corners: [&'static str; 4],
    /// Replaces a name of a column in the file.
    pub renamed: Option<(&'static str, &'static str)>,
    /// Every row of it is this large.
    pub padded_geometry: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            rows_of_group: 200,
            packing: Compression::ZSTD(ZstdLevel::default()),
            corners: ["xmin", "xmax", "ymin", "ymax"],
            renamed: None,
            padded_geometry: 0,
        }
    }
}

const GEO: &str = r#"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":[],"bbox":[-180,-90,180,90],"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}"#;

type Outcome<T> = Result<T, ParquetError>;

/// Files of one release.
#[derive(Debug, Default)]
pub struct ReleaseFiles {
    items: Vec<Item>,
    files: Vec<(String, Vec<u8>)>,
}

#[derive(Debug)]
struct Item {
    collection: &'static str,
    covers: [f64; 4],
    path: String,
}

impl ReleaseFiles {
    /// One file of addresses and one of buildings.
    pub fn add(&mut self, release: &str, homes: &[Home], layout: &Layout) -> Outcome<()> {
        let number = self.files.len() / 2;
        for (collection, folder, bytes) in [
            ("address", "theme=addresses/type=address", addresses(homes, layout)?),
            ("building", "theme=buildings/type=building", buildings(homes, layout)?),
        ] {
            let path = format!("release/{release}/{folder}/part-{number:05}.zstd.parquet");
            self.items.push(Item { collection, covers: covers(homes), path: path.clone() });
            self.files.push((path, bytes));
        }
        Ok(())
    }

    /// Publishes them as the newest release of the bucket.
    pub fn publish(self, bucket: &Bucket, release: &str) -> Outcome<()> {
        for (path, bytes) in self.into_files(release)? {
            bucket.put(&path, bytes);
        }
        Ok(())
    }

    /// Each file with its path, the catalog among them.
    pub fn into_files(mut self, release: &str) -> Outcome<Vec<(String, Vec<u8>)>> {
        self.files.push((format!("{release}/collections.parquet"), collections(&self.items)?));
        let link = format!(r#"{{"rel":"child","href":"./{release}/catalog.json","latest":true}}"#);
        let catalog = format!(r#"{{"type":"Catalog","id":"all","latest":"{release}","links":[{link}]}}"#);
        self.files.push(("catalog.json".to_owned(), catalog.into_bytes()));
        Ok(self.files)
    }
}

fn covers(homes: &[Home]) -> [f64; 4] {
    let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    homes.iter().fold(start, |[w, s, e, n], home| {
        let half = home.half;
        [
            w.min(home.longitude - half),
            s.min(home.latitude - half),
            e.max(home.longitude + half),
            n.max(home.latitude + half),
        ]
    })
}

/// A description of the source that reads it, in place of the one that comes with the program.
pub fn description(bucket: &Bucket, built_in: &str, has_catalog: bool) -> String {
    let at = bucket.url();
    let catalog = if has_catalog { format!("{at}catalog.json") } else { String::new() };
    let line = |line: &str| match line.split_once(" = ") {
        Some(("catalog", _)) => format!("catalog = \"{catalog}\""),
        Some(("data", _)) => format!("data = \"{at}\""),
        _ => line.to_owned(),
    };
    built_in.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn point(home: &Home) -> Vec<u8> {
    let mut bytes = vec![1, 1, 0, 0, 0];
    bytes.extend([home.longitude, home.latitude].into_iter().flat_map(f64::to_le_bytes));
    bytes
}

fn outline(home: &Home) -> Vec<u8> {
    let (x, y, half) = (home.longitude, home.latitude, home.half);
    let ring = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let mut bytes = vec![1, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0];
    bytes.extend(ring.into_iter().flat_map(|(a, b)| [x + a * half, y + b * half * 0.7]).flat_map(f64::to_le_bytes));
    bytes
}

fn schema(text: &str, layout: &Layout) -> String {
    let boxes = layout.corners.map(|corner| format!("optional float {corner};")).join(" ");
    let text = text.replace("BBOX", &format!("optional group bbox {{ {boxes} }}"));
    match layout.renamed {
        Some((from, to)) => text.replacen(&format!(" {from}"), &format!(" {to}"), 1),
        None => text,
    }
}

fn addresses(homes: &[Home], layout: &Layout) -> Outcome<Vec<u8>> {
    let schema = schema(
        "message schema { optional binary id (string); optional binary geometry; BBOX optional binary country (string);
         optional binary postcode (string); optional binary street (string); optional binary number (string);
         optional binary unit (string); optional group address_levels (list) { repeated group list {
         optional group element { optional binary value (string); } } } optional binary postal_city (string);
         optional int32 version; }",
        layout,
    );
    written(&schema, GEO, layout, homes, |group, homes| {
        texts(group, homes, |h| Some(h.id.as_bytes().to_vec()))?;
        texts(group, homes, |h| Some(padded(point(h), layout)))?;
        boxes(group, homes, layout, 0.0)?;
        texts(group, homes, |_| Some(b"US".to_vec()))?;
        texts(group, homes, |h| Some(h.zip.as_bytes().to_vec()))?;
        texts(group, homes, |h| Some(h.street.as_bytes().to_vec()))?;
        texts(group, homes, |h| Some(h.number.to_string().into_bytes()))?;
        texts(group, homes, |_| None)?;
        let values: Vec<ByteArray> =
            homes.iter().flat_map(|h| [h.state.as_str().into(), h.city.as_str().into()]).collect();
        let again: Vec<i16> = homes.iter().flat_map(|_| [0, 1]).collect();
        column::<ByteArrayType>(group, &values, Some(&vec![4; values.len()]), Some(&again))?;
        texts(group, homes, |h| Some(h.city.as_bytes().to_vec()))?;
        column::<parquet::data_type::Int32Type>(group, &vec![1; homes.len()], Some(&vec![1; homes.len()]), None)
    })
}

fn buildings(homes: &[Home], layout: &Layout) -> Outcome<Vec<u8>> {
    let drawn: Vec<Home> = homes.iter().filter(|home| home.half > 0.0).cloned().collect();
    let schema = schema(
        "message schema { optional binary id (string); optional binary geometry; BBOX
         optional binary subtype (string); optional binary class (string); optional binary names (string); }",
        layout,
    );
    written(&schema, GEO, layout, &drawn, |group, homes| {
        texts(group, homes, |h| Some(format!("b-{}", h.id).into_bytes()))?;
        texts(group, homes, |h| Some(padded(outline(h), layout)))?;
        boxes(group, homes, layout, 1.0)?;
        texts(group, homes, |_| Some(b"residential".to_vec()))?;
        texts(group, homes, |_| Some(b"house".to_vec()))?;
        texts(group, homes, |h| Some(format!("A name that nobody reads {}", h.id).into_bytes()))
    })
}

fn padded(mut bytes: Vec<u8>, layout: &Layout) -> Vec<u8> {
    bytes.resize(bytes.len().max(layout.padded_geometry), 0);
    bytes
}

type Group<'g, 'f> = SerializedRowGroupWriter<'g, &'f mut Vec<u8>>;

fn written(
    schema: &str,
    geo: &str,
    layout: &Layout,
    homes: &[Home],
    write: impl Fn(&mut Group<'_, '_>, &[Home]) -> Outcome<()>,
) -> Outcome<Vec<u8>> {
    let properties = WriterProperties::builder()
        .set_compression(layout.packing)
        .set_key_value_metadata(Some(vec![KeyValue::new("geo".to_owned(), geo.to_owned())]))
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, Arc::new(parse_message_type(schema)?), Arc::new(properties))?;
    for homes in homes.chunks(layout.rows_of_group) {
        let mut group = writer.next_row_group()?;
        write(&mut group, homes)?;
        group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn column<T: DataType>(
    group: &mut Group<'_, '_>,
    values: &[T::T],
    defined: Option<&[i16]>,
    repeated: Option<&[i16]>,
) -> Outcome<()> {
    let none = || ParquetError::General("one column too many".into());
    let mut column = group.next_column()?.ok_or_else(none)?;
    column.typed::<T>().write_batch(values, defined, repeated)?;
    column.close()
}

fn texts(group: &mut Group<'_, '_>, homes: &[Home], of: impl Fn(&Home) -> Option<Vec<u8>>) -> Outcome<()> {
    let cells: Vec<Option<Vec<u8>>> = homes.iter().map(of).collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<ByteArray> = cells.into_iter().flatten().map(ByteArray::from).collect();
    column::<ByteArrayType>(group, &values, Some(&levels), None)
}

fn boxes(group: &mut Group<'_, '_>, homes: &[Home], layout: &Layout, size: f64) -> Outcome<()> {
    for corner in layout.corners {
        let at = |home: &Home| match corner {
            "xmin" => home.longitude - home.half * size,
            "xmax" => home.longitude + home.half * size,
            "ymin" => home.latitude - home.half * size,
            _ => home.latitude + home.half * size,
        };
        let values: Vec<f32> = homes.iter().map(|home| at(home) as f32).collect();
        column::<FloatType>(group, &values, Some(&vec![2; homes.len()]), None)?;
    }
    Ok(())
}

fn collections(items: &[Item]) -> Outcome<Vec<u8>> {
    let schema = "message schema { optional binary id (string); optional binary type (string);
        optional binary collection (string); optional group bbox { optional double xmin; optional double ymin;
        optional double xmax; optional double ymax; } optional group assets { optional group aws {
        optional binary href (string); optional group alternate { optional group s3 { optional binary href (string); } } } } }";
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(parse_message_type(schema)?), properties)?;
    let mut group = writer.next_row_group()?;
    let count = items.len();
    // A server that nothing may be read from: only the path counts.
    let href = |item: &Item| ByteArray::from(format!("https://bucket.example/{}", item.path).as_str());
    let text = |group: &mut Group<'_, '_>, level: i16, values: Vec<ByteArray>| {
        column::<ByteArrayType>(group, &values, Some(&vec![level; values.len()]), None)
    };
    text(&mut group, 1, items.iter().map(|item| item.path.as_str().into()).collect())?;
    text(&mut group, 1, vec!["Feature".into(); count])?;
    text(&mut group, 1, items.iter().map(|item| item.collection.into()).collect())?;
    for corner in 0..4 {
        let values: Vec<f64> = items.iter().map(|item| item.covers[corner]).collect();
        column::<DoubleType>(&mut group, &values, Some(&vec![2; count]), None)?;
    }
    text(&mut group, 3, items.iter().map(href).collect())?;
    text(&mut group, 5, items.iter().map(href).collect())?;
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

/// Homes in rows of streets around a place: `streets` of them with `houses` each, 30 m apart.
pub fn town(prefix: &str, at: (f64, f64), streets: usize, houses: usize, zip: (&str, &str, &str)) -> Vec<Home> {
    const NAMES: [&str; 8] =
        ["Alder Ct", "Birch Ln", "Cedar St", "Dogwood Dr", "Elm Ave", "Fir Rd", "Gum Way", "Hazel Pl"];
    let (longitude, latitude) = at;
    let (zip, city, state) = zip;
    let home = |n: usize| {
        let (street, house) = (n / houses, n % houses);
        let name = NAMES[street % NAMES.len()];
        let name = if street < NAMES.len() { name.to_owned() } else { format!("{} {name}", numbered(street)) };
        Home {
            id: format!("{prefix}-{n:06}"),
            number: 10 + 2 * house as u32,
            street: name,
            zip: zip.to_owned(),
            city: city.to_owned(),
            state: state.to_owned(),
            longitude: longitude + house as f64 * 4e-4,
            latitude: latitude + street as f64 * 4e-4,
            half: 7e-5,
        }
    };
    (0..streets * houses).map(home).collect()
}

/// A word for a number, so that streets have names of their own.
fn numbered(n: usize) -> String {
    const WORDS: [&str; 10] = ["North", "Old", "Upper", "Lower", "Little", "Great", "Quiet", "Sunny", "Stony", "Mill"];
    match n / 8 {
        rest if rest < WORDS.len() => WORDS[rest].to_owned(),
        rest => format!("{}{}", WORDS[rest % WORDS.len()], ['a', 'e', 'i', 'o'][rest / WORDS.len() % 4]),
    }
}
