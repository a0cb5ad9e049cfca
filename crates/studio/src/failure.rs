//! Conversion of errors for the API, with the code, message, help and labels that the command line shows.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use miette::Diagnostic;

use crate::api::{Failure, Label};

/// Refusal of a call: the HTTP status and the failure to report.
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

    /// Creates a refusal for something that does not exist.
    pub(crate) fn missing(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::NOT_FOUND, code, message)
    }

    /// Creates a refusal for an invalid request.
    pub(crate) fn unfit(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// Creates a refusal for a request that is not permitted.
    pub(crate) fn forbidden(code: &str, message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::FORBIDDEN, code, message)
    }

    /// Creates a refusal for an internal error.
    pub(crate) fn internal(message: impl Into<String>) -> Refused {
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "studio::internal", message)
    }

    /// Adds a hint.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Refused {
        self.failure.help = Some(help.into());
        self
    }

    /// Converts a library's error about the request; `text` is the text that its spans refer to.
    pub(crate) fn of(error: &dyn Diagnostic, text: &str) -> Refused {
        Refused { status: StatusCode::UNPROCESSABLE_ENTITY, failure: Box::new(failure(error, &Units::new(text))) }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(*self.failure)).into_response()
    }
}

/// Converts an error with its related errors.
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

/// Conversion of byte offsets to UTF-16 units, which browsers count in.
pub(crate) struct Units {
    /// For each character that is not ASCII, the offset after it and the number of bytes in excess of units up to
    /// there.
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

    /// Returns the UTF-16 offset of a byte.
    pub(crate) fn at(&self, byte: usize) -> usize {
        let byte = byte.min(self.length);
        let before = self.shifts.partition_point(|(at, _)| *at <= byte);
        byte - before.checked_sub(1).map_or(0, |at| self.shifts[at].1)
    }

    /// Creates a label for a span of the text.
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
