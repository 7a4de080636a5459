//! What the checks find, and what to do about it.

use shingle_deliver::EgressError;
use shingle_domain::message::Message;
use shingle_domain::messages;

use crate::areas::HeldWhy;

messages! {
    /// What is well, or worth a look.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Finding {
        DataFolder { folder: String } => "data folder {folder}",
        SecretKept { file: String } =>
            "{file}: without it nobody reads a lead, so keep a copy apart from the database's",
        Database { kind: &'static str, accounts: usize } => "{kind}, {accounts} {accounts|account|accounts}",
        HasNewestLeads => "the database has all that was written to it",
        CopyWithoutLog =>
            "the file shingle.db was last written by a server that did not stop, and shingle.db-wal is not beside it: if it \
             is a copy of a running server's file, its newest leads are missing. Copy all files shingle.db*, or stop the \
             server first",
        Writable { folder: String } => "all of {folder} can be written",
        NoIndex =>
            "empty, so no real address is found: import one with `shingle import FILE --map MAP.toml`",
        Index { data_sets: Vec<DataSetSize> } => "{data_sets}",
        Town { homes: u64 } => "{homes} invented {homes|home|homes}",
        Tables { all: usize, loaded: usize } => "{all} {all|table|tables}, {loaded} loaded here; none past its date",
        LateTables { all: usize, loaded: usize, late: Vec<&'static str> } =>
            "{all} {all|table|tables}, {loaded} loaded here; past their date: {late}",
        OwnPrices { widgets: usize } => "{widgets} {widgets|widget, with|widgets, each with} a price of its own",
        ReferencePrices { without: usize, widgets: usize, asphalt: String } =>
            "{without} of {widgets} {widgets|widget|widgets} {without|shows|show} the reference table's ${asphalt} a square; set installedPrice",
        OpenFiles { soft: u64, hard: u64 } => "{soft} now, up to {hard} for a server",
        Room { gigabytes: u64 } => "{gigabytes} GB {gigabytes|is|are} left",
        Runtime { bytes: usize } => "{bytes} bytes compressed",
        TrustedProxy => "TLS ends at a trusted proxy",
        OnlyHere => "not needed: listening on this machine only. Behind a proxy, set trusted_proxy",
        Requests { scheme: Scheme } => "{scheme} to public addresses",
        RequestsAlsoTo { scheme: Scheme, networks: Vec<String> } => "{scheme} to public addresses, and to {networks}",
        SourceHosts { hosts: Vec<String> } => "areas are loaded from {hosts}, and only when a person asks for one",
        SourceHostsMonthly { hosts: Vec<String> } =>
            "areas are loaded from {hosts}, which is also asked for newer homes once a month",
        NoAreas => "no area is loaded",
        AreasByHand { areas: usize } => "{areas} {areas|area|areas}, refreshed when a person asks",
        AreasMonthly { areas: usize } => "{areas} {areas|area|areas}, refreshed monthly",
        AreasToLookAt { areas: Vec<AreaTold> } => "{areas}",
        NoSchedule =>
            "the server makes none: set backup_folder or backup_bucket, and backup_passphrase, or run `shingle backup FILE` each day",
        NoBackupYet { folder: String } => "the first one goes to {folder}, a minute after the server starts at most",
        Backups { newest: String, kept: usize, folder: String } =>
            "the newest is from {newest}; {kept} {kept|backup is|backups are} in {folder}",
        SourceFolders => "areas are loaded from a folder of this machine",
        NoMail => "off: nobody gets leads by email until smtp_url and mail_from are set",
        NoBaseUrl { here: String } =>
            "not set: our pages and emails point to {here}, which other machines may not reach",
        ThisServer { base: String } => "{base} is this server",
        ThisServerAtHome { base: String } =>
            "{base} is this server; its address is a private one, which visitors from elsewhere do not reach",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum DataSetSize {
        Places { name: String, places: u64 } => "{name} {places} {places|place|places}",
    }
}

messages! {
    /// An area that somebody should look at.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum AreaTold {
        Held { area: String, release: String, why: HeldWhy } => "{area}: the release {release} waits, because {why}",
        Failed { area: String, said: Message } => "{area}: {said}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Scheme {
        Both => "HTTPS and plain HTTP",
        Https => "HTTPS",
    }
}

messages! {
    /// With whose clock ours is compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ClockOwner {
        Files => "the file system",
        BaseUrl => "the server at the base URL",
        Database => "the database server",
    }
}

messages! {
    /// What is broken.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Fault {
        NoHomes => "No home is loaded, so visitors can only ask for a call",
        ReadableSecret => "Other users of this machine may read the secret file",
        FileNotRead => "The stored file could not be read back",
        NotWritable => "This user may not write a file of the data folder",
        ClockFile { why: String } => "Files cannot be written: {why}",
        ClockAhead { seconds: i64, owner: ClockOwner } =>
            "This machine's clock is {seconds} {seconds|second|seconds} ahead of that of {owner}",
        ClockBehind { seconds: i64, owner: ClockOwner } =>
            "This machine's clock is {seconds} {seconds|second|seconds} behind that of {owner}",
        FewFiles { hard: u64 } => "The system allows {hard} open {hard|file|files}; each visitor's connection is one",
        LittleRoom { megabytes: u64 } =>
            "{megabytes} MB {megabytes|is|are} left on the disk of the data folder: leads are refused once it is full",
        FewMoreFiles { files: u64 } => "{files} more {files|file fits|files fit} on the disk of the data folder",
        LateBackup { newest: String } => "The newest backup is from {newest}, and others were due since",
        NoRuntime => "This binary was built without the browser runtime",
        UntrustedProxy =>
            "The base URL is https, so a proxy ends TLS, but none is trusted: all its visitors would share one address",
        PlainOnly => "Visitors could only connect over plain HTTP, which the server refuses",
        ProxyAlone { status: u16 } =>
            "A proxy answers with status {status}, because it does not reach the server behind it",
        OtherInstallation => "Another installation of Shingle answers there: its secret is not this one's",
        ReadAsPlain => "This server answers, but treats requests from there as plain HTTP and will refuse visitors",
        OtherServer { status: u16 } => "Something else than this server answers there, with status {status}",
        BaseUrlNotReached { why: EgressError } => "The base URL is not reached: {why}",
    }
}

messages! {
    /// What to do about it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Fix {
        LoadHomes => "Load homes under Imports in the portal, or with `shingle area add ZIP` or `shingle import FILE --map MAP.toml`.",
        OwnFile { file: String } => "chmod 600 {file}",
        OwnFolder { folder: String } => "As root: chown -R USER {folder}",
        ImportAgain => "Import the data set again.",
        LoadTable => "Correct the file and load it again, or run `shingle reference reset`.",
        Ntp => "Enable time synchronisation (NTP) on both machines.",
        RaiseLimit => "Raise the hard limit to 65536 (`ulimit -Hn`, LimitNOFILE of the service).",
        MakeRoom => "Make room, or move the data folder to a larger disk.",
        ServeForBackups => "Start `shingle serve`, and read in its log what keeps it from making backups.",
        Build => "Build it with `cargo xtask build`.",
        TrustProxy => "Name the proxy's network in trusted_proxy, or set acme_domains, or tls_cert and tls_key.",
        EndTls => "Set acme_domains, tls_cert and tls_key, or trusted_proxy.",
        StartBehind => "Start `shingle serve`, and have the proxy ask the address that it listens on.",
        OwnAddress =>
            "Name this server's own address in base_url, or the secret file of that installation in secret_file.",
        ForwardScheme => "Name the proxy's network in trusted_proxy, and have it send X-Forwarded-Proto.",
        Route => "Name this server's own address in base_url, or correct the proxy's route.",
        Dns => "Create the DNS record, or correct base_url.",
        StartServer => "Start `shingle serve` or the proxy before it, and check the port.",
        Firewall =>
            "Open the port in the firewall. Some networks do not let a machine reach its own public address: then ask \
             from elsewhere.",
        Renew => "Renew the certificate.",
        CheckClock => "Check the clock of this machine, or wait.",
        NameInCertificate => "Get a certificate for the name in base_url, or correct base_url.",
        PublicAuthority => "Get a certificate of a public authority, and serve the whole chain.",
        SchemeOfPort => "Check that this port speaks the scheme of base_url: https:// with TLS, http:// without.",
        FollowRedirect => "Set base_url to the address that it sends on to.",
        BaseUrl => "Correct base_url.",
    }
}
