//! Pages after their scripts have run, from a browser.
