//! Digests of blocks and payloads in the usual notation of archives: `sha1:` and base 32.

use sha1::{Digest, Sha1};

/// A SHA-1 digest.
pub(super) type Sum = [u8; 20];

/// Returns the digest of consecutive parts.
pub(super) fn sum(parts: &[&[u8]]) -> Sum {
    let mut hasher = Sha1::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// Formats a digest for a header field.
pub(super) fn label(sum: &Sum) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(37);
    text.push_str("sha1:");
    // Five bytes are eight letters.
    for five in sum.chunks(5) {
        let bits = five.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        text.extend((0..8).rev().map(|letter| char::from(LETTERS[(bits >> (5 * letter) & 31) as usize])));
    }
    text
}

/// Returns a 128-bit key of a text: of a URL, or of a digest in any notation.
pub(super) fn key(kind: &str, text: &str) -> u128 {
    let sum = sum(&[kind.as_bytes(), b" ", text.as_bytes()]);
    sum.iter().take(16).fold(0, |key, &byte| key << 8 | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_nothing() {
        assert_eq!(label(&sum(&[])), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(sum(&[b"a", b"bc"]), sum(&[b"abc"]));
    }
}
