//! Repairs texts that were encoded twice or written in another encoding.

use encoding_rs::WINDOWS_1252;

/// Repairs the two usual kinds of damage: UTF-8 that was taken for Latin-1 and encoded again, and control characters
/// in place of windows-1252's quotes and dashes.
pub(crate) fn mend(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let text = encoded_once(&text).unwrap_or(text);
    if !text.chars().any(is_c1) {
        return text;
    }
    let mend = |character: char| match u8::try_from(u32::from(character)) {
        Ok(byte) if is_c1(character) => {
            let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
            decoded.chars().next().unwrap_or(character)
        }
        _ => character,
    };
    text.chars().map(mend).collect()
}

fn is_c1(character: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&character)
}

/// Undoes double encoding: returns the text whose bytes, each taken as a character, are this text.
fn encoded_once(text: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect();
    String::from_utf8(bytes?).ok()
}

/// Decodes base64, if the result is text. White space is ignored.
pub(crate) fn base64(text: &str) -> Option<String> {
    let (mut bits, mut count) = (0_u32, 0);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()).take_while(|byte| *byte != b'=') {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accidents_are_mended() {
        assert_eq!(mend("cafÃ©".into()), "café");
        assert_eq!(mend("it\u{92}s \u{96} so".into()), "it’s – so");
        assert_eq!(mend("é".into()), "é");
        assert_eq!(mend("中 Ã©".into()), "中 Ã©");
    }

    #[test]
    fn base64_is_read() {
        assert_eq!(base64("RXhhbXBs\nZSA8Yj4=").as_deref(), Some("Example <b>"));
        assert_eq!(base64("no base64"), None);
        assert_eq!(base64("/w=="), None);
    }
}
