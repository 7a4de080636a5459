//! The links in mails to the company.

use std::sync::Arc;

use shingle_domain::inspection::PhotoId;
use shingle_domain::{AccountId, DestinationId, Environment, LeadId, LinkId, QuoteId, Timestamp};
use shingle_notice::Language;

use crate::own_domains::OwnDomains;
use crate::tokens::{MailAction, Tokens, estimate_path, inspection_path, pick_path, quote_path};

/// A lead's page in the portal.
pub fn lead_path(lead: LeadId, environment: Environment) -> String {
    let data = if environment == Environment::Sandbox { "?data=sandbox" } else { "" };
    format!("/portal/leads/{lead}{data}")
}

/// Makes the links of each company.
#[derive(Debug, Clone)]
pub struct CompanyLinks {
    pub tokens: Tokens,
    pub domains: Arc<OwnDomains>,
}

impl CompanyLinks {
    pub fn of(&self, account: AccountId) -> NoticeLinks {
        NoticeLinks { tokens: self.tokens.clone(), base_url: self.domains.base_of(account) }
    }
}

/// Makes signed links to this server, at the company's own domain if it has one.
#[derive(Debug, Clone)]
pub struct NoticeLinks {
    pub tokens: Tokens,
    /// Without a slash at the end.
    pub base_url: Arc<str>,
}

impl NoticeLinks {
    /// "I'm on it": opening it shows the page, its button takes the lead.
    pub fn on_it(
        &self,
        widget: LinkId,
        lead: LeadId,
        to: DestinationId,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        let token = self.tokens.mail_link(MailAction::Take(lead), to, now)?;
        Ok(format!("{}/w/{widget}/on-it?lead={}&to={}&t={token}", self.base_url, lead.0.simple(), to.0.simple()))
    }

    /// The lead, for signed-in users; others sign in on the way.
    pub fn in_portal(&self, lead: LeadId, environment: Environment) -> String {
        format!("{}{}", self.base_url, lead_path(lead, environment))
    }

    /// All leads that are held as spam.
    pub fn held(&self, environment: Environment) -> String {
        let data = if environment == Environment::Sandbox { "&data=sandbox" } else { "" };
        format!("{}/portal/leads?status=spam{data}", self.base_url)
    }

    pub fn results(&self, environment: Environment) -> String {
        let data = if environment == Environment::Sandbox { "?data=sandbox" } else { "" };
        format!("{}/portal/results{data}", self.base_url)
    }

    pub fn notices(&self) -> String {
        format!("{}/portal/notices", self.base_url)
    }

    /// The estimate as a page of its own, until its link is switched off. It shows no contact details.
    pub fn estimate_page(&self, widget: LinkId, lead: LeadId, version: i64, language: Language) -> String {
        let path = estimate_path(widget, &self.tokens.link(lead, version));
        format!("{}{path}?lang={}", self.base_url, language.tag())
    }

    /// The page of an inspection. It has the same key as the estimate's.
    pub fn inspection_page(&self, widget: LinkId, lead: LeadId, version: i64, language: Language) -> String {
        let path = inspection_path(widget, &self.tokens.link(lead, version));
        format!("{}{path}?lang={}", self.base_url, language.tag())
    }

    /// The page on which its homeowner picks a time. It has the same key, too.
    pub fn pick_page(&self, widget: LinkId, lead: LeadId, version: i64, language: Language) -> String {
        let path = pick_path(widget, &self.tokens.link(lead, version));
        format!("{}{path}?lang={}", self.base_url, language.tag())
    }

    /// Where the homeowner answers a quote.
    pub fn quote_page(&self, widget: LinkId, quote: QuoteId, version: i64, language: Language) -> String {
        let path = quote_path(widget, &self.tokens.quote(quote, version));
        format!("{}{path}?lang={}", self.base_url, language.tag())
    }

    /// One photograph of a lead.
    pub fn photo(
        &self,
        widget: LinkId,
        lead: LeadId,
        photo: PhotoId,
        now: Timestamp,
    ) -> Result<String, getrandom::Error> {
        let token = self.tokens.photo(lead, photo, now)?;
        let (lead, photo) = (lead.0.simple(), photo.0.simple());
        Ok(format!("{}/w/{widget}/photo?lead={lead}&photo={photo}&t={token}", self.base_url))
    }

    /// The same as a PDF. It shows no contact details.
    pub fn estimate_pdf(&self, widget: LinkId, lead: LeadId, now: Timestamp) -> Result<String, getrandom::Error> {
        let token = self.tokens.estimate(lead, now)?;
        Ok(format!("{}/w/{widget}/estimate.pdf?lead={}&t={token}", self.base_url, lead.0.simple()))
    }

    /// Ends the digests to one mailbox. One POST is enough.
    pub fn unsubscribe(&self, widget: LinkId, to: DestinationId, now: Timestamp) -> Result<String, getrandom::Error> {
        let token = self.tokens.mail_link(MailAction::Unsubscribe, to, now)?;
        Ok(format!("{}/w/{widget}/unsubscribe?to={}&t={token}", self.base_url, to.0.simple()))
    }
}
