//! One recorded line: its owners, and the kind of each.

use super::kind::OwnerKind;
use super::name::{Name, read_names};
use super::token::{Token, tokens};
use super::vocabulary::{
    BESIDE_HOA, BODIES_AFTER_COMMA, BODIES_BEFORE_OF, FILLERS, FREELY_NAMED_TRUSTS, IBERIAN, LEGAL_FORMS, MONTHS,
    ORGANISATION_PAIRS, ORGANISATIONS, ORGANISATIONS_OR_NAMES, ROLE_PHRASES, ROLES, STREET_WORDS, SUFFIXES, TITLES,
    TRUST_SIGNS, TRUST_WORDS, is_one_of,
};

#[derive(Debug, Default)]
pub(super) struct OwnerLine {
    pub kind: Option<OwnerKind>,
    pub surnames: Vec<String>,
    pub mentioned: Vec<String>,
    /// It names a trust that may have any name.
    pub freely_named: bool,
    pub names_a_person: bool,
    pub opens_with_the: bool,
}

/// One owner: words with the commas between them.
type Segment = Vec<Token>;

impl OwnerLine {
    /// `continues`: a person is named on the line before.
    pub fn read(text: &str, continues: bool) -> Self {
        let mut line = Self::default();
        let (segments, care_of) = segments(tokens(text));
        line.mentioned.extend(care_of);
        line.opens_with_the = segments.first().is_some_and(|s| matches!(s.first(), Some(Token::Word(w)) if w == "THE"))
            && !segments.iter().any(|s| is_trust(&words(s)));
        let all: Vec<&str> = segments.iter().flat_map(|s| words(s)).collect();
        let one_body = is_organisation(&segments.iter().flatten().cloned().collect::<Vec<_>>())
            && !segments.iter().any(|s| !is_organisation(s) && has_comma_order(s));
        if one_body {
            line.kind = Some(OwnerKind::Organisation);
            line.mentioned.extend(all.iter().map(|w| w.replace('-', "")));
            return line;
        }
        let read: Vec<Owner> = segments.iter().map(|s| Owner::read(s)).collect();
        let several = read.iter().any(|o| o.names.len() > 1 || o.comma);
        for (i, owner) in read.into_iter().enumerate() {
            let rank = |s: Option<OwnerKind>| s.map_or(0, |s| 3 - s as u8);
            if rank(Some(owner.kind)) > rank(line.kind) && !owner.is_empty() {
                line.kind = Some(owner.kind);
            }
            let alone = owner.names.len() == 1 && !owner.comma && owner.kind == OwnerKind::Person;
            line.freely_named |= owner.freely_named;
            line.names_a_person |= owner.kind == OwnerKind::Person && !owner.names.is_empty();
            // A given name whose family name is the other owner's: `PINE ADA & BO`, `BO & ADA PINE`. Ahead of the
            // others, one with an initial may be a family name: `PINE A & BO OAK`.
            let ahead = i == 0 && owner.with_initial && !continues;
            let given = alone && (several || continues) && !ahead;
            owner.into_line(&mut line, given);
        }
        line
    }
}

fn words(segment: &[Token]) -> Vec<&str> {
    segment.iter().filter_map(|p| if let Token::Word(w) = p { Some(w.as_str()) } else { None }).collect()
}

/// The owners, and the names of their mail recipients.
fn segments(tokens: Vec<Token>) -> (Vec<Segment>, Vec<String>) {
    let (mut found, mut care_of): (Vec<Segment>, Vec<String>) = (vec![Vec::new()], Vec::new());
    let mut mail = false;
    for token in tokens {
        match token {
            Token::CareOf => mail = true,
            Token::Word(word) if mail => care_of.push(word.replace('-', "")),
            _ if mail => {}
            Token::Next => found.push(Vec::new()),
            // Doing business as, for the benefit of: the name of somebody else.
            Token::Word(word) if matches!(word.as_str(), "DBA" | "FBO") => mail = true,
            token => {
                if let Some(segment) = found.last_mut() {
                    segment.push(token);
                }
            }
        }
    }
    let found = found.into_iter().flat_map(trustee_and_trust).filter(|s| !words(s).is_empty()).collect();
    (found, care_of)
}

const TRUSTEES: &[&str] = &[
    "TRUSTEE",
    "TRUSTEES",
    "TRS",
    "TTEE",
    "TTEES",
    "TR",
    "COTRUSTEE",
    "CO-TRUSTEE",
    "COTRUSTEES",
    "CO-TRUSTEES",
    "TRSTEE",
    "TRSTE",
];

/// `PINE ADA TRS OAK TRUST` names two: the trustee and the trust.
fn trustee_and_trust(mut segment: Segment) -> Vec<Segment> {
    let at = segment.iter().position(|p| matches!(p, Token::Word(w) if is_one_of(TRUSTEES, w)));
    match at {
        Some(at) if at > 0 && is_trust(&words(&segment[at + 1..])) => {
            let trust = segment.split_off(at);
            vec![segment, trust[1..].to_vec()]
        }
        _ => vec![segment],
    }
}

fn is_trust(words: &[&str]) -> bool {
    let short = |w: &&&str| is_one_of(&["TR", "TRST", "TRUS", "TRU"], w);
    let kind = |w: &&&str| {
        is_one_of(
            &[
                "REVOCABLE",
                "REVOC",
                "REV",
                "IRREVOCABLE",
                "IRREVOC",
                "IRREV",
                "NOMINEE",
                "NOM",
                "LIVING",
                "LIV",
                "LVG",
                "FAMILY",
                "FAM",
                "REALTY",
                "RLTY",
            ],
            w,
        )
    };
    words.iter().any(|w| is_one_of(TRUST_SIGNS, w))
        || (words.iter().any(|w| short(&w)) && words.iter().any(|w| kind(&w)))
        || words.iter().any(|w| is_one_of(&["REVOCABLE", "IRREVOCABLE", "REVOC", "IRREVOC"], w))
        || words.windows(2).any(|p| matches!(p, ["LIVING" | "FAMILY", "LIVING" | "FAMILY"]))
}

/// `CHURCH, ADA M`: a single word before the first comma, and something of a name after it.
fn has_comma_order(segment: &[Token]) -> bool {
    comma_parts(segment).len() > 1
}

fn is_organisation(segment: &[Token]) -> bool {
    let all = without_phrases(&words(segment));
    if all.iter().any(|w| is_one_of(LEGAL_FORMS, w)) {
        return true;
    }
    let joined = |a: &str, b: &str| ORGANISATION_PAIRS.contains(&(a, b));
    let trust = is_trust(&all);
    let pair = all.windows(2).any(|p| joined(p[0], p[1]) && !(trust && p[0] == "REAL"));
    let body = all.windows(2).any(|p| is_one_of(BODIES_BEFORE_OF, p[0]) && p[1] == "OF" && p[0] != "TRUSTEES");
    if pair
        || body
        || is_one_of(&["USA", "US"], all.last().unwrap_or(&""))
        || is_one_of(&["USA"], all.first().unwrap_or(&""))
    {
        return true;
    }
    let names: Vec<&str> = all.iter().copied().filter(|w| !is_one_of(ROLES, w) && !is_one_of(SUFFIXES, w)).collect();
    let says = |list: &[&str]| names.iter().any(|w| is_one_of(list, w));
    if trust {
        let own = |w: &&&str| !is_one_of(TRUST_WORDS, w) && !is_one_of(FREELY_NAMED_TRUSTS, w);
        return names.iter().filter(own).any(|w| is_one_of(ORGANISATIONS, w) || *w == "BANK");
    }
    // Of all such words, one alone before a comma is a family name.
    if let [first, rest @ ..] = comma_parts(segment).as_slice()
        && !rest.is_empty()
    {
        let bodies = rest.iter().any(|p| matches!(p.as_slice(), [w] if is_one_of(BODIES_AFTER_COMMA, w)));
        let named = first.iter().any(|w| is_one_of(ORGANISATIONS, w) || is_one_of(ORGANISATIONS_OR_NAMES, w));
        return bodies || rest.iter().flatten().any(|w| is_one_of(ORGANISATIONS, w)) || (first.len() > 1 && named);
    }
    let homeowners = names.len() > 1 && names.last() == Some(&"HOA") && !says(BESIDE_HOA);
    if homeowners || (!says(ORGANISATIONS) && !says(ORGANISATIONS_OR_NAMES)) {
        return homeowners;
    }
    if says(ORGANISATIONS) {
        return true;
    }
    // `CHURCH ADA M` and `ADA M CHURCH` are people; `GRACE CHURCH` may be either and is taken for the building.
    let single = |w: &str| w.chars().count() == 1;
    !match names.as_slice() {
        [a, b] => {
            is_one_of(ORGANISATIONS_OR_NAMES, a) && !is_one_of(ORGANISATIONS_OR_NAMES, b) && !is_one_of(&["CO"], a)
        }
        [a, b, c] => {
            (is_one_of(ORGANISATIONS_OR_NAMES, a) && !single(b) && single(c))
                || (!single(a) && single(b) && is_one_of(ORGANISATIONS_OR_NAMES, c) && *c != "CO")
        }
        [_] => true,
        _ => false,
    }
}

/// The words without roles of several words.
fn without_phrases<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let phrase = ROLE_PHRASES.iter().filter(|p| words[i..].starts_with(p)).map(|p| p.len()).max();
        match phrase {
            Some(len) => i += len,
            None => {
                kept.push(words[i]);
                i += 1;
            }
        }
    }
    kept
}

/// The words between commas that can be names, without suffixes and roles.
fn comma_parts(segment: &[Token]) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    for (i, raw) in segment.split(|p| *p == Token::Comma).enumerate() {
        let raw = words(raw);
        let mut part = without_phrases(&raw);
        while part.first().is_some_and(|w| is_one_of(TITLES, w)) && part.len() > 1 {
            part.remove(0);
        }
        part.retain(|w| !is_one_of(SUFFIXES, w) && !is_one_of(ROLES, w) && !is_one_of(FILLERS, w));
        // Degrees that are family names too, where they cannot be one.
        if i > 0 && part.iter().all(|w| is_one_of(&["DO", "MA", "BA", "PA", "PC"], w)) && !found.is_empty() {
            // The only thing after a lone family name is a given name.
            let lone = found.len() == 1 && found[0].len() == 1;
            part.retain(|_| lone);
        }
        if i == 0 && part.is_empty() && segment.contains(&Token::Comma) {
            // A family name that is a role's word too: `HUSBAND, ADA`.
            part = raw;
        }
        if !part.is_empty() {
            found.push(part);
        }
    }
    found
}

#[derive(Debug)]
struct Owner {
    kind: OwnerKind,
    /// With a comma: of the family name only.
    names: Vec<Name>,
    comma: bool,
    with_initial: bool,
    freely_named: bool,
    mentioned: Vec<String>,
}

impl Owner {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.kind == OwnerKind::Person
    }

    fn read(segment: &[Token]) -> Self {
        let all = words(segment);
        let mut owner = Self {
            kind: OwnerKind::Person,
            names: Vec::new(),
            comma: false,
            with_initial: false,
            freely_named: false,
            mentioned: Vec::new(),
        };
        if is_organisation(segment) {
            owner.kind = OwnerKind::Organisation;
            owner.mentioned.extend(all.iter().map(|w| w.replace('-', "")));
        } else if is_trust(&all) {
            owner.kind = OwnerKind::Trust;
            owner.read_trust(segment);
        } else {
            owner.read_person(segment);
        }
        owner
    }

    fn read_person(&mut self, segment: &[Token]) {
        let parts = comma_parts(segment);
        // A word that is also a role may be a name here.
        let roles = words(segment)
            .into_iter()
            .filter(|w| is_one_of(ROLES, w) || is_one_of(TITLES, w) || is_one_of(SUFFIXES, w));
        self.mentioned.extend(roles.filter(|w| w.len() > 2).map(str::to_owned));
        let Some((first, rest)) = parts.split_first() else { return };
        self.names = read_names(first);
        self.comma = !rest.is_empty();
        self.with_initial = first.iter().any(|w| w.chars().count() == 1);
        for (i, part) in rest.iter().enumerate() {
            // Second given names, names before a marriage, and further people on the list.
            let skip = usize::from(i == 0);
            self.mentioned.extend(read_names(part).into_iter().skip(skip).flat_map(spellings));
        }
    }

    fn read_trust(&mut self, segment: &[Token]) {
        let all = without_phrases(&words(segment));
        let digits = |w: &str| w.chars().any(|c| c.is_ascii_digit());
        let year = |w: &str| w.len() == 4 && (w.starts_with("19") || w.starts_with("20"));
        let numbered = all.iter().find(|w| **w != "THE").is_some_and(|w| digits(w) && !year(w));
        let fancy = all.iter().any(|w| is_one_of(FREELY_NAMED_TRUSTS, w));
        let mut kept: Vec<&str> = Vec::new();
        for (i, word) in all.iter().enumerate() {
            let beside_a_number =
                i.checked_sub(1).is_some_and(|p| digits(all[p]) || is_one_of(&["DTD", "DATED"], all[p]))
                    || all.get(i + 1).is_some_and(|w| digits(w));
            let dated = is_one_of(MONTHS, word) && beside_a_number;
            let says_nothing = |w: &str| [TRUST_WORDS, FILLERS, ROLES, SUFFIXES].iter().any(|list| is_one_of(list, w));
            let noise = says_nothing(word) || word.split('-').all(says_nothing);
            if !(noise || dated || digits(word)) {
                kept.push(word);
            }
        }
        let street = numbered || (fancy && kept.last().is_some_and(|w| is_one_of(STREET_WORDS, w)));
        self.freely_named = fancy || street || kept.is_empty();
        if street {
            self.mentioned.extend(kept.iter().map(|w| w.replace('-', "")));
        } else if has_comma_order(segment) && all.first().is_some_and(|w| kept.first() == Some(w)) {
            // `PINE, ADA REVOCABLE TRUST`
            let before = segment.split(|p| *p == Token::Comma).next().map(words).unwrap_or_default();
            let own: Vec<&str> = before.into_iter().filter(|w| kept.contains(w)).collect();
            self.comma = !own.is_empty() && own.len() < kept.len();
            self.names = read_names(if self.comma { &own } else { &kept });
        } else {
            self.names = read_names(&kept);
        }
    }

    fn into_line(self, line: &mut OwnerLine, given: bool) {
        line.mentioned.extend(self.mentioned);
        let count = self.names.len();
        let joined: Vec<String> = self.names.iter().map(|u| u.joined.clone()).collect();
        for (i, name) in self.names.into_iter().enumerate() {
            let iberian = is_one_of(IBERIAN, &name.joined) || (name.joined.len() > 4 && name.joined.ends_with("EZ"));
            if given {
                line.mentioned.extend(spellings(name));
            } else if self.comma || i == 0 || i + 1 == count || iberian {
                let bare_counts = name.may_be_initial && i > 0;
                let particle_counts = i == 0;
                if let Some(bare) = name.without_particle {
                    if bare_counts { &mut line.surnames } else { &mut line.mentioned }.push(bare);
                }
                if let Some(particle) = name.particle {
                    if particle_counts { &mut line.surnames } else { &mut line.mentioned }.push(particle);
                }
                line.surnames.push(name.joined);
                line.surnames.extend(name.alternatives);
            } else {
                line.mentioned.extend(spellings(name));
            }
        }
        // Two family names written apart.
        if !given && count > 1 {
            line.surnames.push(joined[..2].concat());
            line.surnames.push(joined[count - 2..].concat());
            if self.comma {
                line.surnames.push(joined.concat());
            }
        }
    }
}

fn spellings(name: Name) -> impl Iterator<Item = String> {
    [name.joined].into_iter().chain(name.alternatives).chain(name.without_particle).chain(name.particle)
}
