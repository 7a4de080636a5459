//! Why an event was not delivered.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum DeliveryFailure {
        GivenUp { attempts: u32, cause: Message } => "given up after {attempts} {attempts|attempt|attempts}: {cause}",
        SwitchedOff => "it was switched off",
        NoMail => "this installation cannot send emails: smtp_url is not set",
        TooLong => "it took too long",
        Internal => "an internal error",
        /// The event's payload is gone.
        Erased => "erased",
        UnreadableWebhook => "the webhook's stored settings cannot be read",
        UnreadableEvent => "the stored event cannot be read",
        WantsNothing => "the receiver answered 410: it wants nothing more",
        SendsOn { status: u16 } =>
            "the response is {status}, which sends on to another page: the receiver may have taken the event, so it is \
             tried again once a day, twice. Let it answer with a status from 200 to 299",
        Redirect { status: u16 } => "the response is {status}: redirects are not followed",
        Status { status: u16 } => "the response is {status}",
    }
}
