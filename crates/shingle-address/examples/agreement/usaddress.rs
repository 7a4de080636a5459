//! The training files of `usaddress`: a line of text each, whose words are labelled by elements.

use std::path::Path;

use shingle_address::labelled::LabelledLine;

/// The addresses of a file, and whether more is said in them than a house's address: who gets the mail, boxes, buildings,
/// or no house number. Left out are crossings and lines that only name somebody: they are no address of anything.
/// With `whole_streets` the street is one label, as in the lists of the fifty states: whether `Central Park` is a name or a
/// name with a suffix is then the normal form's affair.
pub fn read(path: &Path, whole_streets: bool) -> std::io::Result<Vec<(LabelledLine, bool)>> {
    let text = std::fs::read_to_string(path)?;
    let of_states = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("us50"));
    let strings = text.split("<AddressString>").skip(1).filter_map(|rest| rest.split("</AddressString>").next());
    Ok(strings.filter_map(|line| labelled(&words(line), whole_streets || of_states)).collect())
}

/// The text in pieces: its label, which is empty between the words, and the words.
fn words(line: &str) -> Vec<(&str, String)> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((between, opened)) = rest.split_once('<') {
        pieces.push(("", plain(between)));
        let Some((label, inner)) = opened.split_once('>') else { break };
        let Some((word, after)) = inner.split_once(&format!("</{label}>")) else { break };
        pieces.push((label, plain(word)));
        rest = after;
    }
    pieces
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, (code, after))) = rest.split_once("&#").and_then(|(b, r)| Some((b, r.split_once(';')?))) {
        out.push_str(before);
        out.extend(code.parse().ok().and_then(char::from_u32));
        rest = after;
    }
    out.push_str(rest);
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

const STREET: [&str; 8] = [
    "StreetNamePreDirectional",
    "StreetNamePreModifier",
    "StreetNamePreType",
    "StreetName",
    "StreetNamePostType",
    "StreetNamePostDirectional",
    "StreetNamePostModifier",
    "suffix",
];
const BOX: [&str; 4] = ["USPSBoxGroupType", "USPSBoxGroupID", "USPSBoxType", "USPSBoxID"];
const BESIDE: [&str; 6] = ["Recipient", "BuildingName", "LandmarkName", "NotAddress", "CountryName", "SubaddressType"];

fn labelled(pieces: &[(&str, String)], whole_streets: bool) -> Option<(LabelledLine, bool)> {
    let has = |labels: &[&str]| pieces.iter().any(|(label, _)| labels.contains(label));
    let names_a_place = has(&["AddressNumber", "StreetName", "PlaceName", "ZipCode"]) || has(&BOX);
    if has(&["IntersectionSeparator", "CornerOf"]) || !names_a_place {
        return None;
    }
    let all = |labels: &[&str]| {
        let words = pieces.iter().filter(|(label, _)| labels.contains(label));
        words.map(|(_, word)| word.trim_matches([',', ';'])).collect::<Vec<_>>().join(" ")
    };
    let mut line = LabelledLine {
        source: "usaddress".to_owned(),
        input: pieces.iter().map(|(_, text)| text.as_str()).collect::<String>().trim().to_owned(),
        number: all(&["AddressNumberPrefix", "AddressNumber", "AddressNumberSuffix"]),
        unit: all(&["SubaddressType", "SubaddressIdentifier", "OccupancyType", "OccupancyIdentifier"]),
        city: all(&["PlaceName"]),
        state: all(&["StateName"]),
        zip: all(&["ZipCode"]),
        ..LabelledLine::default()
    };
    let messy = has(&BESIDE) || has(&BOX) || line.number.is_empty();
    let placed = has(&["AddressNumber", "StreetName"]);
    if whole_streets || !placed {
        // A box, or the name of a building, stands in place of a street.
        let instead: &[&str] = if has(&BOX) { &BOX } else { &["BuildingName", "LandmarkName"] };
        line.source = "us50".to_owned();
        line.street = all(if placed { &STREET } else { instead });
        return Some((line, messy));
    }
    line.predir = all(&STREET[..1]);
    line.street = all(&["StreetNamePreModifier", "StreetNamePreType", "StreetName", "StreetNamePostModifier"]);
    line.postdir = all(&["StreetNamePostDirectional"]);
    let types = all(&["StreetNamePostType"]);
    let (more, suffix) = types.rsplit_once(' ').unwrap_or(("", &types));
    line.suffix = suffix.to_owned();
    line.street = format!("{} {more}", line.street).trim().to_owned();
    Some((line, messy))
}
