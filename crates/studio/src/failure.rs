//! From errors to what goes over the wire: the code, the words, the help and the places that the command would draw.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use miette::Diagnostic;

use crate::api::{Failure, Label};

/// Why a call did nothing: a status and what to tell.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) failure: Box<Failure>,
}

impl Refused {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Refused {
        let failure = Failure { code: code.to_owned(), message: message.into(), ..Failure::default() };
        Refused { status, failure: Box::new(failure) }
    }

    /// What was asked for is not there.
    pub(crate) fn missing(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::NOT_FOUND, code, message)
    }

    /// What was sent cannot be worked with.
    pub(crate) fn unfit(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// Who asks may not.
    pub(crate) fn forbidden(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::FORBIDDEN, code, message)
    }

    /// Something went wrong that the asker can do nothing about.
    pub(crate) fn internal(message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "studio::internal", message)
    }

    /// The same with what to do.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Refused {
        self.failure.help = Some(help.into());
        self
    }

    /// What a library says of what was sent; `text` is what its places are in.
    pub(crate) fn of(error: &dyn Diagnostic, text: &str) -> Refused {
        Refused { status: StatusCode::UNPROCESSABLE_ENTITY, failure: Box::new(failure(error, &Units::new(text))) }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(*self.failure)).into_response()
    }
}

/// An error as it is told, with those related to it.
pub(crate) fn failure(error: &dyn Diagnostic, units: &Units) -> Failure {
    let labels = error.labels().into_iter().flatten().map(|label| Label {
        start: units.at(label.offset()),
        end: units.at(label.offset() + label.len()),
        text: label.label().unwrap_or_default().to_owned(),
    });
    Failure {
        code: error.code().map(|code| code.to_string()).unwrap_or_default(),
        message: error.to_string(),
        help: error.help().map(|help| help.to_string()),
        labels: labels.collect(),
        related: error.related().into_iter().flatten().map(|error| failure(error, units)).collect(),
    }
}

/// Byte offsets of a text as browsers count: in UTF-16 units.
pub(crate) struct Units {
    /// Where the counts part: behind each character that is not ASCII, its offset and how many bytes more than units
    /// there are up to it.
    shifts: Vec<(usize, usize)>,
    length: usize,
}

impl Units {
    pub(crate) fn new(text: &str) -> Units {
        let mut more = 0;
        let shifts = text.char_indices().filter(|(_, letter)| !letter.is_ascii()).map(|(at, letter)| {
            more += letter.len_utf8() - letter.len_utf16();
            (at + letter.len_utf8(), more)
        });
        Units { shifts: shifts.collect(), length: text.len() }
    }

    /// The unit at a byte.
    pub(crate) fn at(&self, byte: usize) -> usize {
        let byte = byte.min(self.length);
        let before = self.shifts.partition_point(|(at, _)| *at <= byte);
        byte - before.checked_sub(1).map_or(0, |at| self.shifts[at].1)
    }

    /// A place of the text.
    pub(crate) fn label(&self, span: windrow::xpath::Span, text: &str) -> Label {
        Label { start: self.at(span.start), end: self.at(span.end), text: text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn bytes_become_units() {
        let text = "a€b😀c";
        let units = Units::new(text);
        for (byte, _) in text.char_indices() {
            assert_eq!(units.at(byte), text[..byte].encode_utf16().count(), "{byte}");
        }
        assert_eq!(units.at(99), 6);
    }
}
