//! Gzip compression: each record becomes a member, so that it can be read without the preceding ones.

use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};

/// Compressor that is reused for all records, since creating one costs more than compressing a small record.
pub(super) struct Packer {
    compressor: Compress,
}

impl Packer {
    /// Creates a packer with a level from 0 (no compression) to 9.
    pub(super) fn new(level: u32) -> Packer {
        Packer { compressor: Compress::new_gzip(Compression::new(level.min(9)), 15) }
    }

    /// Appends a member that contains the parts.
    pub(super) fn pack(&mut self, parts: &[&[u8]], into: &mut Vec<u8>) -> io::Result<()> {
        self.compressor.reset();
        for part in parts {
            self.push(part, FlushCompress::None, into)?;
        }
        self.push(&[], FlushCompress::Finish, into)
    }

    fn push(&mut self, mut bytes: &[u8], flush: FlushCompress, into: &mut Vec<u8>) -> io::Result<()> {
        loop {
            into.reserve((bytes.len() / 4).max(4 << 10));
            let before = self.compressor.total_in();
            let status = self.compressor.compress_vec(bytes, into, flush).map_err(io::Error::other)?;
            bytes = &bytes[(self.compressor.total_in() - before) as usize..];
            let done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => bytes.is_empty(),
            };
            if done {
                return Ok(());
            }
        }
    }
}
