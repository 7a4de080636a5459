//! What a contractor says beside the widget's record: `GET` and `PUT /api/v1/roof-estimate-widget/{id}/settings`.

use serde::{Deserialize, Serialize};

use crate::contact::SafeUrl;
use crate::days_off::DaysOff;
use crate::decimal::Decimal;
use crate::language::Language;
use crate::money::Usd;
use crate::notice::{Hours, NoticeSettings, TimeOfDay, Weekday};
use crate::payment::{Apr, MonthlyPlan};
use crate::roof::RoofMaterial;
use crate::widget::string_enum;

/// Nothing is said, promised or asked until it was set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WidgetSettings {
    /// What the price includes, a line each.
    pub price_includes: Vec<String>,
    /// What it does not include.
    pub price_excludes: Vec<String>,
    /// What a square of each material costs; the record has the price of asphalt.
    pub prices: OwnPrices,
    pub monthly_payment: Option<MonthlyPayment>,
    /// As the contractor writes it: `RC-10448, insured`.
    pub license: Option<String>,
    pub rating: Option<Rating>,
    /// What is asked after the estimate, in this order.
    pub questions: Vec<Question>,
    pub mail: MailSwitches,
    pub working_hours: Option<VisitHours>,
    /// Texts that replace those of the record, and those above, where the page is in their language.
    pub texts: TextsByLanguage,
    pub launcher: LauncherOffset,
    pub fetch_ahead: FetchAhead,
    pub aerial_photos: AerialPhotos,
    pub self_booking: SelfBooking,
}

/// The contractor's own prices of a square of 100 square feet, installed. What is missing follows the price of asphalt by
/// the usual ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnPrices {
    pub metal: Option<Usd>,
    pub tile: Option<Usd>,
    pub slate: Option<Usd>,
    /// A membrane where the roof has less than 2/12.
    pub low_slope: Option<Usd>,
    /// In addition, from 8/12 to less than 10/12.
    pub steep: Option<Usd>,
    /// In addition, from 10/12 on.
    pub very_steep: Option<Usd>,
    /// In addition, on a house of two stories.
    pub two_stories: Option<Usd>,
    /// In addition, on a house of three stories or more.
    pub three_stories: Option<Usd>,
    /// What a job costs at least.
    pub minimum: Option<Usd>,
}

impl OwnPrices {
    pub fn of(&self, material: RoofMaterial) -> Option<Usd> {
        match material {
            RoofMaterial::Metal => self.metal,
            RoofMaterial::Tile => self.tile,
            RoofMaterial::Slate => self.slate,
            RoofMaterial::AsphaltShingle | RoofMaterial::Other => None,
        }
    }
}

/// The example of a monthly payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MonthlyPayment {
    pub apr_percent: Apr,
    pub months: u16,
    /// There is no example for smaller prices.
    pub least_amount: Usd,
    /// Where the financing is explained.
    pub link: Option<SafeUrl>,
}

impl MonthlyPayment {
    /// The example for a price; `None` without one to show.
    pub fn example(&self, price: Usd) -> Option<MonthlyPlan> {
        (price >= self.least_amount).then(|| MonthlyPlan::of(price, self.apr_percent, self.months)).flatten()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// Out of five.
    pub value: Decimal<10>,
    pub count: u32,
    /// Where the reviews are: a rating that nobody can look up is not shown.
    pub link: SafeUrl,
}

string_enum!(Question {
    RoofAge = "roofAge",
    Leak = "leak",
    Planned = "planned",
    /// The way of contact and its time.
    ContactTime = "contactTime",
    Note = "note",
});

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailSwitches {
    /// Off: homeowners get no mail for leads of this widget. On: they do where the account's notice settings send copies.
    pub homeowner_copy: bool,
}

impl Default for MailSwitches {
    fn default() -> Self {
        Self { homeowner_copy: true }
    }
}

/// When somebody may come by. A day or part that is not named is not offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisitHours {
    /// IANA name: `America/New_York`.
    pub time_zone: String,
    pub visits: Vec<VisitDays>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisitDays {
    pub days: Vec<Weekday>,
    #[serde(default)]
    pub morning: Option<Hours>,
    #[serde(default)]
    pub afternoon: Option<Hours>,
    #[serde(default)]
    pub evening: Option<Hours>,
}

string_enum!(DayPart { Morning = "morning", Afternoon = "afternoon", Evening = "evening" });

impl DayPart {
    /// The minutes of the day in which it lies, for hours that name no parts.
    fn bounds(self) -> (u16, u16) {
        const NOON: u16 = 12 * 60;
        const EVENING: u16 = 17 * 60;
        match self {
            Self::Morning => (0, NOON),
            Self::Afternoon => (NOON, EVENING),
            Self::Evening => (EVENING, 24 * 60),
        }
    }
}

impl VisitDays {
    pub fn part(&self, part: DayPart) -> Option<Hours> {
        match part {
            DayPart::Morning => self.morning,
            DayPart::Afternoon => self.afternoon,
            DayPart::Evening => self.evening,
        }
    }
}

impl VisitHours {
    /// The hours of one part of one day, if somebody may come then.
    pub fn on(&self, day: Weekday, part: DayPart) -> Option<Hours> {
        self.visits.iter().find(|visit| visit.days.contains(&day)).and_then(|visit| visit.part(part))
    }

    /// The working hours of the account's notices, cut at noon and at five. A part of less than an hour is no visit.
    fn from_notices(notices: &NoticeSettings) -> Option<Self> {
        let visits: Vec<VisitDays> = Weekday::ALL
            .into_iter()
            .filter_map(|day| {
                let [morning, afternoon, evening] = [DayPart::Morning, DayPart::Afternoon, DayPart::Evening]
                    .map(|part| open_within(notices, day, part.bounds()));
                let some = morning.or(afternoon).or(evening).is_some();
                some.then(|| VisitDays { days: vec![day], morning, afternoon, evening })
            })
            .collect();
        (!visits.is_empty()).then(|| Self { time_zone: notices.time_zone.clone(), visits })
    }
}

/// From the first opening to the last closing of a day, as far as it lies within these minutes.
fn open_within(notices: &NoticeSettings, day: Weekday, (from, to): (u16, u16)) -> Option<Hours> {
    let open = notices.working_hours.iter().filter(|hours| hours.days.contains(&day));
    let cut = open.map(|hours| (hours.from.minutes().max(from), hours.to.minutes().min(to)));
    let (from, to) = cut.filter(|(from, to)| from + 60 <= *to).reduce(|(a, b), (from, to)| (a.min(from), b.max(to)))?;
    Some(Hours { from: TimeOfDay::from_minutes(from)?, to: TimeOfDay::from_minutes(to)? })
}

/// The contractor's own texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TextsByLanguage {
    pub en: OwnTexts,
    pub es: OwnTexts,
}

/// In one language. What is missing is said as in the record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnTexts {
    pub first_page_title: Option<String>,
    pub button_text: Option<String>,
    pub banner_text: Option<String>,
    pub price_includes: Vec<String>,
    pub price_excludes: Vec<String>,
    pub license: Option<String>,
    /// In place of what this server says on its privacy page; an empty line begins a paragraph.
    pub privacy: Option<String>,
}

/// How far the launcher is moved from its usual place into the page, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LauncherOffset {
    pub offset_x: u16,
    pub offset_y: u16,
}

/// When the page may fetch what the dialog needs. A tap always does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FetchAhead {
    /// When a pointer or the focus comes near the launcher.
    Intent,
    /// On intent, or when a visitor has stayed for ten seconds.
    #[default]
    Dwell,
    /// As soon as the page has nothing else to do.
    Idle,
}

/// Whether a photograph from the air lies under the drawing, and how old it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AerialPhotos {
    pub show: bool,
    /// Years from its year to this one, at most. `None`: however old.
    pub oldest_years: Option<u16>,
}

impl Default for AerialPhotos {
    fn default() -> Self {
        Self { show: true, oldest_years: None }
    }
}

/// Whether homeowners book a free time themselves, and which times are free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SelfBooking {
    pub on: bool,
    /// How long a visit takes.
    pub minutes: u16,
    /// Kept free between two visits, for the way.
    pub travel_minutes: u16,
    /// Hours from the booking to the visit, at least.
    pub notice_hours: u16,
    /// Days after the first possible one.
    pub days_ahead: u16,
    /// How many visits may be under way at the same time.
    pub at_once: u16,
    pub days_off: Vec<DaysOff>,
}

impl Default for SelfBooking {
    fn default() -> Self {
        Self {
            on: false,
            minutes: 60,
            travel_minutes: 30,
            notice_hours: 24,
            days_ahead: 30,
            at_once: 1,
            days_off: Vec::new(),
        }
    }
}

impl FetchAhead {
    pub const ALL: [Self; 3] = [Self::Intent, Self::Dwell, Self::Idle];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Dwell => "dwell",
            Self::Idle => "idle",
        }
    }
}

impl WidgetSettings {
    pub fn texts(&self, language: Language) -> &OwnTexts {
        match language {
            Language::English => &self.texts.en,
            Language::Spanish => &self.texts.es,
        }
    }

    pub fn price_includes(&self, language: Language) -> &[String] {
        filled(&self.texts(language).price_includes, &self.price_includes)
    }

    pub fn price_excludes(&self, language: Language) -> &[String] {
        filled(&self.texts(language).price_excludes, &self.price_excludes)
    }

    pub fn license(&self, language: Language) -> Option<&str> {
        self.texts(language).license.as_deref().or(self.license.as_deref())
    }

    pub fn asks(&self, question: Question) -> bool {
        self.questions.contains(&question)
    }

    /// Whether homeowners get their estimate by mail, as far as switches decide it. The account's notice settings switch
    /// it on; a widget can only switch it off for itself.
    pub fn mails_homeowner_copy(&self, account: &NoticeSettings) -> bool {
        account.homeowner_copy && self.mail.homeowner_copy
    }

    /// When somebody may come by: as set here, else the working hours of the account's notices. `None`: nobody has said.
    pub fn visit_hours(&self, account: &NoticeSettings) -> Option<VisitHours> {
        self.working_hours.clone().or_else(|| VisitHours::from_notices(account))
    }
}

fn filled<'a>(own: &'a [String], usual: &'a [String]) -> &'a [String] {
    if own.is_empty() { usual } else { own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::WorkingHours;

    fn time(text: &str) -> TimeOfDay {
        TimeOfDay::parse(text).unwrap()
    }

    fn open(days: &[Weekday], from: &str, to: &str) -> WorkingHours {
        WorkingHours { days: days.to_vec(), from: time(from), to: time(to) }
    }

    #[test]
    fn the_accounts_working_hours_are_the_visiting_hours_until_others_are_set() {
        let notices = NoticeSettings {
            time_zone: "America/New_York".to_owned(),
            working_hours: vec![
                open(&[Weekday::Monday, Weekday::Tuesday], "08:00", "12:30"),
                open(&[Weekday::Monday], "13:30", "18:30"),
                open(&[Weekday::Sunday], "11:30", "12:15"),
            ],
            ..NoticeSettings::default()
        };
        let hours = WidgetSettings::default().visit_hours(&notices).unwrap();
        let shown =
            |day, part| hours.on(day, part).map(|h| (h.from.minutes(), h.to.minutes())).map(|(a, b)| (a / 60, b / 60));
        assert_eq!(hours.time_zone, "America/New_York");
        assert_eq!(shown(Weekday::Monday, DayPart::Morning), Some((8, 12)));
        assert_eq!(shown(Weekday::Monday, DayPart::Afternoon), Some((13, 17)));
        assert_eq!(shown(Weekday::Monday, DayPart::Evening), Some((17, 18)));
        assert_eq!(shown(Weekday::Tuesday, DayPart::Morning), Some((8, 12)));
        assert_eq!(shown(Weekday::Tuesday, DayPart::Afternoon), None, "half an hour is no visit");
        assert_eq!(shown(Weekday::Sunday, DayPart::Morning), None);
        assert_eq!(WidgetSettings::default().visit_hours(&NoticeSettings::default()), None);

        let visits = vec![VisitDays {
            days: vec![Weekday::Saturday],
            morning: None,
            afternoon: None,
            evening: Some(Hours { from: time("17:00"), to: time("20:00") }),
        }];
        let own = VisitHours { time_zone: "UTC".to_owned(), visits };
        let settings = WidgetSettings { working_hours: Some(own.clone()), ..WidgetSettings::default() };
        assert_eq!(settings.visit_hours(&notices), Some(own));
    }

    #[test]
    fn a_widget_switches_the_homeowners_copy_off_and_never_on() {
        for (own, account, sent) in [(true, false, false), (true, true, true), (false, true, false)] {
            let settings = WidgetSettings { mail: MailSwitches { homeowner_copy: own }, ..WidgetSettings::default() };
            let account = NoticeSettings { homeowner_copy: account, ..NoticeSettings::default() };
            assert_eq!(settings.mails_homeowner_copy(&account), sent, "{own}");
        }
    }

    #[test]
    fn texts_of_a_language_replace_the_others_one_by_one() {
        let settings = WidgetSettings {
            price_includes: vec!["Permit".to_owned()],
            license: Some("RC-1".to_owned()),
            texts: TextsByLanguage {
                es: OwnTexts { price_includes: vec!["Permiso".to_owned()], ..OwnTexts::default() },
                ..TextsByLanguage::default()
            },
            ..WidgetSettings::default()
        };
        assert_eq!(settings.price_includes(Language::English), ["Permit"]);
        assert_eq!(settings.price_includes(Language::Spanish), ["Permiso"]);
        assert_eq!(settings.license(Language::Spanish), Some("RC-1"));
    }

    #[test]
    fn no_example_is_shown_below_the_least_amount() {
        let payment = MonthlyPayment {
            apr_percent: Apr::from_f64(8.99).unwrap(),
            months: 120,
            least_amount: Usd::from_dollars(5_000),
            link: None,
        };
        assert_eq!(payment.example(Usd::from_cents(499_999)), None);
        assert!(payment.example(Usd::from_dollars(5_000)).is_some());
    }
}
