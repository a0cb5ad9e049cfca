//! Small pages, one for each idea.
