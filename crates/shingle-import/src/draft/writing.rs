//! A mapping as text: each line with what is in the column, and a mark where it may be wrong.

use std::fmt::Write as _;

use crate::draft::profile::{Content, Profile};
use crate::draft::roles::Chosen;

/// What marks a line that the operator should look at.
pub(super) const MARK: &str = "# DOUBTFUL:";

#[derive(Default)]
pub(super) struct Toml {
    text: String,
    pub doubtful: usize,
}

impl Toml {
    pub fn comment(&mut self, text: &str) {
        let _ = writeln!(self.text, "# {text}");
    }

    pub fn table(&mut self, name: &str) {
        let _ = write!(self.text, "\n[{name}]\n");
    }

    pub fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    pub fn doubt(&mut self, key: &str, value: &str, why: &str) {
        self.doubtful += 1;
        let _ = writeln!(self.text, "{key} = {value}  {MARK} {why}");
    }

    /// A column, as it is or within a formula.
    pub fn column(&mut self, key: &str, column: Chosen<'_, '_>, value: Option<String>) {
        let value = value.unwrap_or_else(|| plain(column.profile));
        let second = column.second.map(|p| format!("; else `{}`", clean(&p.column.name))).unwrap_or_default();
        let filled = format!("filled in {:.0} % of the rows{second}", column.profile.share * 100.0);
        if column.is_doubtful {
            self.doubt(key, &value, &format!("is `{}` the right column? It is {filled}", clean(column.name())));
        } else {
            let _ = writeln!(self.text, "{key} = {value}  # {filled}");
        }
    }

    pub fn so_far(&self) -> &str {
        &self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

/// A text as TOML has it, on one line.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A heading within a comment.
pub(super) fn clean(text: &str) -> String {
    crate::format::cell::tidy(text).chars().take(60).collect()
}

pub(super) fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    format!("[{}]", texts.into_iter().map(quoted).collect::<Vec<_>>().join(", "))
}

/// The column, and the texts that mean nothing in it.
pub(super) fn plain(profile: &Profile<'_>) -> String {
    let name = quoted(&profile.column.name);
    if profile.blanks.is_empty() {
        return name;
    }
    format!("{{ column = {name}, blank = {} }}", list(profile.blanks.iter().copied()))
}

/// What the words of a county's own vocabulary most often mean.
const WORDS: [(&str, &str); 6] = [
    (
        "roof_type",
        r#"["gambrel", "gambrel"], ["mansard", "mansard"], ["hip", "hip"], ["gable", "gable"], ["shed", "shed"], ["flat", "flat"]"#,
    ),
    (
        "roof_material",
        r#"["asb", "asbestos shingle"], ["^as[phal]+t|(comp|fib).*shi?n", "asphalt shingle"], ["tar", "tar and gravel"], ["built|b.?u.?r\\b", "built-up"], ["rub|epdm|membr", "rubber membrane"], ["slate", "slate"], ["roll", "roll roofing"], ["wood|shake|cedar", "wood shingle"], ["tile|clay", "tile"], ["metal|tin\\b|steel", "metal"], ["comp", "composition"]"#,
    ),
    (
        "wall_type",
        r#"["al.*vin", "aluminum or vinyl"], ["vin", "vinyl"], ["alum", "aluminum"], ["asb", "asbestos shingle"], ["^as[phal]+t", "asphalt shingle"], ["clap", "clapboard"], ["wood.*sh", "wood shingle"], ["bri?c?k.*v", "brick veneer"], ["brick", "brick"], ["block|cbs|cmu", "concrete block"], ["stuc", "stucco"], ["metal.*glass", "metal and glass"], ["metal", "metal"], ["stone", "stone"]"#,
    ),
    (
        "heat_fuel",
        r#"["propane|lpg", "propane"], ["elec|heat.?pump", "electric"], ["gas", "gas"], ["oil|kero", "oil"], ["wood|solar|coal|none|other", "other"]"#,
    ),
    (
        "grade",
        r#"["^(average|avg|typical|c)\\b", "average"], ["fair|poor|below|low|minimum|^[de]\\b", "belowAverage"], ["good|excel|above|special|custom|superior|luxur|^[ab]\\b|^x", "aboveAverage"], ["average|avg", "average"]"#,
    ),
    (
        "property_class",
        r#"["vac|undev|unimpr", "vacantLand"], ["condo|cndo", "condominium"], ["mixed|mult(i|iple).?use", "mixedResidential"], ["mobile|manuf|trailer", "mobileHome"], ["two|three|2.?fam|3.?fam|2-4|duplex|triplex|fourplex", "twoToFourUnits"], ["apart|apt|multi|4.?(to|-).?8|(>|over).?8", "apartments"], ["single|sngl|sfr|one.?fam|1.?fam|townh", "singleFamily"], ["comm|retail|office|indus|store|hotel|bank|warehouse|shop", "commercial"]"#,
    ),
];

/// Where no fuel is written, some kinds of heating imply it.
pub(super) fn heat_fuel(fuel: &Profile<'_>, heating: &Profile<'_>) -> Option<String> {
    let (_, patterns) = WORDS.iter().find(|(of, _)| *of == "heat_fuel")?;
    let kind = quoted(&heating.column.name);
    let kind = format!("{{ column = {kind}, pattern = \"heat.?pump|elec\" }}");
    Some(format!("{{ first_of = [{}, {kind}], patterns = [{patterns}] }}", plain(fuel)))
}

/// The value of a field whose words have to be understood; `None` where the column is enough.
pub(super) fn words(key: &str, profile: &Profile<'_>) -> Option<String> {
    let (_, patterns) = WORDS.iter().find(|(of, _)| *of == key)?;
    let otherwise = if key == "property_class" { ", otherwise = \"other\"" } else { "" };
    let blank = if profile.blanks.is_empty() {
        String::new()
    } else {
        format!(", blank = {}", list(profile.blanks.iter().copied()))
    };
    let name = quoted(&profile.column.name);
    Some(format!("{{ column = {name}{blank}, patterns = [{patterns}]{otherwise} }}"))
}

/// The expressions that words of a field are looked for with.
pub(super) fn patterns_of(key: &str) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Pairs {
        all: Vec<(String, String)>,
    }
    let known = WORDS.iter().find(|(of, _)| *of == key).map(|(_, patterns)| format!("all = [{patterns}]"));
    let pairs = known.and_then(|text| toml::from_str::<Pairs>(&text).ok());
    pairs.map(|pairs| pairs.all.into_iter().map(|(pattern, _)| pattern).collect()).unwrap_or_default()
}

/// A column of square meters, as its heading says.
pub(super) fn square_metres(profile: &Profile<'_>) -> Option<String> {
    const UNITS: [&str; 6] = ["m2", "m²", "sqm", "sq_m", "sq_metres", "sq_meters"];
    let is_metric = UNITS.iter().any(|unit| {
        profile.heading.strip_suffix(unit).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    });
    is_metric.then(|| format!("{{ column = {}, unit = \"m2\" }}", quoted(&profile.column.name)))
}

/// A date in the form that the column has.
pub(super) fn date(profile: &Profile<'_>) -> String {
    let name = quoted(&profile.column.name);
    let mut blanks: Vec<&str> = profile.blanks.clone();
    // The first day of a calendar stands for a day that nobody knows.
    let unknown = profile.filled.iter().find(|c| c.starts_with("1900-01-01") || c.starts_with("1/1/1900"));
    blanks.extend(unknown);
    let blank = if blanks.is_empty() { String::new() } else { format!(", blank = {}", list(blanks)) };
    match profile.dates().0 {
        None if blank.is_empty() => name,
        None => format!("{{ column = {name}{blank} }}"),
        Some(format) => format!("{{ column = {name}{blank}, formats = [{}] }}", quoted(format)),
    }
}

/// Whether the field is worth a line: its cells are what they should be.
pub(super) fn is_read(content: Content, profile: &Profile<'_>) -> bool {
    profile.share > 0.0 && profile.fits(content) > 0.5
}
