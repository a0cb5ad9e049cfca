//! The difference of two texts as a patch.

use similar::TextDiff;

/// A unified diff, as `patch` takes it; nothing if the texts are the same.
pub fn unified(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(3).header(old_name, new_name).to_string()
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn a_patch_has_what_changed_and_three_lines_around() {
        let old = "a\nb\nc\nd\ne\nf\n";
        let expected = "--- x\n+++ y\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n";
        assert_eq!(unified(old, "a\nB\nc\nd\ne\nf\n", "x", "y"), expected);
        assert_eq!(unified(old, old, "x", "y"), "");
    }
}
