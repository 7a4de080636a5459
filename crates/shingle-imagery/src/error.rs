//! What can be wrong with a picture, and what helps.

use std::io;

#[derive(Debug, thiserror::Error)]
pub enum ImageryError {
    #[error("the picture cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("this is not a TIFF file: it begins with neither II nor MM")]
    NotTiff,
    #[error("the file ends too early: it says that {what} lies at byte {at}, and it has {length} bytes; copy it again")]
    CutOff { what: &'static str, at: u64, length: u64 },
    #[error("the file is damaged: {0}; copy it again, or make a new one: gdal_translate IN.tif OUT.tif")]
    Damaged(&'static str),
    #[error("a block of the picture cannot be decompressed ({method}: {why}); copy the file again")]
    Compression { method: &'static str, why: String },
    #[error("the picture {what}, which is not read; convert it first: gdal_translate {options} IN.tif OUT.tif")]
    NotRead { what: String, options: &'static str },
    #[error(
        "a block of the picture is {megabytes} MB once unpacked, and at most {most} MB are read at a time; cut the \
         picture into tiles first: gdal_translate -co TILED=YES -co COMPRESS=DEFLATE -co BIGTIFF=IF_SAFER IN.tif OUT.tif"
    )]
    LargeBlock { megabytes: u64, most: u64 },
    #[error(
        "this window needs {megapixels} million pixels of the picture at once; add overviews first: gdaladdo -r average \
         FILE.tif 2 4 8 16"
    )]
    LargeWindow { megapixels: u64 },
    #[error("the window cannot be cut: {0}")]
    Window(&'static str),
    #[error(
        "the file does not say where on Earth it is: it has neither a GeoTIFF placement nor a world file (.tfw) beside \
         it; place it: gdal_translate -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH IN.tif OUT.tif"
    )]
    NotPlaced,
    #[error(
        "the placement of the picture is unusable: {0}; place it again: gdal_edit.py -a_ullr WEST NORTH EAST SOUTH FILE.tif"
    )]
    Placement(&'static str),
    #[error(
        "the picture is placed by control points that are up to {pixels:.0} pixels off a straight fit; rectify it first: \
         gdalwarp -tps -t_srs EPSG:4326 IN.tif OUT.tif"
    )]
    ControlPoints { pixels: f64 },
    #[error("the file does not name its coordinate system; give it as an EPSG number: --crs EPSG:26917")]
    NoSystem,
    #[error(
        "the coordinate system {name} cannot be used: {why}; reproject the picture first: gdalwarp -t_srs EPSG:4326 -r cubic IN.tif OUT.tif"
    )]
    System { name: String, why: String },
    #[error(
        "the file says that its coordinate system is {stated}, and {given} was given, which is {meters:.0} meters off; \
         leave it out, or correct the file: gdal_edit.py -a_srs {given} FILE.tif"
    )]
    OtherSystem { stated: String, given: String, meters: f64 },
    #[error(
        "the file names EPSG {code}, whose unit is {own} meters, and a unit of {stated} meters beside it; say which is \
         right: gdal_edit.py -a_srs EPSG:CODE FILE.tif"
    )]
    Units { code: u32, own: f64, stated: f64 },
    #[error(
        "the corner of the picture would lie at latitude {latitude:.1}: its axes are swapped, or its coordinate system is \
         another; correct it: gdal_edit.py -a_srs EPSG:CODE FILE.tif"
    )]
    OffEarth { latitude: f64 },
    #[error("the picture cannot be written as WebP in {most} bytes; allow more, or cut fewer pixels")]
    TooManyBytes { most: usize },
    #[error("the picture cannot be written as WebP: {0}")]
    Webp(String),
}
