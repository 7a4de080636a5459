//! Why coordinates cannot be converted to longitude and latitude, and what to do.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// What a person can do about it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CrsAdvice {
        SetCrs => "set `crs` in the `[geometry]` of the mapping to its EPSG number (2284, say) or to a proj string",
        Reproject =>
            "reproject the file first: ogr2ogr -t_srs EPSG:4326 -f GeoJSONSeq out.geojsonl IN; or state the shift to WGS 84, \
             `+towgs84=…`, in a proj string as `crs`",
    }
}

messages! {
    /// Why coordinates cannot be converted.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum CrsProblem {
        NotBuiltIn { code: u32, advice: CrsAdvice } => "EPSG {code} is not built in; {advice}",
        NotConverted { code: u32, why: Box<CrsProblem> } => "the coordinates of EPSG {code} cannot be converted: {why}",
        Unknown { name: String, advice: CrsAdvice } => "the coordinate system `{name}` is not known; {advice}",
        Wkt2 { advice: CrsAdvice } => "a part of this WKT 2 is not known; {advice}",
        Wkt { problem: WktProblem, advice: CrsAdvice } => "{problem}; {advice}",
        Proj { string: String, e: String, advice: CrsAdvice } => "`{string}`: {e}; {advice}",
        Target { name: String, e: String } => "{name}: {e}",
        NoPrj { advice: CrsAdvice } => "there is no .prj, and the coordinates are not degrees; {advice}",
        Unsaid { advice: CrsAdvice } => "it does not say what its coordinates are, and they are not degrees; {advice}",
        Datum { name: Message, advice: CrsAdvice } =>
            "its datum, {name}, is neither WGS 84 nor NAD 83, and no shift to them is stated; {advice}",
        Grid { grid: String, advice: CrsAdvice } =>
            "its datum needs the shift grid `{grid}`, which is not built in; {advice}",
        Nad27 { advice: CrsAdvice } =>
            "its datum, NAD 27 (North American Datum of 1927), needs a shift grid that is not built in; {advice}",
        Shift { stated: String } => "`+towgs84={stated}` is neither three nor seven numbers",
    }
}

impl CrsProblem {
    /// Whether another program has to convert the file.
    pub fn needs_reprojecting(&self) -> bool {
        match self {
            Self::Datum { .. } | Self::Grid { .. } | Self::Nad27 { .. } => true,
            Self::NotConverted { why, .. } => why.needs_reprojecting(),
            _ => false,
        }
    }
}

messages! {
    /// What a datum without a name is called.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum DatumName {
        OnEllipsoid { ellipsoid: String } => "not named, on the ellipsoid {ellipsoid}",
        OnOwnEllipsoid => "not named, on an ellipsoid of its own",
    }
}

messages! {
    /// Why the text of a `.prj` file is of no use.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum WktProblem {
        TooLong => "the projection text is too long to be one",
        NotWkt => "the projection text is not WKT",
        NotGeographic { other: String } => "`{other}` holds no geographic coordinate system",
        NoDatum => "the projection names no datum",
        NotGreenwich => "the prime meridian is not Greenwich",
        NotDegrees => "angles are not in degrees",
        NoSpheroid => "the datum has no spheroid",
        NoAxes => "the spheroid has no axes",
        NotEarth => "the spheroid is not of the Earth",
        NoUnit => "the projection has no unit",
        NotLength => "the unit of length is not one",
        NoProjection => "no PROJECTION is named",
        Lacks { name: String, lacks: &'static str } => "the projection {name} lacks {lacks}",
        NotBuiltIn { name: String } => "the projection {name} is not built in",
    }
}
