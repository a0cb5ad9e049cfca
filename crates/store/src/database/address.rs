//! Server addresses: parsing, and display without passwords.

use postgres::Config;
use postgres::config::SslMode;

use crate::error::{Error, Result};

/// Parses an address; rejects addresses that ask for TLS.
pub(super) fn config(address: &str) -> Result<Config> {
    // The parser does not know the modes `verify-ca` and `verify-full`.
    if let Some(mode) = option(address, "sslmode").filter(|mode| mode.starts_with("verify")) {
        return Err(Error::Tls { mode: mode.to_owned() });
    }
    let config: Config = address.parse().map_err(|error: postgres::Error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        Error::Address { address: shown(address), why: cause.unwrap_or_else(|| error.to_string()) }
    })?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(Error::Tls { mode: "require".to_owned() });
    }
    Ok(config)
}

/// Returns the value of an option after the `?`.
fn option<'a>(address: &'a str, name: &str) -> Option<&'a str> {
    let (_, options) = address.split_once('?')?;
    options.split('&').find_map(|option| option.split_once('=').filter(|(known, _)| *known == name)).map(|(_, it)| it)
}

/// Returns an address without its password, wherever in the address it is given.
pub fn shown(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return "…".to_owned() };
    // A password may contain any character, so everything up to the last `@` may belong to it.
    let (user, place) = match rest.rsplit_once('@') {
        Some((user, place)) => (Some(user.split(':').next().unwrap_or_default()), place),
        None => (None, rest),
    };
    let (place, options) = place.split_once('?').unwrap_or((place, ""));
    let options: Vec<&str> = options.split('&').filter(|option| !option.is_empty() && !is_secret(option)).collect();
    let mut shown = format!("{scheme}://");
    if let Some(user) = user {
        shown += &format!("{user}@");
    }
    shown += place;
    if !options.is_empty() {
        shown += &format!("?{}", options.join("&"));
    }
    shown
}

fn is_secret(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    // `%70assword` decodes to `password`.
    name.contains('%') || name.to_ascii_lowercase().contains("pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_never_shown() {
        for (address, expected) in [
            ("postgres://ann:secret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:sec@ret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:sec/secret@host/db", "postgres://ann@host/db"),
            ("postgres://host/db?user=ann&password=secret", "postgres://host/db?user=ann"),
            ("postgres://host/db?%70assword=secret", "postgres://host/db"),
            ("postgres://host/db", "postgres://host/db"),
        ] {
            assert_eq!(shown(address), expected);
        }
    }

    #[test]
    fn what_is_wrong_is_told_without_the_password() {
        let error = config("postgres://ann:secret@host:port/db").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`postgres://ann@host:port/db` is not a valid store address: invalid value for option `port`"
        );
    }

    #[test]
    fn tls_is_refused_before_anything_is_sent() {
        for mode in ["require", "verify-ca", "verify-full"] {
            let error = config(&format!("postgres://ann:secret@host/db?connect_timeout=1&sslmode={mode}")).unwrap_err();
            assert!(matches!(&error, Error::Tls { mode: told } if told == mode), "{error:?}");
        }
        assert!(config("postgres://ann:secret@host/db?sslmode=prefer").is_ok());
    }
}
