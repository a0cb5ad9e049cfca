//! Records kept in both databases. Each test runs on a SQLite file, and on PostgreSQL if `WINDROW_POSTGRES` has the
//! address of a server on which databases may be made; `tools/test` starts one.

mod audits;
mod changes;
mod crawls;
mod drift;
mod export;
mod identity;
mod keep;
mod kill;
mod model;
mod names;
mod open;
mod ordinary;
mod placed;
mod query;
mod support;
