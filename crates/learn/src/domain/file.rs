//! Domains as files: TOML, with places and hints for what is wrong; files that extend others; the domains that come along.
