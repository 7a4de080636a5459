//! States that number the uses of land alike in all their counties: what their codes say of a home.

use crate::draft::pattern::pattern;
use crate::draft::profile::Profile;
use crate::draft::roles::Roles;
use crate::draft::writing::quoted;

/// Headings of such a column.
pub(super) const HEADING: &str = r"(^|_)(use|class|lu|luc|puc|dor|state_?class\w*|prop\w*_?(class|type|use))(_?(code|cd|uc|no|num|id))?$|class_?code|use_?code";
/// Below this share of codes of the list the column numbers something else.
const LEAST_KNOWN: f64 = 0.95;
/// And of codes of homes.
const LEAST_HOMES: f64 = 0.3;

struct UseCodes {
    state: &'static str,
    /// What a code of the list looks like.
    form: &'static str,
    /// Patterns and what they mean, in this order; whatever else is `other`.
    means: &'static [(&'static str, &'static str)],
}

const LISTS: [UseCodes; 4] = [
    // Massachusetts, Department of Revenue.
    UseCodes {
        state: "MA",
        form: r"^0?(1[3-4]|21|31|34|41|4[1-3]|[1-9]\d\d\d?)[A-Z]?$",
        means: &[
            ("^0?101", "singleFamily"),
            ("^0?(102|199)", "condominium"),
            ("^0?103", "mobileHome"),
            ("^0?(104|105|1091|1094|109$)", "twoToFourUnits"),
            ("^0?(111|112|114|1095)", "apartments"),
            ("^0?(13|14|21)$", "mixedResidential"),
            ("^0?(13[0-2]|39[0-2]|44[0-2]|930)", "vacantLand"),
            ("^0?(31$|3)", "commercial"),
        ],
    },
    // New York, Office of Real Property Tax Services.
    UseCodes {
        state: "NY",
        form: r"^[1-9]\d\d$",
        means: &[
            ("^(210|215|24|25|26)", "singleFamily"),
            ("^(220|230)", "twoToFourUnits"),
            ("^27", "mobileHome"),
            ("^28", "twoToFourUnits"),
            ("^3", "vacantLand"),
            ("^411", "apartments"),
            ("^4", "commercial"),
        ],
    },
    // Florida, Department of Revenue.
    UseCodes {
        state: "FL",
        form: r"^\d{1,3}$",
        means: &[
            ("^0?01$|^1$", "singleFamily"),
            ("^0?02$|^2$", "mobileHome"),
            ("^0?03$|^3$", "apartments"),
            ("^0?0[45]$|^[45]$", "condominium"),
            ("^0?08$|^8$", "twoToFourUnits"),
            ("^0?(00|10|40)$|^0$", "vacantLand"),
            ("^0?12$", "mixedResidential"),
            ("^0?[1-3][1-9]$", "commercial"),
        ],
    },
    // Ohio, Department of Taxation.
    UseCodes {
        state: "OH",
        form: r"^[1-8]\d\d$",
        means: &[
            ("^51", "singleFamily"),
            ("^5[23]", "twoToFourUnits"),
            ("^55", "condominium"),
            ("^56", "mobileHome"),
            ("^40[1-3]", "apartments"),
            ("^([35]0|400)", "vacantLand"),
            ("^[34]", "commercial"),
        ],
    },
];

/// The value of `property_class`, where a column has the codes of the state.
pub(super) fn property_class(roles: &Roles<'_>, state: Option<&str>) -> Option<(String, &'static str)> {
    let codes = LISTS.iter().find(|list| Some(list.state) == state)?;
    let heading = pattern(HEADING)?;
    let headed = roles.profiles.iter().filter(|p| p.called().any(|called| heading.is_match(called)) && p.share > 0.8);
    let column = headed.filter(|p| codes.fits(p)).max_by(|a, b| a.share.total_cmp(&b.share))?;
    let means: Vec<String> = codes.means.iter().map(|(form, class)| format!("['{form}', {}]", quoted(class))).collect();
    let name = quoted(&column.column.name);
    let value = format!("{{ column = {name}, patterns = [{}], otherwise = \"other\" }}", means.join(", "));
    Some((value, codes.state))
}

impl UseCodes {
    fn fits(&self, profile: &Profile<'_>) -> bool {
        let (Some(form), homes) = (pattern(self.form), self.means.iter().filter(|m| m.1 != "commercial")) else {
            return false;
        };
        let homes: Vec<_> = homes.filter_map(|(of, _)| pattern(of)).collect();
        profile.distinct > 2
            && profile.part(|c| form.is_match(c)) >= LEAST_KNOWN
            && profile.part(|c| homes.iter().any(|h| h.is_match(c))) >= LEAST_HOMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(state: &str, code: &str) -> &'static str {
        let list = LISTS.iter().find(|l| l.state == state).unwrap();
        assert!(pattern(list.form).unwrap().is_match(code), "{state} {code}");
        list.means.iter().find(|(of, _)| pattern(of).unwrap().is_match(code)).map_or("other", |m| m.1)
    }

    #[test]
    fn codes_say_what_the_states_say_of_them() {
        for (state, code, meaning) in [
            ("MA", "101", "singleFamily"),
            ("MA", "0101", "singleFamily"),
            ("MA", "1021", "condominium"),
            ("MA", "13", "mixedResidential"),
            ("MA", "130", "vacantLand"),
            ("MA", "031", "commercial"),
            ("MA", "960", "other"),
            ("MA", "121", "other"),
            ("NY", "210", "singleFamily"),
            ("NY", "220", "twoToFourUnits"),
            ("NY", "270", "mobileHome"),
            ("NY", "311", "vacantLand"),
            ("NY", "411", "apartments"),
            ("NY", "484", "commercial"),
            ("NY", "620", "other"),
            ("FL", "001", "singleFamily"),
            ("FL", "1", "singleFamily"),
            ("FL", "000", "vacantLand"),
            ("FL", "004", "condominium"),
            ("FL", "011", "commercial"),
            ("FL", "071", "other"),
            ("OH", "510", "singleFamily"),
            ("OH", "500", "vacantLand"),
            ("OH", "401", "apartments"),
            ("OH", "420", "commercial"),
            ("OH", "685", "other"),
        ] {
            assert_eq!(class(state, code), meaning, "{state} {code}");
        }
    }
}
