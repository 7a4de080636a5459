//! Who gets a new lead: who has an open one of the same homeowner, else by town or ZIP code, else in turn, else nobody.
//!
//! # Decision
//!
//! It is decided in the transaction that stores the lead, and the row of the rules is locked then, so leads that arrive
//! together go to one person after another. The turn is remembered by the last person, not by a number: people who join or
//! leave move nobody's place. Turned down: a chore that gives leads later, which leaves them with nobody for a while.

use serde::{Deserialize, Serialize};
use shingle_domain::address::State;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::Lead;
use shingle_domain::{AccountId, Environment, LeadId, Tenant, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::facets::town_of;
use crate::leads::work::EntryKind;
use crate::store::{from_json, parse_id, to_json};

/// Leads of these places go to one person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRule {
    /// ZIP codes and names of towns, those with their states too: `Portland, ME`.
    pub places: Vec<String>,
    pub to: UserId,
}

/// Nobody gets a lead where both are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadRules {
    /// The first one that fits wins.
    pub places: Vec<PlaceRule>,
    /// Who gets the others, in turn.
    pub in_turn: Vec<UserId>,
}

/// What is wrong with a list of places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceProblem {
    None,
    TooMany,
    /// This one is neither a ZIP code nor the name of a town.
    Unknown(String),
}

impl PlaceRule {
    pub const MAX_PLACES: usize = 100;
    const MAX_NAME: usize = 60;

    /// Places between commas or lines: `04101, 04102, Saco`. A town may have its state: `Portland, ME`.
    pub fn parse_places(text: &str) -> Result<Vec<String>, PlaceProblem> {
        let mut places: Vec<String> = Vec::new();
        let lines = text.split([';', '\n', '\r']);
        for place in lines.flat_map(of_line) {
            let place = place.map_err(PlaceProblem::Unknown)?;
            let place = place.as_str();
            let is_zip = is_zip(place);
            let is_town = place.chars().any(char::is_alphabetic)
                && place.chars().count() <= Self::MAX_NAME
                && place.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | ',' | '\'' | '’' | '-'));
            if !is_zip && !is_town {
                return Err(PlaceProblem::Unknown(place.chars().take(Self::MAX_NAME).collect()));
            }
            if !places.iter().any(|known| known.to_lowercase() == place.to_lowercase()) {
                places.push(place.to_owned());
            }
        }
        match places.len() {
            0 => Err(PlaceProblem::None),
            1..=Self::MAX_PLACES => Ok(places),
            _ => Err(PlaceProblem::TooMany),
        }
    }

    /// The place that fits an address.
    fn fits(&self, address: &str) -> Option<&str> {
        let (zip, town, state) = (zip_of(address), town_of(address).map(folded), state_of(address));
        let found = self.places.iter().find(|place| match (is_zip(place), place.split_once(", ")) {
            (true, _) => zip == Some(place.as_str()),
            (false, Some((own, of))) => town.as_deref() == Some(folded(own).as_str()) && state == Some(of),
            (false, None) => town.as_deref() == Some(folded(place).as_str()),
        });
        found.map(String::as_str)
    }
}

/// The places of a line: what follows a town and has two letters is its state. An error: a state of no town.
fn of_line(line: &str) -> Vec<Result<String, String>> {
    let mut places: Vec<Result<String, String>> = Vec::new();
    for place in line.split(',').map(str::trim).filter(|place| !place.is_empty()) {
        let Some(state) = State::parse(place) else {
            places.push(Ok(place.to_owned()));
            continue;
        };
        match places.last_mut() {
            Some(Ok(town)) if !is_zip(town) && !town.contains(',') => *town = format!("{town}, {}", state.as_str()),
            _ => places.push(Err(place.to_owned())),
        }
    }
    places
}

/// `ME` of `…, Portland, ME 04103`.
fn state_of(address: &str) -> Option<&str> {
    let (_, tail) = address.rsplit_once(',')?;
    tail.trim_start().get(..2)
}

/// Equal for the ways in which people write one town: `St. Albans`, `Saint Albans`; `Coeur d’Alene`; `Cañon City`.
fn folded(town: &str) -> String {
    let plain = |c: char| match c {
        '’' | '\'' | '.' => None,
        'á' | 'à' | 'ä' => Some('a'),
        'é' | 'è' => Some('e'),
        'í' => Some('i'),
        'ó' | 'ö' => Some('o'),
        'ú' | 'ü' => Some('u'),
        'ñ' => Some('n'),
        '-' => Some(' '),
        c => Some(c),
    };
    let town: String = town.to_lowercase().chars().filter_map(plain).collect();
    let words = town.split_whitespace().map(|word| match word {
        "st" => "saint",
        "mt" => "mount",
        "ft" => "fort",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_zip(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit())
}

/// Behind the state: `04103` of `…, ME 04103-1234`.
fn zip_of(address: &str) -> Option<&str> {
    let (_, tail) = address.rsplit_once(',')?;
    let last = tail.split_whitespace().next_back()?;
    Some(last.split('-').next().unwrap_or(last)).filter(|zip| is_zip(zip))
}

/// By which rule somebody gets a lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By<'r> {
    Place(&'r str),
    Turn,
    /// They have an open lead of the same homeowner.
    Same,
}

impl LeadRules {
    pub const MAX_RULES: usize = 50;

    /// People who have left are passed over.
    fn decide(&self, address: &str, people: &[UserId], last: Option<UserId>) -> Option<(UserId, By<'_>)> {
        let here = |user: &UserId| people.contains(user);
        let by_place = self.places.iter().filter(|rule| here(&rule.to));
        if let Some((to, place)) = by_place.filter_map(|rule| Some((rule.to, rule.fits(address)?))).next() {
            return Some((to, By::Place(place)));
        }
        let after = last.and_then(|last| self.in_turn.iter().position(|user| *user == last)).map_or(0, |at| at + 1);
        let (before, behind) = self.in_turn.split_at(after.min(self.in_turn.len()));
        behind.iter().chain(before).find(|user| here(user)).map(|user| (*user, By::Turn))
    }
}

/// The rules as they are stored, and what a form shows to say that it has seen them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredLeadRules {
    pub rules: LeadRules,
    pub mark: String,
}

/// Who got a new lead by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenLead {
    pub lead: LeadId,
    pub to: UserId,
}

row! {
    struct RulesRow {
        record: String,
        last_production: Option<String>,
        last_sandbox: Option<String>,
    }
}

/// By what the two leads have in common.
macro_rules! first_of {
    ($same:literal) => {
        concat!(
            "SELECT other.created_at, assignee_id
               FROM lead AS own JOIN lead AS other ON other.account_id = own.account_id
                AND other.environment = own.environment AND other.",
            $same,
            " = own.",
            $same,
            "
               JOIN lead_work ON lead_work.lead_id = other.id
              WHERE own.id = $1 AND other.id <> own.id AND other.status IN ('new', 'contacted', 'qualified')
                AND other.record IS NOT NULL AND other.merged_into IS NULL AND assignee_id IS NOT NULL
              ORDER BY other.created_at, other.id LIMIT 1"
        )
    };
}

fn mark(record: &str) -> String {
    blake3::hash(record.as_bytes()).to_hex().chars().take(16).collect()
}

impl Leads<'_> {
    pub async fn rules(self, account: AccountId) -> Result<StoredLeadRules, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT record FROM lead_rules WHERE account_id = $1",
            account.to_string()
        )?;
        row.map_or_else(
            || Ok(StoredLeadRules::default()),
            |(record,)| {
                Ok(StoredLeadRules {
                    rules: from_json("lead rules of", &account.to_string(), &record)?,
                    mark: mark(&record),
                })
            },
        )
    }

    /// `seen`: the mark of the rules that the form showed.
    ///
    /// # Errors
    /// [`StoreError::Outdated`] where they were changed since.
    pub async fn set_rules(self, account: AccountId, rules: &LeadRules, seen: &str) -> Result<(), StoreError> {
        let record = to_json(rules)?.to_string();
        transact!(self.store.db, |tx| {
            let row = fetch_optional!(
                tx,
                (String,),
                "UPDATE lead_rules SET record = record WHERE account_id = $1 RETURNING record",
                account.to_string()
            )?;
            let now = row.map(|(record,)| record);
            if now.as_deref() == Some(record.as_str()) {
                return Ok(());
            }
            if now.as_deref().map(mark).unwrap_or_default() != seen {
                return Err(StoreError::Outdated);
            }
            let changed = execute!(
                tx,
                "INSERT INTO lead_rules (account_id, record) VALUES ($1, $2)
                     ON CONFLICT (account_id) DO UPDATE SET record = excluded.record WHERE $3",
                account.to_string(),
                &record,
                now.is_some()
            )?;
            // The first rules, which a teammate set at the same time.
            if changed == 0 {
                return Err(StoreError::Outdated);
            }
            self.store.audit().note_change(tx, account, Change::LeadRulesSet, "", "").await
        })
    }

    /// Who has the first open lead of the same homeowner.
    async fn teammate_of(self, tx: &mut Tx<'_>, lead: LeadId) -> Result<Option<UserId>, StoreError> {
        let mut first: Option<(i64, String)> = None;
        for sql in [first_of!("email_hash"), first_of!("phone_hash")] {
            let found = fetch_optional!(tx, (i64, String), sql, lead.to_string())?;
            first = first.into_iter().chain(found).min();
        }
        first.map(|(_, user)| parse_id("user", &user)).transpose()
    }

    /// In the transaction that stores these new leads, or takes one out of spam.
    pub(crate) async fn give_by_rules(
        self,
        tx: &mut Tx<'_>,
        mut leads: Vec<(Tenant, &Lead)>,
    ) -> Result<Vec<GivenLead>, StoreError> {
        // In one order on all nodes: nobody then waits in a circle.
        leads.cold_sort_by_key(|(tenant, lead)| (tenant.account.0, lead.id));
        let mut given = Vec::new();
        for of_account in leads.chunk_by(|(one, _), (other, _)| one.account == other.account) {
            let Some((Tenant { account, .. }, _)) = of_account.first() else { continue };
            let id = account.to_string();
            // Setting a column to itself is a lock that both engines support.
            let row = fetch_optional!(
                tx,
                RulesRow,
                "UPDATE lead_rules SET record = record WHERE account_id = $1
                 RETURNING record, last_production, last_sandbox",
                &id
            )?;
            let Some(RulesRow { record, last_production, last_sandbox }) = row else { continue };
            let rules: LeadRules = from_json("lead rules of", &id, &record)?;
            // Cleared: as where there never were any.
            if rules.places.is_empty() && rules.in_turn.is_empty() {
                continue;
            }
            let mut last = [last_production, last_sandbox].map(|id| id.and_then(|id| id.parse::<UserId>().ok()));
            for (tenant, lead) in of_account {
                let people = self.store.people().seeing(tx, *account, lead.widget_id).await?;
                let ids: Vec<UserId> = people.iter().map(|(id, _)| *id).collect();
                let own = &mut last[usize::from(tenant.environment == Environment::Sandbox)];
                let same = self.teammate_of(tx, lead.id).await?.filter(|user| ids.contains(user));
                let by_rule = || rules.decide(&lead.address, &ids, *own);
                let Some((to, by)) = same.map(|to| (to, By::Same)).or_else(by_rule) else { continue };
                if by == By::Turn {
                    *own = Some(to);
                }
                self.give_in(tx, lead.id, *account, to).await?;
                let name = people.iter().find(|(id, _)| *id == to).map_or("", |(_, name)| name.as_str());
                let told = match by {
                    By::Place(place) => format!("{name}\n{place}"),
                    By::Turn => name.to_owned(),
                    By::Same => format!("{name}\n"),
                };
                self.add_entry_of(tx, tenant, lead.id, "", EntryKind::GivenByRule, &told).await?;
                given.push(GivenLead { lead: lead.id, to });
            }
            let [production, sandbox] = last.map(|id| id.map(|id| id.to_string()));
            execute!(
                tx,
                "UPDATE lead_rules SET last_production = $2, last_sandbox = $3 WHERE account_id = $1",
                &id,
                production,
                sandbox
            )?;
        }
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    #[test]
    fn the_first_place_that_fits_wins_and_who_has_left_is_passed_over() {
        let rule = |text: &str, to| PlaceRule { places: PlaceRule::parse_places(text).unwrap(), to: user(to) };
        let rules = LeadRules {
            places: vec![rule("04101, south portland", 1), rule("Portland", 2), rule("04101", 3)],
            in_turn: vec![user(4), user(5), user(6)],
        };
        let all: Vec<UserId> = (1..7).map(user).collect();
        let to = |address: &str, people: &[UserId], last| rules.decide(address, people, last).map(|(to, _)| to);
        assert_eq!(to("1 Elm St, Portland, ME 04101", &all, None), Some(user(1)));
        assert_eq!(to("1 Elm St, Portland, ME 04101-2233", &all[2..], None), Some(user(3)));
        assert_eq!(to("04101 Elm St, Saco, ME 04072", &all, None), Some(user(4)), "a house number");
        assert_eq!(to("1 Elm St, South Portland, ME 04106", &all, None), Some(user(1)));
        assert_eq!(to("1 Elm St, Portland, ME", &all, None), Some(user(2)));
        for (typed, found) in
            [("St. Albans", "Saint Albans"), ("Coeur d’Alene", "Coeur d'Alene"), ("Cañon City", "Canon City")]
        {
            let rules = LeadRules { places: vec![rule(typed, 1)], in_turn: Vec::new() };
            let to = rules.decide(&format!("1 Elm St, {found}, ME 04101"), &all, None).map(|(to, _)| to);
            assert_eq!(to, Some(user(1)), "{typed}");
        }
        let in_maine = LeadRules { places: vec![rule("Portland, ME", 1)], in_turn: Vec::new() };
        for (address, to) in [
            ("1 Elm St, Portland, ME 04101", Some(1)),
            ("1 Elm St, Portland, OR 97201", None),
            ("1 Elm St, Saco, ME 04072", None),
        ] {
            assert_eq!(in_maine.decide(address, &all, None).map(|(to, _)| to), to.map(user), "{address}");
        }
        let turns: Vec<_> = [Some(4), Some(5), Some(6), Some(1), None].map(|last| to("x", &all, last.map(user))).into();
        assert_eq!(turns, [5, 6, 4, 4, 4].map(|next| Some(user(next))));
        assert_eq!(to("x", &[user(4), user(6)], Some(user(4))), Some(user(6)));
        assert_eq!(to("x", &[user(5)], Some(user(5))), Some(user(5)));
        assert_eq!(to("x", &[user(1)], None), None);
    }

    #[test]
    fn places_are_zip_codes_and_towns() {
        let states = PlaceRule::parse_places("Portland, ME, Saco, 04101\nBath, me");
        assert_eq!(states.unwrap(), ["Portland, ME", "Saco", "04101", "Bath, ME"]);
        for lone in ["ME", "Portland\nME", "04101, ME", "Portland, ME, NH"] {
            assert!(matches!(PlaceRule::parse_places(lone), Err(PlaceProblem::Unknown(_))), "{lone}");
        }
        let read = PlaceRule::parse_places(" 04101;04102\r\nSaco, saco, St. John’s-by-the-Sea,");
        assert_eq!(read.unwrap(), ["04101", "04102", "Saco", "St. John’s-by-the-Sea"]);
        assert_eq!(PlaceRule::parse_places(" , "), Err(PlaceProblem::None));
        for wrong in ["0410", "041012", "04101-1234", "Saco <b>", "a\u{202e}b", &"x".repeat(61)] {
            assert!(matches!(PlaceRule::parse_places(wrong), Err(PlaceProblem::Unknown(_))), "{wrong}");
        }
        let many: Vec<String> = (10_000..10_101).map(|zip| zip.to_string()).collect();
        assert_eq!(PlaceRule::parse_places(&many.join(",")), Err(PlaceProblem::TooMany));
    }
}
