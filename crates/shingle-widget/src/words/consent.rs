//! The sentence by which a homeowner consents to calls: whether a text is one that a widget shows.

use shingle_domain::Language;

use super::fill;
use super::language::flow_words;
use super::table::w;

/// Sentences of earlier releases, for a page that was open while the server was renewed, and for leads that wait on a device
/// (a week at most). A release later they can go.
const EARLIER: [(Language, &str); 0] = [];

/// The text beside the box, as a widget of `company` shows it.
pub fn consent_text(company: &str, language: Language) -> String {
    flow_words(language).fill(w::CONSENT, &[("company", company)])
}

/// The language of the text; `None` where no widget of `company` asks for consent in these words.
pub fn consent_language(text: &str, company: &str) -> Option<Language> {
    let ours = Language::ALL.into_iter().map(|language| (language, flow_words(language).text(w::CONSENT)));
    let is_said = |sentence: &str| fill(sentence, &[("company", company)]) == text;
    ours.chain(EARLIER).find(|(_, sentence)| is_said(sentence)).map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To change a sentence, move the old one to [`EARLIER`], and then change it here.
    const TODAY: [&str; 2] = [
        "I agree that Oak & Sons may call or text me about this estimate at the number above, including with automated \
         technology. Not required to get an estimate or to buy. Message rates may apply; reply STOP to end.",
        "Acepto que Oak & Sons me llame o me envíe mensajes de texto sobre este presupuesto al número indicado, incluso con \
         tecnología automatizada. No es necesario para recibir un presupuesto ni para comprar. Pueden aplicarse tarifas; \
         responda STOP para cancelar.",
    ];

    #[test]
    fn a_text_is_known_in_the_name_of_its_company_alone() {
        for (text, language) in TODAY.into_iter().zip(Language::ALL) {
            assert_eq!(consent_language(text, "Oak & Sons"), Some(language));
            assert_eq!(consent_text("Oak & Sons", language), text);
        }
        let [english, _] = TODAY;
        for other in ["", "Oak & Sons", &english.replace("estimate", "purchase"), &format!("{english} "), &english[1..]]
        {
            assert_eq!(consent_language(other, "Oak & Sons"), None, "{other}");
        }
        assert_eq!(consent_language(english, "Elm"), None);
        assert_eq!(consent_language(english, "{company}"), None);
    }
}
