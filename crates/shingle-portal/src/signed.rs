//! Who reads a page, and what every page tells them.

use shingle_domain::Role;
use shingle_widget::view::Text;
use shingle_widget::words::Language;

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
    /// Until when an operator looks at this company, as a time in words.
    pub visiting: Option<&'s str>,
    /// Leads that nobody has done anything about, counted to 100.
    pub new_leads: u64,
    /// Of this page alone: a form that is sent twice with it is carried out once.
    pub once: &'s str,
    /// Why look-ups are refused, for those who can do something about it.
    pub trouble: Option<Trouble>,
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
