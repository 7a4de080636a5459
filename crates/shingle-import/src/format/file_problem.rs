//! Why a file cannot be read.

use std::path::PathBuf;

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// Why a file cannot be read, each with what to do.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum FileProblem {
        Empty => "the file is empty",
        ShapeIndex => "this is the index of a shapefile; name the .shp beside it",
        UnmarkedUtf16 { name: &'static str } =>
            "this is UTF-16 without the mark that says so; write `encoding = \"{name}\"` in `[table]`",
        WebPage => "this is a web page; was an error page saved in place of the file? Download it again",
        Binary => "not a shapefile, GeoJSON or CSV: it holds bytes that no table has",
        TopoJson => "this is TopoJSON; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.topojson",
        OldExcel => "this is an old Excel workbook (.xls); open it and save its sheet as CSV",
        Zip => "this is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV",
        Gzip => "this is compressed with gzip; unpack it first: gunzip FILE",
        Zstd => "this is compressed with zstd; unpack it first: unzstd FILE",
        Bzip2 => "this is compressed with bzip2; unpack it first: bunzip2 FILE",
        Pdf => "this is a PDF; a table or outlines are needed",
        GeoPackage => "this is a GeoPackage or another SQLite file; convert the layer: ogr2ogr -f GeoJSONSeq out.geojsonl \
                       in.gpkg LAYER",
        FlatGeobuf => "this is FlatGeobuf; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.fgb",
        LaserPoints => "these are laser points of a survey: say so in the mapping, `[layers.points] files = \"*.laz\"`",
        OsmBinary => "this is OpenStreetMap's binary form; convert it: osmium cat in.osm.pbf -o out.osm",
        Kml => "this is KML; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.kml",
        Gpx => "this is GPX, the track of a device; addresses or outlines are needed",
        Gml => "this is GML; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.gml; or ask the server for \
                outputFormat=application/json",
        XmlSpreadsheet => "this is a spreadsheet in XML; open it and save its sheet as CSV",
        OtherXml => "this is XML of a form that is not read; ask for CSV, GeoJSON or a shapefile",
        ServerError { message: Message } =>
            "this is the error answer of a server (`{message}`) and holds no rows. Look at the address it came from, and \
             download it again",
        NoReasonGiven => "no reason given",
        ArcGisLayer => "this is what an ArcGIS server says of a layer and holds none of its rows; ask for them: \
                        …/query?where=1%3D1&outFields=*&outSR=4326&f=geojson",
        WithoutNames => "its rows are lists of values without names; ask the server for CSV or GeoJSON",
        RowsWithin { key: String } =>
            "the rows are in `{key}` of an object; save that list by itself: jq '.{key}' in.json > out.json",
        EndsAfterFeature { number: u64 } => "truncated: the file ends after feature {number}",
        EndsWithinFeature { number: u64 } => "truncated: the file ends within feature {number}",
        NotJson { number: u64 } => "not JSON after feature {number}",
        LateCrs => "it says what its coordinates are behind the features, too far from its end to be seen in time; set `crs` \
                    in the `[geometry]` of the mapping to what it says",
        NotXml { read: u64, e: Message } => "cut off, or not XML, after row {read}: {e}. Download it again",
        EndsWithinElement => "the file ends within an element",
        TooManyNodes { max: usize } => "more than {max} nodes; cut out a county: osmium extract -b BOX",
        EndsAfterRow { read: u64, rows: u64 } => "truncated: it ends after row {read} of {rows}",
        Parquet { e: String } => "this Parquet file cannot be read: {e}. Download it again",
        ParquetDamaged => "this Parquet file cannot be read: it is damaged. Download it again",
        ShapeEncoding { encoding: String } =>
            "its shapes are encoded as `{encoding}`, and only WKB is read; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl \
             in.parquet",
        NoDbf => "the .dbf that holds the addresses is not beside this shapefile",
        ShorterThanShapefile => "truncated: shorter than a shapefile's header",
        ShorterThanPromised { promised: u64, length: u64 } =>
            "truncated: the header promises {promised} {promised|byte|bytes}, the file has {length}. Copy it again",
        OtherCount { rows: u64, records: u64, dbf: PathBuf } =>
            "{rows} {rows|shape|shapes} here, {records} {records|record|records} in {dbf}: the files do not belong together",
        EndsInRecord { record: u64 } => "truncated in record {record}",
        RecordBeyondEnd { count: u64 } => "record {count} reaches beyond the end of the file: it is damaged",
        AddressRanges => "these are TIGER address ranges (ADDRFEAT, EDGES): streets with their first and last house number. \
                          They hold no home and no roof; use the addresses of Overture or OpenAddresses (shingle import \
                          --guide STATE), and TIGER's ZCTA520 for ZIP codes",
        Roads => "these are TIGER roads: lines without house numbers. They hold no home and no roof; use addresses and \
                  outlines instead (shingle import --guide STATE)",
        Lines => "these are lines, and a line is no outline of a building; name the file with the addresses, the parcels or \
                  the buildings",
        ShorterThanDbf => "truncated: shorter than a .dbf header",
        DbfHeader => "the .dbf header is damaged",
        DbfFields => "the .dbf header is damaged: its fields are wider than a record",
        FewerRecords { rows: u64, held: u64 } =>
            "truncated: the header promises {rows} {rows|record|records}, the file holds {held}. Copy it again",
        EndsWithinRow { row: u64 } => "truncated: the file ends within row {row}. Copy it again",
        EndsWithinQuotes { row: u64 } => "truncated: the file ends inside a quoted field of row {row}. Copy it again",
        OpenQuote { row: u64, lines: usize } =>
            "truncated: a quotation mark that opens in row {row} does not close in the {lines} {lines|line|lines} up to the end of the \
             file. Where quotation marks are part of the text, write `quote = \"\"` in `[table]`; if the file was cut off, copy \
             it again",
        RecordWithoutEnd =>
            "the record has no end; is a quotation mark left open? Where they are part of the text, write `quote = \"\"` in \
             `[table]`",
        BadRow { row: u64, why: Message } => "row {row}: {why}",
        SkipsAll { lines: u32 } => "the file ends after {lines} {lines|line|lines}; `skip_lines` passes over {lines|it|them all}",
    }
}
