//! Places of IP addresses, by a database on this machine in MaxMind's format. Nothing is asked over the network.

use std::net::{IpAddr, SocketAddr};

use maxminddb::{MaxMindDbError, Reader, geoip2};
use miette::Diagnostic;

/// Why a database tells nothing.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum GeoipError {
    #[error("cannot read the GeoIP database `{path}`: {cause}")]
    #[diagnostic(code(report::geoip_unreadable))]
    Unreadable { path: String, cause: std::io::Error },
    #[error("`{path}` is no GeoIP database: {cause}")]
    #[diagnostic(
        code(report::geoip_wrong),
        help("it is a file such as GeoLite2-City.mmdb or GeoLite2-Country.mmdb; a .tar.gz has to be unpacked first")
    )]
    Wrong { path: String, cause: String },
}

/// A database.
pub struct Locations {
    reader: Reader<Vec<u8>>,
}

impl Locations {
    /// Opens a file.
    pub fn open(path: &str) -> Result<Locations, GeoipError> {
        let bytes = std::fs::read(path).map_err(|cause| GeoipError::Unreadable { path: path.to_owned(), cause })?;
        let reader = Reader::from_source(bytes);
        let reader = reader
            .map_err(|error: MaxMindDbError| GeoipError::Wrong { path: path.to_owned(), cause: error.to_string() })?;
        Ok(Locations { reader })
    }

    /// `Dublin, Ireland`, as far as it is known.
    pub fn of(&self, address: &str) -> Option<String> {
        let ip: IpAddr = match address.parse::<IpAddr>() {
            Ok(ip) => ip,
            Err(_) => address.parse::<SocketAddr>().ok()?.ip(),
        };
        // A database of countries has the same keys, but for the city.
        let place = self.reader.lookup(ip).ok()?.decode::<geoip2::City<'_>>().ok()??;
        let country = place.country.names.english.or(place.country.iso_code);
        let country = country.or(place.registered_country.names.english);
        let parts: Vec<&str> = place.city.names.english.into_iter().chain(country).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
