//! Feeds of every format, however broken, as items.
