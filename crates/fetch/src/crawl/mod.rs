//! From page to page, surviving being killed.
