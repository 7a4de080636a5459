//! Messages in the database: a text as it is, anything else as JSON, so that it can be said in any language.

use shingle_domain::message::{Message, ToMessage};

/// What begins a message as JSON.
const JSON: [char; 3] = ['{', '[', '"'];

pub(crate) fn to_stored(message: &dyn ToMessage) -> String {
    match message.to_message() {
        Message::Text(text) if !text.starts_with(JSON) => text,
        // Texts, lists and names can always be written.
        message => serde_json::to_string(&message).unwrap_or_default(),
    }
}

pub(crate) fn from_stored(stored: String) -> Message {
    match serde_json::from_str(&stored) {
        Ok(message) if stored.starts_with(JSON) => message,
        _ => Message::Text(stored),
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::messages;

    use super::*;

    messages! {
        #[derive(Debug, Clone, PartialEq, Eq)]
        enum Weather {
            Wet { hours: u32, town: String } => "{hours} hours of rain in {town}",
        }
    }

    #[test]
    fn a_message_is_read_as_it_was_written_whatever_a_text_looks_like() {
        for text in ["", "erased", "12", "null", r#"{"key":"a","english":"b"}"#, "{", "[]", r#""a""#] {
            let text = Message::Text(text.to_owned());
            assert_eq!(from_stored(to_stored(&text)), text);
        }
        let wet = Weather::Wet { hours: 2, town: "Bath".to_owned() };
        assert_eq!(from_stored(to_stored(&wet)), wet.to_message());
        assert_eq!(to_stored(&Message::Text("erased".to_owned())), "erased");
    }
}
