//! Sentences about a number of things. Each has a form for one, so that nobody reads `1 leads`.

use shingle_domain::Language;
use shingle_widget::words::thousands;

use crate::phrase::phrase;

/// A sentence for one, and one for every other number, with `{count}`.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    pub one: &'static str,
    pub many: &'static str,
}

macro_rules! counted {
    ($($name:ident: $one:literal, $many:literal;)*) => {
        impl Counted {
            $(pub const $name: Self = Self { one: $one, many: $many };)*

            /// For tests, which read each with 0, 1 and 2.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

counted! {
    ACCOUNTS: "1 account on this installation. When you open one as its owner, its own log shows it.",
        "{count} accounts on this installation. When you open one as its owner, its own log shows it.";
    AGREED_IN_FILE: "The file says that 1 person agreed to calls and texts.", "The file says that {count} people agreed to calls and texts.";
    ALREADY_HERE: "1 is already here", "{count} are already here";
    ADDRESSES: "1 address", "{count} addresses";
    ASSIGNED: "1 lead assigned.", "{count} leads assigned.";
    ATTEMPTS: "1 attempt", "{count} attempts";
    BUILDINGS: "1 building", "{count} buildings";
    CHECKS_IN_A_ROW: "Too many checks in a short time. Please try again in 1 second.",
        "Too many checks in a short time. Please try again in {count} seconds.";
    CODE_TRIES: "That is not the code. 1 try is left.", "That is not the code. {count} tries are left.";
    CODES_LEFT: "1 is left.", "{count} are left.";
    CHANGED_MEANWHILE: "A teammate changed 1 of {of} meanwhile, so we left it as it is.",
        "Teammates changed {count} of {of} meanwhile, so we left those as they are.";
    COMMON_WORDS: "1 lead with these common words; older ones may have them too",
        "{count} leads with these common words; older ones may have them too";
    COPIED: "1 widget is up to date.", "{count} widgets are up to date.";
    DAYS: "1 day", "{count} days";
    ERRORS: "1 error", "{count} errors";
    FACETS: "{level}, 1 facet", "{level}, {count} facets";
    GONE_MEANWHILE: "1 of {of} no longer exists.", "{count} of {of} no longer exist.";
    HELD_BACK: "Nothing is broken. 1 check is worth a look.", "Nothing is broken. {count} checks are worth a look.";
    HIDDEN_BY_FILTERS: "Without the filters there is 1 lead with these words:",
        "Without the filters there are leads with these words, {count} of them here:";
    HOMES: "1 home", "{count} homes";
    IMPORT_LEADS: "Import 1 new lead", "Import {count} new leads";
    KEPT: "We erase leads after 1 day.", "We erase leads after {count} days.";
    LEADS: "1 lead", "{count} leads";
    LEADS_ARE_IN: "1 new lead is in", "{count} new leads are in";
    LEFT_AT_ADDRESS: "1 visitor left before choosing an address.", "{count} visitors left before choosing an address.";
    LEFT_AT_CONTACT: "1 visitor left at the contact form.", "{count} visitors left at the contact form.";
    LEFT_AT_ROOF: "1 visitor left before confirming the roof.", "{count} visitors left before confirming the roof.";
    LEFT_UNSENT: "1 visitor started the contact form and didn’t send it.",
        "{count} visitors started the contact form and didn’t send it.";
    MILES: "1 mile", "{count} miles";
    NOT_COPIED: "1 widget has an unpublished draft, so we left it alone.",
        "{count} widgets have unpublished drafts, so we left them alone.";
    MINUTES_AGO: "a minute ago", "{count} minutes ago";
    NEW_LEADS: "1 new lead", "{count} new leads";
    OUTLINES: "1 home has an outline", "{count} homes have an outline";
    PHOTOS: "Inspection requested, with 1 photo", "Inspection requested, with {count} photos";
    PROBLEMS: "1 problem to fix", "{count} problems to fix";
    ROWS: "1 row", "{count} rows";
    ROWS_LEFT_OUT: "1 row left out (CSV)", "{count} rows left out (CSV)";
    SHOW_LEADS: "Show 1 lead", "Show {count} leads";
    TIGHT: "Tight: 1 minute between inspections.", "Tight: {count} minutes between inspections.";
    TIMES: "asked for 1 time", "asked for {count} times";
    TOWNS: "1 town", "{count} towns";
    TRY_AGAIN: "Too many tries. Please try again in a minute.", "Too many tries. Please try again in {count} minutes.";
    UPDATED: "1 lead updated.", "{count} leads updated.";
}

/// The sentence for this many.
pub fn counted(language: Language, of: Counted, count: i64) -> String {
    counted_with(language, of, count, &[])
}

/// With more to fill in than the number.
pub fn counted_with(language: Language, of: Counted, count: i64, with: &[(&str, &str)]) -> String {
    let number = thousands(count);
    let all: Vec<(&str, &str)> = with.iter().copied().chain([("count", number.as_str())]).collect();
    phrase(language, if count == 1 { of.one } else { of.many }, &all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::translated;

    #[test]
    fn every_number_of_things_is_said_as_people_say_it() {
        for of in Counted::ALL {
            for language in [Language::English, Language::Spanish] {
                let [none, one, two] = [0, 1, 2].map(|count| counted(language, *of, count));
                assert!(none.contains('0') && two.contains('2'), "{none}, {two}");
                assert!(!one.contains('2') && !one.contains("{count}"), "{one}");
                assert_eq!(none.replace('0', "2"), two, "{none}");
                // Not only the digit differs.
                assert_ne!(one.replace('1', "2"), two, "{one}");
            }
            for english in [of.one, of.many] {
                assert_ne!(translated(Language::Spanish, english), english);
            }
        }
        assert_eq!(counted(Language::English, Counted::LEADS, 1_234), "1,234 leads");
    }
}
