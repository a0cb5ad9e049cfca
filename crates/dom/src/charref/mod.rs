//! stub
mod table;
