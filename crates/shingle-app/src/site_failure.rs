//! Why a company's site could not be read.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// Why nothing was read, and what to do.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SiteFailure {
        NoServer { host: String } => "There is no site at {host}. Check the spelling, or fill in the blanks.",
        Slow { host: String, seconds: u64 } =>
            "{host} took longer than {seconds} {seconds|second|seconds}. Try again, or fill in the blanks.",
        OwnNetwork { host: String } =>
            "{host} is on a private network, and this server only reads sites on the public internet. Fill in the blanks and continue.",
        NotHttps { host: String } =>
            "{host} was asked for without https, which this server doesn’t use. Leave out http://, or fill in the blanks.",
        NoAnswer { host: String, why: Message } => "We got no page from {host}: {why}. Fill in the blanks and continue.",
        Blocked { host: String, status: u16 } =>
            "{host} answered {status}. It blocks automated visits. Nothing is wrong with your site. Fill in the blanks and continue.",
        Refused { host: String, status: u16 } =>
            "{host} answered {status}, so there was no page to read. Check the address, or fill in the blanks.",
        NotAPage { host: String } => "What {host} sent is not a web page. Check the address, or fill in the blanks.",
    }
}
