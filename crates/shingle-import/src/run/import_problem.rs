//! Why an import as a whole comes to nothing, and what a check could not try.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ImportProblem {
        NoKind =>
            "the mapping needs `[geometry] outline_kind`: \"eave\" when lines follow the roof's edge as seen from the air, \
             \"wall\" when they follow the walls",
        NoFile => "there is no file to import",
        NothingImported { read: u64 } => "no row of {read} could be imported. The index is unchanged",
        NothingImportedBecause { read: u64, n: u64, reason: Message } =>
            "no row of {read} could be imported; {n} of them: {reason}. The index is unchanged",
        NotTried => "whether its rows are found could not be tried: the folder for temporary files cannot be written",
    }
}
