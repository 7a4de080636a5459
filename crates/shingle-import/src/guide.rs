//! Where the data for a state comes from: what to download, how large it is, which license binds, and the command that
//! takes it all in.

use std::fmt::Write as _;

use crate::format::cell;

/// A state: its letters, its name, its number at the Census, and of Microsoft's buildings the number in thousands and the
/// megabytes unpacked: the table of the release's own page (github.com/microsoft/USBuildingFootprints, version 2).
type StateRow = (&'static str, &'static str, &'static str, u32, u32);

#[rustfmt::skip]
const STATES: [StateRow; 51] = [
    ("AL", "Alabama", "01", 2_455, 705), ("AK", "Alaska", "02", 111, 31), ("AZ", "Arizona", "04", 2_739, 846),
    ("AR", "Arkansas", "05", 1_571, 446), ("CA", "California", "06", 11_543, 3_597),
    ("CO", "Colorado", "08", 2_186, 650), ("CT", "Connecticut", "09", 1_216, 340), ("DE", "Delaware", "10", 358, 99),
    ("DC", "District of Columbia", "11", 78, 24), ("FL", "Florida", "12", 7_263, 2_158),
    ("GA", "Georgia", "13", 3_982, 1_117), ("HI", "Hawaii", "15", 253, 68), ("ID", "Idaho", "16", 942, 272),
    ("IL", "Illinois", "17", 5_194, 1_450), ("IN", "Indiana", "18", 3_380, 965), ("IA", "Iowa", "19", 2_075, 543),
    ("KS", "Kansas", "20", 1_614, 449), ("KY", "Kentucky", "21", 2_448, 696), ("LA", "Louisiana", "22", 2_174, 630),
    ("ME", "Maine", "23", 759, 197), ("MD", "Maryland", "24", 1_657, 431), ("MA", "Massachusetts", "25", 2_115, 594),
    ("MI", "Michigan", "26", 4_983, 1_331), ("MN", "Minnesota", "27", 2_914, 799),
    ("MS", "Mississippi", "28", 1_507, 413), ("MO", "Missouri", "29", 3_190, 881), ("MT", "Montana", "30", 773, 210),
    ("NE", "Nebraska", "31", 1_187, 317), ("NV", "Nevada", "32", 1_006, 310), ("NH", "New Hampshire", "33", 578, 154),
    ("NJ", "New Jersey", "34", 2_550, 715), ("NM", "New Mexico", "35", 1_037, 306), ("NY", "New York", "36", 4_972, 1_342),
    ("NC", "North Carolina", "37", 4_678, 1_310), ("ND", "North Dakota", "38", 568, 151), ("OH", "Ohio", "39", 5_544, 1_525),
    ("OK", "Oklahoma", "40", 2_160, 610), ("OR", "Oregon", "41", 1_874, 572), ("PA", "Pennsylvania", "42", 4_965, 1_321),
    ("RI", "Rhode Island", "44", 393, 110), ("SC", "South Carolina", "45", 2_300, 642),
    ("SD", "South Dakota", "46", 661, 174), ("TN", "Tennessee", "47", 3_212, 933), ("TX", "Texas", "48", 10_679, 3_039),
    ("UT", "Utah", "49", 1_082, 322), ("VT", "Vermont", "50", 351, 92), ("VA", "Virginia", "51", 3_079, 836),
    ("WA", "Washington", "53", 3_128, 927), ("WV", "West Virginia", "54", 1_056, 273),
    ("WI", "Wisconsin", "55", 3_173, 857), ("WY", "Wyoming", "56", 387, 104),
];

/// `VA` or `Virginia`: what to do for a county of it. `None` for anything but a state, and for the territories, which
/// Microsoft's files lack.
pub fn guide(state: &str) -> Option<String> {
    let letters = cell::state(state)?;
    let row = STATES.iter().find(|row| row.0 == letters.as_str())?;
    Some(written(row))
}

fn written(&(letters, name, fips, thousands, megabytes): &StateRow) -> String {
    let (small, file) = (letters.to_lowercase(), name.replace(' ', ""));
    let millions = f64::from(thousands) / 1_000.0;
    let folder = name.to_lowercase().replace(' ', "-");
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = write!(
        out,
        "{name}: addresses and roofs of a county, without a shapefile\n\n\
         1. Overture Maps: addresses and buildings in one form. The shortest way.\n\
         \x20  get      pip install overturemaps; with the box of your county, west,south,east,north:\n\
         \x20           overturemaps download --bbox=W,S,E,N -f geoparquet -t address -o {small}-address.parquet\n\
         \x20           overturemaps download --bbox=W,S,E,N -f geoparquet -t building -o {small}-building.parquet\n\
         \x20  size     about 75 MB and 180 MB for a million of each\n\
         \x20  licence  addresses: their sources' own, most CDLA-Permissive-2.0 or public domain\n\
         \x20           buildings: ODbL-1.0 (see below)\n\
         \x20  import   shingle import {small}-address.parquet {small}-building.parquet --map overture --dataset COUNTY-{small}\n\n\
         2. OpenAddresses, or the National Address Database, with Microsoft's buildings. Where Overture has few addresses.\n\
         \x20  get      batch.openaddresses.io/data (it may ask for a free account), region us/{small}: of the layer \"addresses\" of\n\
         \x20           your county source.geojson.gz, unpacked: gunzip source.geojson.gz\n\
         \x20           transportation.gov/gis/national-address-database: the text file (30 GB), then the rows of your county\n\
         \x20           github.com/microsoft/USBuildingFootprints: {file}.geojson.zip, unpacked\n\
         \x20  size     buildings: {millions:.1} million, {megabytes} MB unpacked; cut out your county, because what is in memory\n\
         \x20           grows with it (about 150 bytes for each building): ogr2ogr -spat W S E N {small}-buildings.geojson {file}.geojson\n\
         \x20  licence  OpenAddresses: each county's own; National Address Database: public domain\n\
         \x20           buildings: ODbL-1.0 (see below)\n\
         \x20  import   shingle import source.geojson {small}-buildings.geojson --map openaddresses --dataset COUNTY-{small}\n\
         \x20           shingle import nad.csv {small}-buildings.geojson --map national-address-database --dataset COUNTY-{small}\n\n\
         3. OpenStreetMap. Where mappers have drawn the houses with their addresses.\n\
         \x20  get      download.geofabrik.de/north-america/us/{folder}.html: {folder}-latest.osm.pbf, then\n\
         \x20           osmium extract -b W,S,E,N {folder}-latest.osm.pbf -o {small}.osm\n\
         \x20  size     as XML about 20 times the binary form; one county, not the state\n\
         \x20  licence  ODbL-1.0 (see below)\n\
         \x20  import   shingle import {small}.osm --map openstreetmap --dataset COUNTY-{small}-osm\n\n\
         ZIP codes, where the addresses have none: www2.census.gov/geo/tiger, the newest year, ZCTA520 (one file for the\n\
         country, 530 MB, public domain), as the ZIP areas of a mapping of your own (zip = {{ areas = \"tl_*zcta*\", column =\n\
         \"ZCTA5CE20\" }}). Address ranges of streets (ADDRFEAT, county numbers that begin with {fips}) say where a street has\n\
         which ZIP; they are lines and have no roofs, so they are not imported.\n\n\
         Owners, years and values are the county assessor's: write a mapping for that table (shingle import --help mapping)\n\
         and import it beside these; the newest source is believed, field by field.\n\n\
         ODbL: say where homes are shown \"© OpenStreetMap contributors\" or \"Microsoft building footprints, ODbL\"; the\n\
         outlines stay a source of their own with this licence in every answer, and a changed copy\n\
         of the outlines must be passed on under the same licence. Prices and leads are not such a copy.\n\n\
         Before each import: the same command with --check. It writes nothing.\n"
    );
    out
}

#[cfg(test)]
mod tests {
    use shingle_address::tables::state_by_name;

    use super::*;

    #[test]
    fn every_state_has_its_guide_with_sizes_licences_and_commands_that_name_a_ready_mapping() {
        for row in &STATES {
            let text = guide(row.0).unwrap();
            assert_eq!(state_by_name(&row.1.to_uppercase()), Some(row.0));
            assert!(text.contains(row.1) && text.contains("ODbL") && text.contains(" MB"), "{text}");
            for map in text.split("--map ").skip(1).filter_map(|rest| rest.split_whitespace().next()) {
                assert!(crate::Mapping::ready(map).is_some_and(|m| m.is_ok()), "{map}");
            }
            let commands = text.lines().filter(|l| l.contains("shingle import ") && l.contains("--map")).count();
            assert_eq!(commands, 4, "{text}");
        }
        assert_eq!(guide("Virginia "), guide("va"));
        assert_eq!(guide("Virginai"), None);
    }
}
