//! Personal data at rest: encrypted by a data key of its account, which is stored wrapped by the installation's key.
//!
//! What a text is (its account, table, column and row) is bound to it: moved elsewhere, it does not open. A text that is
//! not encrypted is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shingle_domain::AccountId;

use crate::StoreError;
use crate::encryption::cipher::Cipher;
use crate::encryption::packing::{pack, unpack};

/// Begins an encrypted text.
const MARK: char = '~';
/// How the bytes behind the mark are read.
const VERSION: u8 = 1;
/// Version and number of the data key.
const HEAD_BYTES: usize = 3;

/// A column that holds personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    LeadRecord,
    LeadDrawing,
    LeadShown,
    ConsentEvidence,
    EventPayload,
    DeliveryProgress,
    DeliveryReason,
    AttemptCause,
    AttemptExchange,
    LeadNextStep,
    LeadLossMore,
    LeadMergeKept,
    LeadEntry,
    LeadFileName,
    LeadAppointment,
    SavedName,
    SavedQuery,
    TownName,
    TagName,
    QuoteRecord,
    QuoteAnswer,
    QuoteSettings,
    ReplyTemplate,
    ImportRecord,
    ImportContent,
}

impl Field {
    const fn as_str(self) -> &'static str {
        match self {
            Self::LeadRecord => "lead.record",
            Self::LeadDrawing => "lead.drawing",
            Self::LeadShown => "lead.shown",
            Self::ConsentEvidence => "consent.evidence",
            Self::EventPayload => "event.payload",
            Self::DeliveryProgress => "delivery.progress",
            Self::DeliveryReason => "delivery.reason",
            Self::AttemptCause => "attempt.cause",
            Self::AttemptExchange => "attempt.exchange",
            Self::LeadNextStep => "lead_work.next_step",
            Self::LeadLossMore => "lead_work.loss_more",
            Self::LeadMergeKept => "lead_merge.kept",
            Self::LeadEntry => "lead_entry.text",
            Self::LeadFileName => "lead_file.name",
            Self::LeadAppointment => "lead_appointment.record",
            Self::SavedName => "portal_view.name",
            Self::SavedQuery => "portal_view.query",
            Self::TownName => "lead_town.name",
            Self::TagName => "tag.name",
            Self::QuoteRecord => "quote.record",
            Self::QuoteAnswer => "quote.answer",
            Self::QuoteSettings => "quote_settings.record",
            Self::ReplyTemplate => "reply_template.record",
            Self::ImportRecord => "lead_import.record",
            Self::ImportContent => "lead_import.content",
        }
    }
}

/// The data keys of one account.
pub(crate) struct DataKeys {
    account: AccountId,
    ciphers: Vec<(u16, Cipher)>,
    /// The number of the one that encrypts.
    active: u16,
}

impl DataKeys {
    pub fn new(account: AccountId, ciphers: Vec<(u16, Cipher)>, active: u16) -> Self {
        Self { account, ciphers, active }
    }

    /// The number of the key that encrypts.
    pub fn active(&self) -> u16 {
        self.active
    }

    /// How texts begin that the key of this number has encrypted: three bytes are four letters.
    pub fn beginning(number: u16) -> String {
        let [high, low] = number.to_be_bytes();
        format!("{MARK}{}", STANDARD.encode([VERSION, high, low]))
    }

    fn cipher(&self, number: u16) -> Result<&Cipher, StoreError> {
        let known = self.ciphers.iter().find(|(known, _)| *known == number);
        known.map(|(_, cipher)| cipher).ok_or(StoreError::Cipher)
    }

    /// `row` is the id of the row that the text belongs to.
    pub fn seal(&self, field: Field, row: &str, plain: &str) -> Result<String, StoreError> {
        let (number, cipher) = (self.active, self.cipher(self.active)?);
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&number.to_be_bytes());
        let packed = pack(plain);
        cipher.seal_bytes(&self.name(field, row), packed.as_deref().unwrap_or(plain.as_bytes()), &mut bytes)?;
        let mut text = String::with_capacity(1 + bytes.len().div_ceil(3) * 4);
        text.push(MARK);
        STANDARD.encode_string(bytes, &mut text);
        Ok(text)
    }

    pub fn seal_some(&self, field: Field, row: &str, plain: Option<&str>) -> Result<Option<String>, StoreError> {
        plain.map(|plain| self.seal(field, row, plain)).transpose()
    }

    pub fn open(&self, field: Field, row: &str, stored: String) -> Result<String, StoreError> {
        let sealed = stored.strip_prefix(MARK).ok_or(StoreError::Cipher)?;
        let bytes = STANDARD.decode(sealed).map_err(|_| StoreError::Cipher)?;
        let (head, sealed) = bytes.split_at_checked(HEAD_BYTES).ok_or(StoreError::Cipher)?;
        let [VERSION, high, low] = *head else { return Err(StoreError::Cipher) };
        let number = u16::from_be_bytes([high, low]);
        unpack(self.cipher(number)?.open_bytes(&self.name(field, row), sealed)?)
    }

    pub fn open_some(&self, field: Field, row: &str, stored: Option<String>) -> Result<Option<String>, StoreError> {
        stored.map(|stored| self.open(field, row, stored)).transpose()
    }

    /// As [`Self::open_some`], for a column where words of our own are stored in the clear.
    pub fn open_unless_clear(
        &self,
        field: Field,
        row: &str,
        stored: Option<String>,
    ) -> Result<Option<String>, StoreError> {
        if stored.as_ref().is_some_and(|stored| stored.starts_with(MARK)) {
            self.open_some(field, row, stored)
        } else {
            Ok(stored)
        }
    }

    /// What an encrypted text is bound to.
    fn name(&self, field: Field, row: &str) -> String {
        format!("{} {} {row}", self.account, field.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(account: u128, numbers: &[u16]) -> DataKeys {
        let cipher = |number: &u16| (*number, Cipher::of_key([u8::try_from(*number).unwrap(); 32]));
        let active = *numbers.last().unwrap();
        DataKeys::new(AccountId(uuid::Uuid::from_u128(account)), numbers.iter().map(cipher).collect(), active)
    }

    #[test]
    fn a_text_opens_in_its_own_account_column_and_row_alone() {
        let own = keys(1, &[1]);
        let sealed = own.seal(Field::LeadRecord, "a", "Ann Sample").unwrap();
        assert!(sealed.starts_with(MARK) && !sealed.contains("Sample"));
        let open = |keys: &DataKeys, field, row| keys.open(field, row, sealed.clone());
        assert_eq!(open(&own, Field::LeadRecord, "a").unwrap(), "Ann Sample");
        assert!(open(&keys(2, &[1]), Field::LeadRecord, "a").is_err(), "another account");
        assert!(open(&own, Field::LeadShown, "a").is_err(), "another column");
        assert!(open(&own, Field::LeadRecord, "b").is_err(), "another row");
        assert!(open(&keys(1, &[2]), Field::LeadRecord, "a").is_err(), "another key");
        let mut bytes = STANDARD.decode(&sealed[1..]).unwrap();
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            let changed = format!("{MARK}{}", STANDARD.encode(&bytes));
            assert!(own.open(Field::LeadRecord, "a", changed).is_err(), "byte {at} is changed");
            bytes[at] ^= 1;
        }
        for cut in ["~", "~AQAB", "~not base64!"] {
            assert!(own.open(Field::LeadRecord, "a", cut.to_owned()).is_err(), "{cut}");
        }
        assert_ne!(sealed, own.seal(Field::LeadRecord, "a", "Ann Sample").unwrap(), "each has a nonce of its own");
    }

    #[test]
    fn a_text_that_was_encrypted_without_packing_opens() {
        let own = keys(1, &[1]);
        let text = "a long text that was not packed ".repeat(20);
        let mut bytes = vec![VERSION, 0, 1];
        let cipher = own.cipher(1).unwrap();
        cipher.seal_bytes(&own.name(Field::LeadRecord, "a"), text.as_bytes(), &mut bytes).unwrap();
        let stored = format!("{MARK}{}", STANDARD.encode(bytes));
        assert_eq!(own.open(Field::LeadRecord, "a", stored).unwrap(), text);
    }

    #[test]
    fn the_newest_key_encrypts_and_the_others_still_open() {
        let before = keys(1, &[1]).seal(Field::EventPayload, "a", "old").unwrap();
        let both = keys(1, &[1, 2]);
        assert_eq!(both.open(Field::EventPayload, "a", before.clone()).unwrap(), "old");
        let after = both.seal(Field::EventPayload, "a", "new").unwrap();
        assert!(keys(1, &[1]).open(Field::EventPayload, "a", after.clone()).is_err());
        assert!(before.starts_with(&DataKeys::beginning(1)) && after.starts_with(&DataKeys::beginning(2)));
        assert_eq!(keys(1, &[2]).open(Field::EventPayload, "a", after).unwrap(), "new");
    }

    #[test]
    fn a_text_that_is_not_encrypted_is_refused() {
        assert!(keys(1, &[1]).open(Field::LeadRecord, "a", "{}".to_owned()).is_err());
    }
}
