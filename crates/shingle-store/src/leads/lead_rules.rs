//! Who gets a new lead: by town or ZIP code, else in turn, else nobody.
//!
//! # Decision
//!
//! It is decided in the transaction that stores the lead, and the row of the rules is locked then, so leads that arrive
//! together go to one person after another. The turn is remembered by the last person, not by a number: people who join or
//! leave move nobody's place. Turned down: a chore that gives leads later, which leaves them with nobody for a while.

use serde::{Deserialize, Serialize};
use shingle_domain::lead::Lead;
use shingle_domain::{AccountId, Environment, LeadId, Tenant, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::leads::facets::town_of;
use crate::leads::work::EntryKind;
use crate::store::{from_json, parse_id, to_json};

/// Leads of these places go to one person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRule {
    /// ZIP codes and names of towns.
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

    /// Places between commas or lines: `04101, 04102, Saco`.
    pub fn parse_places(text: &str) -> Result<Vec<String>, PlaceProblem> {
        let mut places: Vec<String> = Vec::new();
        for place in text.split([',', ';', '\n', '\r']).map(str::trim).filter(|place| !place.is_empty()) {
            let is_zip = is_zip(place);
            let is_town = place.chars().any(char::is_alphabetic)
                && place.chars().count() <= Self::MAX_NAME
                && place.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '\'' | '’' | '-'));
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
        let (zip, town) = (zip_of(address), town_of(address).map(folded));
        let found = self.places.iter().find(|place| match is_zip(place) {
            true => zip == Some(place.as_str()),
            false => town.as_deref() == Some(folded(place).as_str()),
        });
        found.map(String::as_str)
    }
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

    /// In the transaction that stores these new leads.
    pub(crate) async fn give_by_rules(
        self,
        tx: &mut Tx<'_>,
        mut leads: Vec<(Tenant, &Lead)>,
    ) -> Result<Vec<GivenLead>, StoreError> {
        // In one order on all nodes: nobody then waits in a circle.
        leads.sort_by_key(|(tenant, lead)| (tenant.account.0, lead.id));
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
            let people = fetch_all!(
                tx,
                (String, String),
                "SELECT id, name FROM portal_user WHERE account_id = $1 AND disabled_at IS NULL",
                &id
            )?;
            let people: Vec<(UserId, String)> = people
                .into_iter()
                .map(|(id, name)| Ok((parse_id("user", &id)?, name)))
                .collect::<Result<_, StoreError>>()?;
            let ids: Vec<UserId> = people.iter().map(|(id, _)| *id).collect();
            let mut last = [last_production, last_sandbox].map(|id| id.and_then(|id| id.parse::<UserId>().ok()));
            for (tenant, lead) in of_account {
                let own = &mut last[usize::from(tenant.environment == Environment::Sandbox)];
                let Some((to, by)) = rules.decide(&lead.address, &ids, *own) else { continue };
                if by == By::Turn {
                    *own = Some(to);
                }
                self.give_in(tx, lead.id, *account, to).await?;
                let name = people.iter().find(|(id, _)| *id == to).map_or("", |(_, name)| name.as_str());
                let told = match by {
                    By::Place(place) => format!("{name}\n{place}"),
                    By::Turn => name.to_owned(),
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
        let turns: Vec<_> = [Some(4), Some(5), Some(6), Some(1), None].map(|last| to("x", &all, last.map(user))).into();
        assert_eq!(turns, [5, 6, 4, 4, 4].map(|next| Some(user(next))));
        assert_eq!(to("x", &[user(4), user(6)], Some(user(4))), Some(user(6)));
        assert_eq!(to("x", &[user(5)], Some(user(5))), Some(user(5)));
        assert_eq!(to("x", &[user(1)], None), None);
    }

    #[test]
    fn places_are_zip_codes_and_towns() {
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
