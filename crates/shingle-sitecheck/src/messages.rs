//! What a check says of a page.

use shingle_deliver::EgressError;
use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SiteMessage {
        // The widget, its server and its domains.
        Active => "The widget is active",
        SwitchedOff => "The widget is switched off",
        SwitchedOffText => "Its script answers, and shows nothing.",
        SwitchOn => "Set the widget’s status to active.",
        Listed { page: String } => "{page} is on the widget’s list of domains",
        NotListed { page: String } => "{page} is not on the widget’s list of domains",
        List { list: Vec<String> } => "The list: {list}. On other pages the script does nothing.",
        AddToList { page: String } => "Add {page} to the widget’s domains, and keep the others that you need.",
        LocalServer => "Visitors cannot reach this server",
        LocalAddress { base: String } =>
            "Its address is {base}. On a visitor’s machine that means the visitor’s own machine.",
        StartOnInternet =>
            "Start the server with its address on the internet, SHINGLE_BASE_URL=https://…, and copy the tag again.",
        NoHttps => "This server is not reached over HTTPS",
        PlainAddress { base: String } => "Its address is {base}. Pages over HTTPS load nothing from plain HTTP.",
        GiveCertificate =>
            "Give the server a certificate, or a proxy that has one, and set SHINGLE_BASE_URL=https://….",
        // The response.
        NotPage => "The address does not lead to a web page",
        ContentType { kind: String } => "The server says that it is {kind}.",
        CheckVisiblePage => "Check the address of a page that visitors see.",
        SentOn { to: String } => "Visitors are sent on to {to}",
        Redirected { from: String } => "{from} redirects there. The rest of this check is about that page.",
        Password => "The page asks for a password",
        RemovePassword => "Check a page that every visitor can see, or remove the password until the check is done.",
        Missing { status: u16 } => "There is no page at this address ({status})",
        CheckSpelling => "Check the spelling, or try the home page.",
        Refused => "The site refuses our program",
        RefusedText { status: u16 } =>
            "It answered with {status}. Bot protection (Cloudflare, Sucuri, Wordfence and others) often does that although \
             visitors see the page. A site under maintenance does it too.",
        AllowProgram =>
            "Open the page in a browser and look for the estimate there, or allow the user agent “Shingle”.",
        ServerError { status: u16 } => "The site answers with an error ({status})",
        RepairSite => "Have the site repaired first. The error log of its host says more.",
        NoPage { status: u16 } => "The site answered with {status} and sent no page",
        NotFetched { error: EgressError } => "{^error}",
        CheckName => "Check the spelling. If it is right, the domain's DNS has no entry for this name.",
        CertificateWarning => "Browsers show a warning instead of such a page.",
        RenewCertificate =>
            "Renew the certificate at the site's host (most do it for free), for all names of the site.",
        RedirectLoop => "The redirects form a loop. Check the site's rules for www, https and languages.",
        SendsOn { to: String } => "The page sends visitors on to {to}",
        SentToOtherDomain =>
            "That domain is not on the widget’s list, so the script does nothing there and we do not follow.",
        AddDomain => "Add its domain to the widget’s domains, or check the address that visitors end up at.",
        SentToHttp => "The page sends visitors on from https:// to http://",
        NoPlainRedirects => "We do not follow redirects to unencrypted addresses.",
        ReverseRedirect => "Reverse that redirect: visitors should end up at https://. Browsers warn of http://.",
        HttpsOnly => "This server checks pages over HTTPS only",
        TryHttps =>
            "Try the address with https://. A site without HTTPS should get it first: browsers mark it as not secure.",
        PublicOnly =>
            "Our server only visits public addresses. For a site inside your own network, your administrator can open it with \
             SHINGLE_EGRESS_ALLOW.",
        DownOrBlocked => "Either the site is down, or its firewall blocks our server.",
        LookYourself =>
            "Open the page in a browser. If it is there, look for the estimate yourself, or try again later.",
        CheckAddress => "Check the address.",
        // The script tag.
        Refresh => "A meta element does that after a moment.",
        CheckThatToo => "Check that page too.",
        Amp => "This is an AMP page",
        AmpText => "In the caches of Google and Bing it runs no script of its own.",
        PlainLink => "Put a plain link to the estimate on it.",
        Line { line: u64 } => "Line {line} of the page’s HTML:",
        InComment => "The script tag is commented out",
        RemoveComment => "Remove the <!-- before it and the --> after it.",
        InNoscript => "The script tag is inside <noscript>",
        LeaveNoscript => "Move it out: browsers that run scripts ignore what is in there.",
        InTemplate => "The script tag is inside <template>",
        LeaveTemplate => "Move it out: browsers do not run what is in a template.",
        OtherServer => "The script tag names another server",
        Replace { tag: String } => "Replace it with: {tag}",
        OtherWidget => "The script tag belongs to another widget",
        ReplaceWidget { id: String, tag: String } =>
            "If this page should show the widget {id}: Replace it with: {tag}",
        Damaged => "The script tag’s address is damaged",
        ReplaceDamaged { tag: String } =>
            "Editors that turn straight quotes into curly ones cause that. Replace it with: {tag}",
        Found { line: u64 } => "The script tag is on the page (line {line})",
        Later { by: Tool } => "The script runs a little later: {by} delays it",
        FirstMove { by: Tool } => "The script waits for the visitor’s first move: {by} delays it",
        Consent { by: Tool } => "The script waits for the visitor’s consent: {by} blocks it",
        Changed { by: Tool } => "The script tag was changed by {by}",
        NeverRun { by: Tool } => "The script tag is never run because of {by}",
        MixedContent => "The script’s address begins with http://, and the page with https://",
        MixedContentText => "Browsers block that as mixed content.",
        OtherScheme { scheme: String } => "The script’s address begins with {scheme}://",
        ServerName { base: String } => "This server calls itself {base}.",
        WriteAs { tag: String } => "Write it as: {tag}",
        Integrity => "The script tag has an integrity attribute",
        IntegrityText =>
            "The script changes with every setting of the widget. After the next change browsers refuse it.",
        RemoveIntegrity => "Remove the attribute. The script itself checks what it loads.",
        Repeated { times: usize } => "The script tag is on the page {times} times",
        RepeatedText => "It still works: only the first counts.",
        KeepOne { line: u64 } => "Keep one, for instance that of line {line}.",
        AlsoOther => "There is also a tag with another server’s address",
        Leftover => "Remove it if it is a leftover.",
        ShownAsText => "The script tag is shown as text instead of being run",
        TakenForText { line: u64 } => "Line {line} of the page’s HTML. The editor took it for text.",
        UseHtmlBlock { tag: String } =>
            "Use the editor’s block for HTML or code. Add this tag to the page, anywhere in its head or body: {tag}",
        AddedByScript => "A script of the page adds our script",
        AddedAt { line: u64 } =>
            "Line {line} of the page’s HTML. Whether it runs cannot be received from here.",
        LookSafer { tag: String } =>
            "Look at the page in a browser. Safer: Add this tag to the page, anywhere in its head or body: {tag}",
        NotInHtml => "The script tag is not in the HTML",
        TagManager { manager: &'static str } =>
            "The page uses {manager}, which may add it while the page runs. That cannot be received from here.",
        TagManagerTodo { tag: String } =>
            "Look at the page in a browser. In a tag manager the tag is a custom HTML tag, fired on all pages, and \
             published. Or: Add this tag to the page, anywhere in its head or body: {tag}",
        OnlyFrames => "The page only frames another one",
        FrameText { frame: String } => "What visitors see is {frame}.",
        TagInFrame => "Put the tag on that page, and its domain on the widget’s list.",
        DrawnByScripts =>
            "The page is drawn by its own scripts, which may add the tag. That cannot be received from here.",
        LookAndAdd { tag: String } =>
            "Look at the page in a browser. Add this tag to the page, anywhere in its head or body: {tag}",
        NotInReadPart => "The script tag is not in the part of the page that we read",
        VeryLong => "The page is very long. We stop reading after 2 MB.",
        NotOnPage => "The script tag is not on the page",
        AddTag =>
            "Add this tag to the page, anywhere in its head or body. If you have done so, empty the cache of the site and \
             check that the change is published.",
        NoOpener => "There is no element on the page that opens the estimate",
        NoButton => "This widget has no button of its own (its type is custom).",
        AddOpener => "Add the attribute below to a link or button of the page, or add the card.",
        // Content policies.
        IntegrityPolicy => "The site’s Integrity-Policy refuses scripts without a hash",
        IntegrityPolicyText =>
            "Our script changes with every setting of the widget, so no hash can be written into the tag.",
        RemoveFromIntegrityPolicy => "Remove “script” from blocked-destinations in that header.",
        NoPolicy => "No content policy is in the way",
        ReportOnly => "There is one that only reports and blocks nothing.",
        PolicyFine => "The content policy lets everything through that the widget needs",
        TrustedTypes => "The site requires Trusted Types",
        TrustedTypesText => "The widget parses no HTML and evaluates no text, so there is nothing to allow.",
        ScriptBlocked { directive: String } => "The site’s content policy blocks our script ({directive})",
        SentIn { place: PolicyPlace } => "{place}",
        FixedNonce { place: PolicyPlace } =>
            "{place} The tag’s nonce is not the one of the policy: it is a fixed text, or came from a cache.",
        NeedsNonce { place: PolicyPlace } =>
            "{place} This policy allows scripts by a nonce, which is new with every response.",
        WriteNonce => "Let the site write its nonce into our tag, as it does for its other scripts:",
        ChangeHeaders =>
            "Change the policy as shown below, where the site’s headers are set: a security plugin, the host or the CDN.",
        LoadsBlocked { loads: BlockedUses } => "The site’s content policy does not let the widget {loads}",
        FrameInstead => "A click still opens the estimate: our own page opens instead, inside a frame.",
        PageInstead =>
            "A click still leads to the estimate: to our own page, because the policy blocks frames too.",
        ChangeToHaveIt => "To have it on the page itself, change the policy as shown below.",
        ImagesBlocked { directive: String } => "The site’s content policy blocks our images ({directive})",
        LogoMissing => "The dialog lacks the company’s logo. Everything else works.",
        ChangePolicy => "Change the policy as shown below.",
        SandboxWithoutScripts => "The site’s content policy runs the page in a sandbox without scripts",
        RemoveSandbox => "Remove “sandbox” from the header, or add the word below.",
        Sandbox => "The site’s content policy runs the page in a sandbox",
        SandboxText =>
            "The button is shown, but the page has no origin that our server could allow, or may not send forms.",
        ShouldRead => "These parts of the content policy should read",
        ReplaceParts { place: PolicyPlace } =>
            "{place} Replace the part where it exists; add it where it does not.",
    }
}

messages! {
    /// Where a policy is.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum PolicyPlace {
        Header => "The policy is sent in the header Content-Security-Policy.",
        Meta { line: u64 } => "The policy is in a meta element, line {line} of the page’s HTML.",
    }
}

messages! {
    /// What a policy keeps the widget from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BlockedUse {
        Script => "load the rest of our script",
        Server => "talk to our server",
        WebAssembly => "use WebAssembly",
    }
}

messages! {
    /// One or more of them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BlockedUses {
        One { first: BlockedUse } => "{first}",
        Two { first: BlockedUse, last: BlockedUse } => "{first} or {last}",
        Three { first: BlockedUse, second: BlockedUse, last: BlockedUse } => "{first}, {second} or {last}",
    }
}

messages! {
    /// What has changed a tag.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Tool {
        Named { name: &'static str } => "{name}",
        Plugin => "a plugin of the site that delays or blocks scripts",
        SpeedPlugin =>
            "a speed plugin (data-src is used by Flying Scripts, Autoptimize, a3 Lazy Load and others)",
        ConsentBanner => "a consent banner",
        CookieConsentOrComplianz => "CookieConsent or Complianz",
        Nomodule => "the attribute nomodule",
        TypeAttribute => "its type attribute",
    }
}

messages! {
    /// How a change to a tag is undone.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Fix {
        ExcludeInPlugin =>
            "Its address was moved out of src. Exclude the script in the settings of the plugin that handles \
             JavaScript (speed, caching or cookie consent).",
        RocketLoader =>
            "To show it at once, write data-cfasync=\"false\" into the tag, or switch Rocket Loader off.",
        RemoveNomodule => "Remove nomodule from the tag: today's browsers skip scripts that have it.",
        RemoveType => "Remove the type attribute from the tag: browsers run no script of this type.",
        SpeedPlugin => "Add /w/ to the scripts the plugin leaves alone.",
        Consent =>
            "The widget sets no cookie and follows nobody around, so it needs no consent of that kind: put it into \
             the category that is always on (necessary), or exclude it from blocking.",
        WpRocket =>
            "In WP Rocket: File Optimization, Delay JavaScript execution, Excluded JavaScript Files: add /w/.",
        LiteSpeed =>
            "In LiteSpeed Cache: Page Optimization, Tuning, JS Delayed Excludes and JS Deferred Excludes: add /w/.",
        Perfmatters => "In Perfmatters: Assets, JavaScript, Delay JavaScript, Excluded from Delay: add /w/.",
        NitroPack => "In NitroPack: Advanced settings, Excluded resources: add this script as not delayed.",
        WpMeteor => "In WP Meteor: Settings, Exclusions: add /w/.",
        FlyingPress => "In FlyingPress: JavaScript, Delay, Exclude: add /w/.",
    }
}

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    SiteMessage::SENTENCES,
    PolicyPlace::SENTENCES,
    BlockedUse::SENTENCES,
    BlockedUses::SENTENCES,
    Tool::SENTENCES,
    Fix::SENTENCES,
];
