//! The kinds of changes the audit log records.

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// A kind of change that is written down. A new one is a line here, a call of `note_change` in the transaction of
        /// the change, and a sentence in `shingle-portal/src/audit_words.rs`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Change {
            $($(#[$doc])* $name,)*
        }

        impl Change {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|change| change.as_str() == word)
            }
        }
    };
}

changes! {
    AccountCreated = "account.created",
    AccountRenamed = "account.renamed",
    CompanySet = "company.set",
    BrandSet = "brand.set",
    /// The name.
    DomainSet = "domain.set",
    DomainRemoved = "domain.removed",
    /// The address that emails to homeowners are from, or nothing.
    SenderSet = "sender.set",
    AccountExported = "account.exported",
    /// `production` or `sandbox`.
    LeadsDownloaded = "leads.downloaded",
    AccountPaused = "account.paused",
    AccountResumed = "account.resumed",
    AccountClosed = "account.closed",
    AccountReopened = "account.reopened",
    /// The amount.
    AccountCredited = "account.credited",
    /// The limits before and after.
    AccountLimited = "account.limited",
    /// The product.
    ProductOn = "product.on",
    ProductOff = "product.off",
    /// Days, or nothing.
    RetentionSet = "retention.set",
    /// An operator came to look.
    AccountOpened = "account.opened",
    AccountLeft = "account.left",
    /// An operator's hour was over.
    VisitRanOut = "visit.ranOut",
    KeyIssued = "key.issued",
    KeyRotated = "key.rotated",
    KeyRevoked = "key.revoked",
    /// The role.
    UserInvited = "user.invited",
    InviteEnded = "invite.ended",
    /// The role.
    UserJoined = "user.joined",
    UserRenamed = "user.renamed",
    /// The new role.
    UserRoleChanged = "user.roleChanged",
    /// How many widgets, or nothing: all of them.
    UserSees = "user.sees",
    UserEmailChanged = "user.emailChanged",
    UserRemoved = "user.removed",
    /// Every way to sign in was taken back, for one new link.
    UserReset = "user.reset",
    RecoveryCodesMade = "recoveryCodes.made",
    PasskeyAdded = "passkey.added",
    PasskeyRemoved = "passkey.removed",
    /// Nothing: the company's; otherwise the person's.
    CalendarLinkMade = "calendarLink.made",
    CalendarLinkEnded = "calendarLink.ended",
    WidgetCreated = "widget.created",
    WidgetChanged = "widget.changed",
    WidgetSettingsSet = "widgetSettings.set",
    /// The kind of destination.
    DestinationCreated = "destination.created",
    DestinationChanged = "destination.changed",
    DestinationDeleted = "destination.deleted",
    NoticesSet = "notices.set",
    LeadErased = "lead.erased",
    LeadEdited = "lead.edited",
    LeadsImported = "leads.imported",
    LeadsImportUndone = "leads.importUndone",
    /// The reference of the lead that stays.
    LeadMerged = "lead.merged",
    LeadUnmerged = "lead.unmerged",
    /// Who gets new leads.
    LeadRulesSet = "leadRules.set",
    /// An email to a homeowner.
    ReplySent = "reply.sent",
    NoteEdited = "note.edited",
    NoteDeleted = "note.deleted",
    FileDeleted = "file.deleted",
    /// The name of the data set.
    ImportBegun = "import.begun",
    ImportDone = "import.done",
    ImportUndone = "import.undone",
}
