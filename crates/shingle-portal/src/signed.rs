//! Who reads a page, and what every page shows them.

use std::fmt::Debug;

use shingle_domain::{Language, Role};
use shingle_store::{Brand, OwnCompany};
use shingle_widget::view::Text;

/// Who is signed in, and where.
#[derive(Debug, Clone)]
pub struct Signed<'s> {
    pub name: &'s str,
    /// `None`: an operator without a company.
    pub company: Option<&'s str>,
    pub role: Role,
    pub language: Language,
    /// What became of what was pressed last.
    pub notice: Option<Notice>,
    pub visiting: Option<Visiting<'s>>,
    /// Leads that nobody has done anything about, counted to 100.
    pub new_leads: u64,
    /// Of this page alone: a form that is sent twice with it is carried out once.
    pub once: &'s str,
    /// Why look-ups are refused, for those who can do something about it.
    pub trouble: Option<Trouble>,
    /// Whether nobody has said yet where the company is, and this user may.
    pub asks_zone: bool,
    /// The id of the company. Each form names it, so that none changes another company that was chosen in another tab. `None`
    /// on the installation's pages.
    pub here: Option<&'s str>,
    /// Of a person in several, by name.
    pub companies: &'s [OwnCompany],
    /// `None` on the installation's pages.
    pub brand: Option<&'s Brand>,
    /// What a client may do, who sees chosen widgets alone.
    pub client: Option<&'s dyn Reach>,
}

/// An operator looks at this company.
#[derive(Debug, Clone, Copy)]
pub struct Visiting<'s> {
    /// As a time in words.
    pub until: &'s str,
    pub reach: &'s dyn Reach,
}

/// Whether they may open a path of the portal, or send a form to it.
pub trait Reach: Debug + Send + Sync {
    fn may_open(&self, path: &str) -> bool;
    fn may_send(&self, path: &str) -> bool;
}

#[derive(Debug, Clone)]
pub struct Notice {
    pub text: Text,
    pub is_wrong: bool,
}

/// Why the company's look-ups are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    Paused,
    NothingLeft,
    LimitReached,
}
