//! Parquet: packed in each way, damaged in each place.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::files::*;

const SCHEMA: &str = "message schema { required binary parcel (string); required binary number (string);
    required binary street (string); required binary city (string); required binary zip (string);
    required binary kind (string); required binary geometry; }";

fn polygon(ring: &[(f64, f64)]) -> Vec<u8> {
    let mut out = vec![1, 3, 0, 0, 0, 1, 0, 0, 0];
    out.extend((ring.len() as u32).to_le_bytes());
    out.extend(ring.iter().flat_map(|p| [p.0, p.1]).flat_map(f64::to_le_bytes));
    out
}

/// Houses as GeoParquet, an odd number of them in pages of its second version; `crs` as the metadata has it, `None` for the format's own rule.
pub fn geoparquet(path: &Path, houses: &[House], crs: Option<&str>, compression: impl Fn(&str) -> Compression) {
    let crs = crs.map(|crs| format!(",\"crs\":{crs}")).unwrap_or_default();
    let geo = format!(
        r#"{{"version":"1.1.0","primary_column":"geometry","columns":{{"geometry":{{"encoding":"WKB","geometry_types":[]{crs}}}}}}}"#
    );
    let version = if houses.len().is_multiple_of(2) { WriterVersion::PARQUET_1_0 } else { WriterVersion::PARQUET_2_0 };
    let mut properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_key_value_metadata(Some(vec![KeyValue::new("geo".to_owned(), geo)]));
    let columns = ["parcel", "number", "street", "city", "zip", "kind", "geometry"];
    for column in columns {
        properties = properties.set_column_compression(column.into(), compression(column));
    }
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for name in columns {
        let cells: Vec<ByteArray> = houses
            .iter()
            .map(|h| match name {
                "parcel" => h.parcel.into(),
                "number" => h.number.as_str().into(),
                "street" => h.street.into(),
                "city" => "HARROW".into(),
                "zip" => "43099".into(),
                "kind" => "House".into(),
                _ => ByteArray::from(polygon(&h.ring)),
            })
            .collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&cells, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn each_packing_is_read() {
    let all = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ];
    for (packed, count) in all.into_iter().flat_map(|packed| [(packed, 40), (packed, 41)]) {
        let town = Town::new();
        let file = town.path("a.parquet");
        geoparquet(&file, &street(count), None, |_| packed);
        assert_eq!(town.import(OUTLINES, &[&file]).unwrap().places, count as u64, "{packed:?}");
        assert!(plan_area(&town.find("110 Tanner Street, Harrow, OH 43099").unwrap()) > 100.0);
    }
    // Some writers choose for each column.
    let town = Town::new();
    let file = town.path("a.parquet");
    geoparquet(&file, &street(40), None, |column| all[column.len() % all.len()]);
    assert_eq!(town.import(OUTLINES, &[&file]).unwrap().places, 40);
}

#[test]
fn a_damaged_file_is_an_error_with_its_name_wherever_it_is_damaged() {
    let town = Town::new();
    let file = town.path("a.parquet");
    geoparquet(&file, &street(12), None, |_| Compression::UNCOMPRESSED);
    let whole = std::fs::read(&file).unwrap();
    town.import(OUTLINES, &[&file]).unwrap();
    // The bytes change alike in each run.
    let mut errors = 0;
    for at in (4..whole.len()).step_by(13) {
        let mut bytes = whole.clone();
        bytes[at] = bytes[at].wrapping_mul(31).wrapping_add(97);
        bytes[(at * 7) % whole.len()] ^= 0x55;
        let damaged = town.write("b.parquet", &bytes);
        match town.import(OUTLINES, &[&damaged]) {
            Ok(_) => {}
            Err(e) => {
                errors += 1;
                assert!(e.to_string().contains("b.parquet") || e.to_string().contains("shapes"), "{at}: {e}");
            }
        }
    }
    assert!(errors > 20, "only {errors} errors: the damage is not seen");
}

#[test]
fn a_coordinate_system_is_read_with_and_without_its_number() {
    let geographic = |name: &str, ellipsoid: &str, id: &str| {
        format!(
            r#"{{"type":"GeographicCRS","name":"{name}","datum":{{"type":"GeodeticReferenceFrame","name":"{name}","ellipsoid":{ellipsoid}}}{id}}}"#
        )
    };
    let grs = r#"{"name":"GRS 1980","semi_major_axis":6378137,"inverse_flattening":298.257222101}"#;
    let clarke = r#"{"name":"Clarke 1866","semi_major_axis":6378206.4,"semi_minor_axis":6356583.8}"#;
    let shift = |name: &str| {
        format!(
            r#"{{"type":"BoundCRS","source_crs":{source},"transformation":{{"method":{{"name":"{name}"}},"parameters":[
            {{"name":"X-axis translation","value":-8}},{{"name":"Y-axis translation","value":160}},{{"name":"Z-axis translation","value":176}}]}}}}"#,
            source = geographic("North American Datum 1927", clarke, "")
        )
    };
    for (crs, told) in [
        (geographic("North American Datum 1983", grs, ""), ""),
        (geographic("NAD83 (National Spatial Reference System 2011)", grs, ""), ""),
        (geographic("WGS 84", grs, r#","id":{"authority":"EPSG","code":4326}"#), ""),
        (geographic("WGS 84", grs, r#","id":{"authority":"OGC","code":"CRS84"}"#), ""),
        (geographic("Town grid", grs, r#","id":{"authority":"ESRI","code":104000}"#), ""),
        (shift("Geocentric translations (geog2D domain)"), ""),
        (shift("Position Vector transformation (geog2D domain)"), ""),
        (geographic("North American Datum 1927", clarke, ""), "NAD 27"),
        (geographic("Old Hawaiian", clarke, ""), "Old Hawaiian"),
        (geographic("Guam 1963", clarke, r#","id":{"authority":"EPSG","code":4675}"#), "Guam 1963"),
        ("null".to_owned(), "does not say what its coordinates are"),
        (r#"{"type":"EngineeringCRS","name":"Town grid"}"#.to_owned(), "`Town grid` is not known"),
    ] {
        let town = Town::new();
        let file = town.path("a.parquet");
        geoparquet(&file, &street(6), Some(&crs), |_| Compression::UNCOMPRESSED);
        match town.import(OUTLINES, &[&file]) {
            Ok(report) => assert!(told.is_empty() && report.places == 6, "{crs}"),
            Err(e) => assert!(!told.is_empty() && e.to_string().contains(told), "{crs}: {e}"),
        }
    }
}
