//! From labels to rules: expressions that find places again, on this page and on others, as long as possible.

pub(crate) mod part;
