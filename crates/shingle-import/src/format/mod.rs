//! The formats that sources come in, each read row by row.

pub(crate) mod cell;
pub(crate) mod charset;
pub(crate) mod columns;
pub(crate) mod date;
pub(crate) mod dialect;
pub(crate) mod esri;
pub(crate) mod foreign_panic;
pub(crate) mod geojson;
pub(crate) mod geojson_geometry;
pub(crate) mod geoparquet;
pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod list_rows;
pub(crate) mod open;
pub(crate) mod open_quote;
pub(crate) mod osm;
pub(crate) mod properties;
pub(crate) mod quote_style;
pub(crate) mod server_answer;
pub(crate) mod shapefile;
pub(crate) mod source;
pub(crate) mod table;
pub(crate) mod wkb;
