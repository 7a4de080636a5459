//! The names of all sentences, and one language's list of them.

use core::ops::Index;

use super::fill::fill;

/// A sentence, whatever the language. `{company}` and such in it are filled in by [`Words::fill`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word(u16);

/// Several sentences of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    first: u16,
}

impl Group {
    pub const fn at(self, n: usize) -> Word {
        Word(self.first + n as u16)
    }
}

macro_rules! table {
    ($($name:ident $(: $many:literal)?),* $(,)?) => {
        /// One byte for each sentence: the offset of a field is the index of its sentence.
        #[allow(non_snake_case, dead_code, reason = "only its layout is used")]
        #[repr(C)]
        struct Table {
            $($name: [u8; table!(@count $($many)?)],)*
        }

        /// The sentences by name.
        pub mod w {
            use crate::words::table::{Group, Table, Word};

            $(table!(@name $name $($many)?);)*
        }

        /// The keys of a language's file, and how many sentences are under each.
        #[cfg(test)]
        pub(super) const KEYS: &[(&str, usize)] = &[$((stringify!($name), table!(@count $($many)?))),*];
    };
    (@count) => { 1 };
    (@count $many:literal) => { $many };
    (@name $name:ident) => { pub const $name: Word = Word(core::mem::offset_of!(Table, $name) as u16); };
    (@name $name:ident $many:literal) => {
        pub const $name: Group = Group { first: core::mem::offset_of!(Table, $name) as u16 };
    };
}

// In the order of the files, which a test keeps. Groups say how many they are.
#[rustfmt::skip]
table! {
    // What the runtime says itself.
    LANG, BACK, CLOSE, CALL, CALL_INSTEAD, ADDRESS_LEAD, ADDRESS_LABEL, ADDRESS_PLACEHOLDER, ADDRESS_PROMISE,
    ADDRESS_CLEAR, ADDRESS_LIST, ADDRESS_GO, CHOOSE_FIRST, COUNT_NONE, COUNT_ONE, COUNT_MANY, PARTS_ROW,
    PARTS_ROW_NOTE, KEYS: 3, PROBLEM: 2, ADDRESS_UNREACHED, PARTS_TITLE, PARTS_LEAD, PART_LABELS: 5, PARTS_STATE_HINT,
    PARTS_ZIP_HINT, PARTS_GO, PARTS_BACK, MEASURING_TITLE, MEASURING_CHOSEN, MEASURING_NOW, MEASURING_THEN,
    MEASURING_TIME_ONE, MEASURING_TIME, MEASURING_STOP, NOTFOUND_TITLE, NOTFOUND_CLOSE, NOTFOUND_NONE,
    NOTFOUND_LIST, NOTFOUND_EDIT, NOTFOUND_PERSON, ROOF_YES, ROOF_NO, MANY_LEGEND, MANY_USE, MANY_NONE,
    DETAILS_TITLE, DETAILS_LEAD, FIELDS: 4, OPTIONAL, CONSENT, TRAP, DETAILS_GO, DETAILS_BUSY, REJECTED: 2,
    WRONG_ONE, WRONG_MANY, AND, ERR_FIRST, ERR_LAST, ERR_TEXT, ERR_LONG, ERR_EMAIL, ERR_EMAIL_NAME,
    ERR_EMAIL_ENDING, ERR_EMAIL_FORM, ERR_PHONE, ERR_PHONE_LETTERS, ASK_EMAIL, ASK_PHONE, ERR_PART: 5, VISIT_TITLE, VISIT_LEAD,
    VISIT_UNKNOWN, VISIT_GO, MATERIAL, BOOK, PRINT, UNSENT_TITLE, UNSENT_LEAD, UNREACHED_TITLE, UNREACHED_LEAD,
    RETRY_IN, RETRY_NOW, RETRY_OVER, RETRY_ATTEMPT, RETRY_KEEPS, RETRY_GO, KEPT, KEPT_ROWS: 4, FORGET,
    CLOSING_TITLE, CLOSING_TEXT, CLOSING_KEEP, CLOSING_DROP, RECEIVES, MANY_SUM, BOOK_TIMES, BOOK_GO, BOOK_SKIP,
    BOOK_OFFLINE: 2, BOOK_REFUSED: 2, BOOK_NONE: 2, KEPT_OPEN, KEPT_NEW, KEPT_DELETE, PICK_GO,

    // What only the server says: it does not travel to the browser.
    STEPS: 4, STEP_OF, CALL_COMPANY, PRIVACY, TERMS, OTHER: 2, BANNER_HIDE, ROOF_TITLE, ROOF_SIDES, ROOF_SHAPE,
    ROOF_AREA, FEET, SQUARE_FEET, SOURCE_INVENTED, SOURCE_SURVEY, SOURCE_SURVEY_YEAR, SOURCE_OUTLINE,
    SOURCE_OUTLINE_YEAR, SOURCE_RECORDS, SOURCE_RECORDS_YEAR, SOURCE_ARROWS, SOURCE_NAME, NEWER_TITLE,
    NEWER_TEXT, MANY_TITLE, MANY_LEAD, MANY_LARGEST, NEAR_TITLE, NEAR_LEAD, NEAR_NOTE_TITLE, NEAR_NOTE,
    ESTIMATE_FOR, LOW, HIGH, SUM, PER_SQUARE, MATERIALS: 5, MATERIALS_IN_TEXT: 5, MEASURED, FACTS: 4,
    TIMES_HUNDRED, COMPLEXITY: 3, FACETS, UNKNOWN, RISE_RUN, FLAGS, FLAG_WIDER, HIGH_PITCH: 2, LOW_PITCH: 2,
    HIGH_AREA: 2, LOW_AREA: 2, NOTE: 2, PRICE_SAID, THANKS_TITLE, THANKS_LEAD,
    THANKS_VISIT: 2, THANKS_YOURS: 2, PAUSED_TITLE, PAUSED_LEAD, NORTH, LINES: 4, PLAN_NAME, PLAN_FACETS,
    PLAN_OUTLINE, TAG_EXAMPLE, TAG_AREAS, TAG_SIZE, TAG_MODELLED, TAG_OUTLINE, TAG_INVENTED, TAG_NONE,
    YOURS, UNIT_PIN, PLAN_ON, PLAN_BETWEEN, PLAN_BESIDE, PLAN_LOT, OUTLINE_GROUND, SQUARE, PITCH_ASSUMED, ASSUMED_RISE,
    RISE_PLAIN, ASSUMED: 2, ASSUMED_WHY: 5, ASSUMED_OTHERS, ASSUMED_RANGE, GATE_SMALL: 2, GATE_OUTBUILDING: 2,
    GATE_UNIT: 4, GATE_APARTMENTS: 3, GATE_NO_HOME: 4, GATE_SIZES: 2, GATE_UNCOVERED: 2,

    TERMS_INCLUDES, TERMS_NOT, TERMS_UNSAID, MONTHLY_TITLE, MONTHLY_FOR, MONTHLY_TERMS, MONTHLY_LINK, LICENSE,
    RATING, RATING_ONE, TAPS_TITLE, TAPS_LEAD, TAPS_AGE, TAPS_AGES: 4, TAPS_LEAK, TAPS_LEAKS: 4, TAPS_URGENT: 2,
    TAPS_PLANNED, TAPS_WHEN: 4, TAPS_BY, TAPS_WAYS: 3, TAPS_TIME, TAPS_TIMES: 4, TAPS_NOTE, TAPS_SAID,
    TAPS_FAILED,
    // What was answered, as the company reads it.
    TOLD_LABELS: 5, TOLD_PROBLEMS: 4, TOLD_AGES: 4, TOLD_WHEN: 4, TOLD_WAYS: 3, TOLD_TIMES: 4, TOLD_URGENT: 3,
    // A visit, the estimate of an earlier day, its link and its sheet of paper.
    WISH_TITLE, WISH_LEAD, WISH_CAPTION, WISH_DAY, DAY_PARTS: 3, DAY_PARTS_IN_TEXT: 3, WISH_CLOSED, WISH_ORDER,
    WISH_SOME, WISH_FULL, WISH_MORE, WEEKDAYS: 7, MONTHS: 12, MONTHS_LONG: 12, DAY_SHORT, DAY_LONG, CONFIRM_HOW,
    CONTACT_BY: 3, CONTACT_TO, CONTACT_MAIL, WISH_NOTE, WISH_NOTE_HINT, PHOTOS, PHOTOS_HINT, PHOTOS_ADD,
    PHOTOS_STATES: 4, PHOTOS_AGAIN, PHOTOS_REMOVE, PHOTOS_LATE, PHOTOS_THERE: 2, ASKED, ASKED_ROWS: 4, ASKED_TIME,
    ASKED_BY: 3, ASKED_PHOTOS: 3, ASKED_STATES: 3, ASKED_QUOTED, NO_VISIT, HAS, HAS_WHAT: 4, AGREED: 2, NEXT_BY: 3,
    NEXT_BY_TEXT: 2, NEXT_MAY: 2, NEXT_WRITE: 2, NEXT_COPY: 2, KEPT_TITLE, KEPT_VISIT_TITLE, KEPT_DAYS: 2,
    KEPT_RANGE, KEPT_SQUARES, KEPT_UNTIL, KEPT_CHANGED: 2, LINK_TITLE, LINK_TEXT, LINK_LABEL, LINK_COPY,
    LINK_COPIED: 2, LINK_SEND, LINK_SENT: 2, LINK_REVOKE, LINK_REVOKED: 2, SHEET_TITLE, SHEET_MADE,
    SHEET_BETWEEN, SHEET_OTHERS, SHEET_AS_OF, SHEET_AGAIN, SHEET_UNTIL, SHEET_PRINT, SHEET_ENDED: 2,
    SHEET_HOME, SHEET_NUMBERS, SHEET_FACETS: 3, SHEET_SIDES: 5, SHEET_INCLUDES_NEXT, MINIMUM, WORKS_TITLE, WORKS: 5,
    WORK_SUM, LOW_SLOPE_NOTE, MINIMUM_OF_PARTS,
    PHOTO_SHOW, PHOTO_DRAWING, PHOTO_PHOTO, PHOTO_FROM, PHOTO_TAG, PHOTO_SOURCE, PHOTO_MONTH, PLAN_PHOTO,
    // Which of the roofs near an address it is.
    PICK_TITLE, PICK_LEAD, PICK_MATCHED, PICK_NEXT, PICK_BEHIND: 2, PICK_ACROSS: 4, PICK_NEAR, PICK_WINDS: 8,
    PICK_NOTE, PICK_PLAN, LOST_TITLE, LOST_LEAD, LOST_ADDRESS: 2, LOST_VISIT: 2,
}

/// How many sentences a language has.
pub const WORD_COUNT: usize = size_of::<Table>();

/// How many of them a browser gets, from the first on.
pub const FLOW_WORD_COUNT: usize = w::STEPS.first as usize;

/// One language.
#[derive(Clone, Copy)]
pub struct Words {
    pub(super) list: &'static [&'static str],
}

impl core::fmt::Debug for Words {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text(w::LANG))
    }
}

impl Index<Word> for Words {
    type Output = str;

    fn index(&self, word: Word) -> &str {
        self.list[usize::from(word.0)]
    }
}

impl Words {
    /// The sentences of a list made from a language's file, all or those of a browser. `None` when it has another
    /// length, for then sentences would be mixed up. The list is leaked.
    pub fn of(list: Vec<&'static str>) -> Option<Self> {
        [WORD_COUNT, FLOW_WORD_COUNT].contains(&list.len()).then(|| Self { list: list.leak() })
    }

    /// Those that a browser gets.
    pub fn flow(self) -> &'static [&'static str] {
        &self.list[..FLOW_WORD_COUNT]
    }

    /// All of them, in order.
    pub fn list(self) -> &'static [&'static str] {
        self.list
    }

    pub fn text(self, word: Word) -> &'static str {
        self.list[usize::from(word.0)]
    }

    /// The sentence with each `{name}` in it replaced.
    pub fn fill(self, word: Word, with: &[(&str, &str)]) -> String {
        fill(&self[word], with)
    }

    pub fn number(self, word: Word, n: usize) -> String {
        self.fill(word, &[("n", &n.to_string())])
    }
}
