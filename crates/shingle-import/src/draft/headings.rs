//! What columns are called in assessors' rolls, address points and outlines; the usual name first.

use crate::draft::profile::Content::{self, *};

/// What a column may be: the table and the key of the mapping, the cells, and headings in small letters, the best first.
pub(super) struct Meaning {
    pub key: &'static str,
    pub content: Content,
    pub headings: &'static [&'static str],
}

const fn meaning(key: &'static str, content: Content, headings: &'static [&'static str]) -> Meaning {
    Meaning { key, content, headings }
}

/// Of the owner, of the past or of the land: never the home's address.
pub(super) const NOT_THE_HOME: &str = r"(^|_)(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?|grantor|grantee|care|prev(ious)?|prior|old|alias|alt|legal)(_|$)|^(own|mail|prev|prior)";

pub(super) const ADDRESS: [Meaning; 17] = [
    meaning(
        "line",
        Line,
        &[
            r"^(situs|site|prop(erty)?|parcel|loc(ation)?|phys(ical)?|house|bldg|full)_?(full_?)?(st(reet)?_?)?(addr(ess)?|adr|add)(_?(1|full|line))?$",
            r"^(addr(ess)?_?(full|line|1)|full_?addr(ess)?|situs|st(reet)?_?addr(ess)?|prop_?loc(ation)?|site_?loc|loc(ation)?)$",
            r"^(addr(ess)?|add|addr_?label|address_?1|location_?1|label)$",
            r"(situs|addr|loc)",
        ],
    ),
    meaning(
        "number",
        HouseNumber,
        &[
            r"^(house|hse|addr(ess)?|add|st(reet)?|str|prop|situs|site|loc|civic)_?(no|num|number|nbr|nmbr)$",
            r"^(number|addr_?housenumber|hno|hsno|st_?no|num|no)$",
            r"^(house|hse|addr(ess)?|add|st(reet)?|str|prop|situs|site|loc|civic)_?(no|num|number|nbr|nmbr)_?(1|lo(w)?|from|beg\w*)$",
            r"^(prop|situs|site|loc(ation)?|phys(ical)?|addr(ess)?|parcel)_(st(reet)?|str|house|hse|addr?|bldg)_?(no|num|number|nbr|nmbr)$",
        ],
    ),
    meaning(
        "number_suffix",
        Unit,
        &[
            r"^(house|hse|addr(ess)?|add|st(reet)?|loc_st)_?(num|no|nbr|number)?_?(suf(fix)?|sfx|frac\w*)$|^(half_?(add\w*|no|num\w*|house)?|frac\w*)$",
        ],
    ),
    meaning(
        "street",
        Street,
        &[
            r"^(st(reet)?_?nam(e)?_?full|full_?(st(reet)?|road|rd)_?(nam(e)?|nm)?|stnam_full|addr_street|rd_?full\w*)$",
            r"^(street|st(reet)?_?(name|nam|nm)|road_?(name|nm)?|rd_?(name|nm)|str_?(name|nam|nm))$",
            r"^(prop|situs|site|loc|addr(ess)?|add|l)_?(st(reet)?|str|road|rd)_?(name|nam|nm)?$|^l?st_?name$",
        ],
    ),
    meaning("street_pre_modifier", Name, &[r"^(l?st(reet)?|str)_?pre_?mod\w*$"]),
    meaning(
        "street_pre_direction",
        Direction,
        &[
            r"^(l?st(reet)?_?|str_?|addr_?|situs_?|l|site_?)?(pre(fix)?_?dir\w*|dir(ection)?_?(pre(fix)?)?|prefix|pre|pd)$",
        ],
    ),
    meaning("street_pre_type", Name, &[r"^(l?st(reet)?_?|str_?)?(pre_?ty?pe?)$"]),
    meaning(
        "street_type",
        StreetType,
        &[
            r"^(l?st(reet)?_?|str_?|addr_?|situs_?|site_?|l|road_?|rd_?|pos_?|post_?)?(pos_?|post_?)?(type|typ|suf(fix)?|sfx|mode)$",
        ],
    ),
    meaning(
        "street_post_direction",
        Direction,
        &[r"^(l?st(reet)?_?|str_?|addr_?|situs_?|l)?(pos(t)?_?|suf(fix)?_?)(dir\w*)$|^(suf|post)_?d$"],
    ),
    meaning("street_post_modifier", Name, &[r"^(l?st(reet)?|str)_?pos(t)?_?mod\w*$"]),
    meaning(
        "unit",
        Unit,
        &[
            r"^(addr_?|situs_?|prop_?|site_?|loc_?|condo_?|st(reet)?_?|sub_?)?(unit|apt|apartment|suite)_?(no|num|number|nbr|id|desig\w*)?$",
            r"^(ste|sec_?unit|address_?2|addr_?2|occup\w*)$",
        ],
    ),
    meaning(
        "city",
        Name,
        &[
            r"^(post(al)?_?)?(city|comm(unity)?|comn?)(_?name|_?nm)?$|^addr_city$",
            r"^(situs|prop(erty)?|site|loc(ation)?|st(reet)?|add)_?(city|town|muni\w*|comm(unity)?)(_?name)?$|^(town|tn)(_?name|_?nm)?$",
            r"^((situs|prop(erty)?|site|loc|post(al)?)_?)?localit(y|ies)(_?(name|nm))?$|^(muni(c?ip\w*)?|inc_?muni|msag_?comm?|zip_?(name|city)|jurisd\w*|place|city_?\w*|uninc_?comm)$",
        ],
    ),
    meaning("state", State, &[r"^(addr_?|situs_?|prop(erty)?_?|site_?|loc_?|add_?)?(state|st|st_?abbr\w*|region)$"]),
    meaning(
        "zip",
        Zip,
        &[
            r"^(addr_?)?(zip|post(al)?)_?(code|cd|5)?$",
            r"^(situs|prop(erty)?|site|loc(ation)?|add|st|bldg|phys)_?(zip|post(al)?)_?(code|cd|5)?$|^zcta\w*$",
        ],
    ),
    meaning(
        "longitude",
        Longitude,
        &[r"^(lon|lng|long|longitude|x)(_?(coord\w*|dd|wgs\w*|deg\w*))?$", r"(^|_)(lon|long|longitude)$"],
    ),
    meaning("latitude", Latitude, &[r"^(lat|latitude|y)(_?(coord\w*|dd|wgs\w*|deg\w*))?$", r"(^|_)(lat|latitude)$"]),
    meaning(
        "building_use",
        Words,
        &[
            r"^(building|bldg|bld|struct(ure)?)(_?(use|type|typ|kind|class|desc))?$",
            r"^(kind|type|use|feat(ure)?_?(type|code)|class|subtype|lu_?\w*)$",
        ],
    ),
];

pub(super) const PARCEL: Meaning = meaning(
    "parcel",
    Id,
    &[
        r"^(par(cel)?|prcl)_?(id|no|num(ber)?|nbr|pin|key)?$|^gis_?(id|pin|key|link)$",
        r"^(map_?(par(cel)?)_?(id|no)?|loc_?id|pin\d*|apn\w*|gpin|pcn|ppin|lrsn|strap|folio|tax_?(map|id|key|pin)\w*|parc\w*)$",
        r"^(map_?(block_?)?lot|mbl\w*|blk_?lot|block_?lot|sbl(_?(key|no|id))?|print_?key|pin_?(no|num(ber)?|nbr|id)|ain|account\w*|acct\w*|pid|prop(erty)?_?id|ref|prid)$",
    ],
);

pub(super) const FACTS: [Meaning; 30] = [
    meaning(
        "primary_owner",
        Name,
        &[
            r"^(own(er)?s?_?(full_?)?(name|nm|nam)?_?1?|name_?1|owner_?1_?(name)?)$",
            r"^(own(er)?_?(last)?_?name\w*|owner_of_rec\w*|tax_?payer(_?name)?|grantee)$",
        ],
    ),
    meaning(
        "secondary_owner",
        Name,
        &[r"^(own(er)?_?(name|nm)?_?2|own(er)?_?co_?own\w*|co_?own\w*|second_?own\w*|owner_?2\w*|name_?2)$"],
    ),
    meaning("residential_exemption", Flag, &[r"homestead|hmstd|(res\w*|owner)_?exempt\w*|owner_?occ\w*"]),
    meaning(
        "year_built",
        Year,
        &[
            r"^(act(ual)?_?)?(y(ea)?r_?(b(ui)?l?t|built|const\w*)|ayb)$",
            r"(^|_)(y(ea)?r_?(b(ui)?l?t|built|const\w*)|b(ui)?lt_?y(ea)?r|ayb|built)(_|$)",
            r"(^|_)(construct\w*|const|build|erect\w*|complet\w*)_?(y(ea)?r)(_|$)|(^|_)y(ea)?r_?(of_)?(construct\w*|build|erect\w*|complet\w*|blt)(_|$)",
        ],
    ),
    meaning(
        "storeys",
        Few,
        &[
            r"(^|_)(num_?|no_?(of_?)?|nbr_?)?(stor(ey|ie|y)s?|storeys)(_?(no|num|ht|hgt|height|cnt|count))?$",
            r"^(sto?r?_?h(ei)?gh?t|num_?floors|levels|building_levels|floors)$",
        ],
    ),
    meaning(
        "living_area_sqft",
        Area,
        &[
            r"(^|_)(l(i)?v(i)?n?g?|living|heat(ed)?|htd?|fin(ished)?|res)_?(area|sq_?f(ee)?t|sf|sq|ar|m2|m²|sq_?m)(_|$)",
            r"(^|_)(living|liv(e)?able|heated|finished|habitable|conditioned|residential)_?(floor_?)?(space|area|size|sq\w*|sf|footage|feet)(_|$)",
            r"^(sq_?ft|sq_?m|(floor_?)?area_?(m2|m²|sq_?m)|gla|tla|total_?liv\w*|sfla|bldg_?sq_?ft|sqft_?liv\w*|tot(al)?_?(lvg|sqft)\w*)$",
        ],
    ),
    meaning(
        "building_area_sqft",
        Area,
        &[
            r"^(gross|bldg|building|bld|tot(al)?_?bldg|gba)_?(area|sq_?f(ee)?t|sf|ar)?(_?(m2|m²|sq_?m))?$",
            r"^(gross_?(bldg_?)?area|gr_?area|tot_?area)$",
        ],
    ),
    meaning(
        "ground_floor_sqft",
        Area,
        &[r"^(ground|gr|first|1st|fl1|floor_?1|flr1|foot_?print|base)_?(floor|fl|flr)?_?(area|sq_?f(ee)?t|sf)$"],
    ),
    meaning("garage_area_sqft", Area, &[r"(^|_)gar(age)?_?(area|sq_?f(ee)?t|sf|sq)$"]),
    meaning("garage_cars", Few, &[r"(^|_)gar(age)?_?(cars|cap\w*|spaces|bays|stalls)$"]),
    meaning("roof_type", Words, &[r"(^|_)roof_?(ty?pe?|shape|style|struct\w*|str)(_?desc)?$"]),
    meaning("roof_material", Words, &[r"(^|_)roof_?(mat\w*|cov\w*|cvr|surf\w*)(_?desc)?$"]),
    meaning("style", Words, &[r"^((exterior|bldg|building|house|arch|res|dwel\w*)_?)?(style|styl|sty)(_?desc)?$"]),
    meaning(
        "wall_type",
        Words,
        &[r"(^|_)(ext(erior)?_?(wall|fin\w*|cov\w*)s?|wall_?ty?pe?|siding)(_?(desc|1|ty?pe?))?$"],
    ),
    meaning("grade", Words, &[r"(^|_)(grade|qual(ity)?|bldg_?(grade|qual\w*))(_?desc)?$"]),
    meaning(
        "units",
        Few,
        &[
            r"(^|_)(num|no|nbr|number|res|dwell?\w*|living|tot(al)?)_?(of_?)?(dwell?\w*_?)?(units|du)$",
            r"^(units|du|living_?units)$|(^|_)(units?|dwellings?|du)_?(count|cnt|qty|total|tot)$|^(num|no|nbr|number)_?(of_?)?(res\w*_?)?(dwell\w*|homes|apartments|unt|living_?units)$",
        ],
    ),
    meaning(
        "property_class",
        Words,
        &[
            r"^(prop(erty)?_?(class|type|use)|land_?use|lu|use|class|stclass|state_?class)_?(desc\w*|name|txt)$",
            r"^(prop(erty)?_?(class|type|use)|land_?use|use_?(type|desc)|class|pclass)$",
            r"(^|_)(dor|luc?|puc|use|class|land_?use|type)_?(code_?)?(desc\w*|name|text|txt)$",
        ],
    ),
    meaning(
        "zoning",
        Codes,
        &[r"^((primary|prim|main|base|current)_?)?zon(e|ing)(_?(code|cd|class|desc\w*|dist\w*|1))?$"],
    ),
    meaning("county", Name, &[r"^(county|cnty|co_?name)(_?(name|nm))?$"]),
    meaning("subdivision", Words, &[r"^(sub_?div\w*|subd(_?\w*)?|nbhd_?name|neighborhood)$"]),
    meaning("school_district", Words, &[r"^school_?d\w*$|^sch_?dist\w*$"]),
    meaning("heat_fuel", Words, &[r"(^|_)(heat(ing)?_?fuel|fuel(_?ty?pe?)?)(_?desc)?$"]),
    meaning(
        "sale_date",
        Date,
        &[
            r"^(last_?|ls_?|recent_?)?(sale?s?|sold)_?(da?te?|dt)(_?1)?$|^sold$",
            r"^(last_?|ls_?|recent_?)?(deed|trans(fer)?)_?(da?te?|dt)(_?1)?$",
            r"(^|_)(sale|deed|transfer|ls)_?(da?te?|dt)$",
        ],
    ),
    meaning(
        "sale_price",
        Money,
        &[
            r"^(last_?|ls_?|recent_?)?(sale?s?|sell(ing)?|transfer|deed)_?(price|amt|amount|val(ue)?|consid\w*|pr)(_?1)?$",
            r"^(price|consideration|sale_?p\w*|(last|ls)_?(price|amt|amount|pr))$",
        ],
    ),
    meaning(
        "assessed_value",
        Money,
        &[
            r"^(tot(al)?_?)?(assess(ed|ment)?|asmt|assd|asd|appr(aised)?|market|mkt|tax(able)?)_?(tot(al)?_?)?(va?l(ue)?|tot(al)?)$",
            r"(^|_)(full_?cash|cash|fcv|just|fair_?market|market|mkt|assess(ed|ment)?|apprais(ed|al)|taxable)_?(tot(al)?_?)?va?l(ue)?(_?(total|tot))?$|^jv$",
            r"^(tot(al)?|full|net)_?va?l(ue)?$|^(tot(al)?_?(assess\w*|asmt|appr\w*))$",
        ],
    ),
    meaning(
        "building_value",
        Money,
        &[
            r"^(assess\w*_?|appr\w*_?|market_?)?(b(ui)?ldi?n?g?s?|impr?v?(ements?)?|imps?)_?(assess\w*_?|appr\w*_?|market_?)?va?l(ue)?$",
        ],
    ),
    meaning("tax_delinquent", Flag, &[r"delinq\w*"]),
    meaning(
        "mailing_line",
        Name,
        &[
            r"^(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?)_?(full_?)?(st(reet)?_?)?(addr?(ess)?|adr|line|street)(_?(1|line_?1))?$",
        ],
    ),
    meaning(
        "mailing_city",
        Name,
        &[r"^(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?)_?(addr(ess)?_?)?(city|town|cty)(_?name)?$"],
    ),
    meaning(
        "mailing_zip",
        Zip,
        &[r"^(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?)_?(addr(ess)?_?)?(zip|post(al)?)_?(code|cd|5)?$"],
    ),
];

/// What helps to understand another field but is not a field itself.
pub(super) const SUPPORTING: [Meaning; 3] = [
    meaning("heat_type", Words, &[r"(^|_)(heat(ing)?|htg)_?(ty?pe?|sys(tem)?|src|source)?(_?desc)?$"]),
    meaning("mailing_line_2", Name, &[r"^(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?)_?(addr?(ess)?|adr|line)_?2$"]),
    meaning("mailing_state", State, &[r"^(own(er)?s?|mail(ing)?|m|tax_?payer|bill(ing)?)_?(addr(ess)?_?)?(state|st)$"]),
];
