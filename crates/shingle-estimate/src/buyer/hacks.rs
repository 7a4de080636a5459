//! Fixed advice on how to talk to a household; never on prices, terms or whom to serve.

use shingle_domain::buyer::{BuyerScores, SalesHacks, StyleHacks};
use shingle_domain::details::AccuracyCode;

/// From this score on the advice for a style is given.
const MIN_LIKELY: u8 = 8;

const PAY: [&str; 5] = [
    "Little is certain here. Go through scope, price and schedule step by step, as with everyone.",
    "Put scope, price and schedule in writing early, and leave time for questions.",
    "Offer your usual written estimate and walk through the schedule together.",
    "Have a complete written proposal ready: a clear plan is likely to be welcome.",
    "Bring the full proposal and possible dates to the first visit.",
];

const ELEVATE: [&str; 10] = [
    "Check first that there is a building to work on.",
    "Find out who decides about this building before you prepare anything.",
    "No sign of plans. Leave your card and a way to reach you.",
    "Few signs of plans. Offer a free look at the roof, without a follow-up call.",
    "Ask how the roof has been doing; let the answer decide whether you go on.",
    "Ask what the household would like to change next, and listen for the roof.",
    "Show two or three finished roofs of the neighbourhood and ask what appeals.",
    "Suggest an inspection with photographs, and explain what you find on the spot.",
    "Bring samples to the first visit, and a date on which the work could start.",
    "Come prepared for a decision: measurements, samples, a written offer and dates.",
];

const SAVVY: &str = "Lay out the price line by line, and say what each choice does to it.";
const LOYAL: &str = "Speak of service after the work: warranty, upkeep, the same crew next time.";
const TRENDSETTER: &str = "Start with what is new: cool-roof shingles, solar-ready flashing, smart vents.";
const BUDGET: &str = "Show the simplest sound roof first, then what each addition would bring.";
const QUALITY: &str = "Bring samples to touch, and explain the materials, the layers and the workmanship.";
const IMPULSE: &str = "Keep it short: one clear proposal, one date, and time to think it over.";
const POPULAR: &str = "Show what most neighbours have chosen, with photographs of finished roofs.";

/// The advice that goes with these scores; `None` when nothing was matched.
pub fn sales_hacks(scores: &BuyerScores) -> Option<SalesHacks> {
    if scores.accuracy_code == AccuracyCode::N {
        return None;
    }
    let styles = &scores.buyer_insights;
    let likely = |score: Option<u8>, text: &'static str| score.filter(|s| *s >= MIN_LIKELY).map(|_| text);
    Some(SalesHacks {
        pay_hack: of_level(scores.pay_score, &PAY),
        elevate_hack: of_level(scores.elevate_score, &ELEVATE),
        buyer_insight_hacks: StyleHacks {
            savvy_shopper_hack: likely(styles.savvy_shopper_score, SAVVY),
            brand_loyalist_hack: likely(styles.brand_loyalist_score, LOYAL),
            trendsetter_hack: likely(styles.trendsetter_score, TRENDSETTER),
            budgetsavvy_buyer_hack: likely(styles.budgetsavvy_buyer_score, BUDGET),
            quality_first_buyer_hack: likely(styles.quality_first_buyer_score, QUALITY),
            impulse_shopper_hack: likely(styles.impulse_shopper_score, IMPULSE),
            popular_picks_hack: likely(styles.popular_picks_score, POPULAR),
        },
    })
}

/// Level 1 is the first text.
fn of_level(level: Option<u8>, texts: &[&'static str]) -> Option<&'static str> {
    texts.get(usize::from(level?).checked_sub(1)?).copied()
}
