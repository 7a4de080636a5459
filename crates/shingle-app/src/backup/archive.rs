//! An archive that is read, wherever it lies.

use std::fs::File;
use std::io::{BufReader, Read};

use shingle_backup::{Totals, Visitor};

use super::bucket::{Bucket, ReadFault};
use super::messages::not_read;
use super::place::BackupPlace;
use crate::config::Settings;
use crate::operator_error::OperatorError;

pub(super) struct Archive {
    from: Box<dyn Read + Send>,
    fault: Option<ReadFault>,
}

impl Archive {
    pub(super) async fn open(settings: &Settings, place: &BackupPlace) -> Result<Self, OperatorError> {
        match place {
            BackupPlace::File(file) => {
                let opened = File::open(file).map_err(not_read(file))?;
                Ok(Self { from: Box::new(BufReader::new(opened)), fault: None })
            }
            BackupPlace::Object(address) => {
                let reader = Bucket::open(settings, &address.bucket)?.read(address).await?;
                let fault = Some(reader.fault());
                Ok(Self { from: Box::new(reader), fault })
            }
        }
    }

    /// Of the faults the one that came first: a server that went away also cuts the archive short.
    pub(super) fn read<V: Visitor<Error = OperatorError>>(self, visitor: &mut V) -> Result<Totals, OperatorError> {
        let Self { from, fault } = self;
        shingle_backup::read(from, visitor).map_err(|error| fault.and_then(|fault| fault.take()).unwrap_or(error))
    }
}
