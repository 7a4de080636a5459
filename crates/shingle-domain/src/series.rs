//! Messages one after the other.

use crate::message::{Message, ToMessage};

/// Said one after the other, with semicolons between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series<T>(pub Vec<T>);

messages! {
    /// How two of a series are joined.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Joint {
        Series { first: Message, others: Message } => "{first}; {others}",
    }
}

impl<T: ToMessage> ToMessage for Series<T> {
    fn to_message(&self) -> Message {
        let mut joined = self.0.iter().rev().map(ToMessage::to_message);
        let last = joined.next().unwrap_or_else(|| Message::Text(String::new()));
        joined.fold(last, |others, first| Joint::Series { first, others }.to_message())
    }
}
