//! Looks up rules by dotted paths of names.
//!
//! `ads.price` is the rule `price` below `ads`. Names may contain dots themselves, so a path is not split: at each
//! level, every rule whose name is a prefix of the path is tried. Rules that make no objects (saves, and rules whose
//! names begin with `_`) may be left out of a path, as they are left out of the data.
//!
//! Linear in the wrapper for most paths; [`STEPS`] bounds the others.

use crate::error::{WrapperError, nearest};
use crate::program::DEPTH;
use crate::wrapper::{Kind, Rule, Wrapper};

/// Largest number of rules visited: names that are prefixes of each other could give one path many interpretations.
const STEPS: usize = 100_000;

impl Wrapper {
    /// Returns the rule at a path (names from the outermost inwards, separated by dots), preceded by the rules around
    /// it. If there is none, [`UnknownVariable`](WrapperError::UnknownVariable) suggests similar paths.
    ///
    /// ```
    /// use windrow_wrapper::{Rule, Wrapper};
    ///
    /// let price = Rule::field("price", ".price");
    /// let wrapper = Wrapper { rules: vec![Rule::list("ads", "li").with(vec![price])], ..Wrapper::default() };
    /// let names: Vec<&str> = wrapper.rule("ads.price")?.into_iter().map(|rule| &*rule.name).collect();
    /// assert_eq!(names, ["ads", "price"]);
    /// assert!(wrapper.rule("ads.title").is_err());
    /// # Ok::<(), windrow_wrapper::WrapperError>(())
    /// ```
    pub fn rule(&self, path: &str) -> Result<Vec<&Rule>, WrapperError> {
        let mut rules = &self.rules[..];
        let way = way(rules, path)?;
        let mut chain = Vec::with_capacity(way.len());
        for at in way {
            let rule = &rules[at];
            chain.push(rule);
            rules = &rule.rules;
        }
        Ok(chain)
    }
}

/// Returns the position of a rule at each level, from the outermost inwards.
pub(crate) fn way(rules: &[Rule], path: &str) -> Result<Vec<usize>, WrapperError> {
    let mut way = Vec::new();
    let mut steps = STEPS;
    if follow(rules, path, &mut way, &mut steps) { Ok(way) } else { Err(unknown(rules, path)) }
}

fn follow(rules: &[Rule], path: &str, way: &mut Vec<usize>, steps: &mut usize) -> bool {
    if way.len() > DEPTH || *steps < rules.len() {
        return false;
    }
    *steps -= rules.len();
    if let Some(at) = rules.iter().position(|rule| rule.kind != Kind::Save && &*rule.name == path) {
        way.push(at);
        return true;
    }
    for (at, rule) in rules.iter().enumerate() {
        // A save has an empty name, so a path may also contain it as nothing between two dots.
        let below = path.strip_prefix(&*rule.name).and_then(|rest| rest.strip_prefix('.'));
        for rest in below.into_iter().chain(rule.is_temporary().then_some(path)) {
            way.push(at);
            if follow(&rule.rules, rest, way, steps) {
                return true;
            }
            way.pop();
        }
    }
    false
}

fn unknown(rules: &[Rule], path: &str) -> WrapperError {
    let mut paths = Vec::new();
    list(rules, "", &mut paths, 0);
    let hint = nearest(path, paths.iter().map(String::as_str)).map(|path| format!("did you mean `{path}`?"));
    let few = paths.iter().take(8).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    let hint = hint.or_else(|| (!few.is_empty()).then(|| format!("the rules are {few}")));
    WrapperError::UnknownVariable { name: path.to_owned(), hint, span: None }
}

/// Lists the paths of rules, up to the number needed for a hint.
fn list(rules: &[Rule], front: &str, paths: &mut Vec<String>, depth: usize) {
    for rule in rules {
        if paths.len() >= 200 || depth > DEPTH || front.len() > 200 {
            return;
        }
        let path = match (rule.kind, front.is_empty()) {
            (Kind::Save, _) => front.to_owned(),
            (_, true) => rule.name.value.clone(),
            (_, false) => format!("{front}.{}", rule.name),
        };
        if rule.kind != Kind::Save {
            paths.push(path.clone());
        }
        list(&rule.rules, &path, paths, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::files::{Format, read};

    fn names(path: &str) -> Vec<String> {
        let text = r#"
            [list.ads]
            records = "li"
            field = { "a" = "b", "a.b" = "i" }
            [list.ads.group.g.field]
            c = "u"
            [[list.ads.save]]
            pattern = "(#)"
            into = ["cut"]
            [list._rows]
            records = "tr"
            field.cell = "td"
        "#;
        let wrapper = read(text, Format::Toml).unwrap();
        wrapper.rule(path).unwrap_or_default().into_iter().map(|rule| rule.name.value.clone()).collect()
    }

    #[test]
    fn names_are_followed() {
        assert_eq!(names("ads"), ["ads"]);
        assert_eq!(names("ads.a"), ["ads", "a"]);
        assert_eq!(names("ads.a.b"), ["ads", "a.b"]);
        assert_eq!(names("ads.g.c"), ["ads", "g", "c"]);
        assert!(names("ads.c").is_empty());
        assert!(names("").is_empty());
        assert!(names("ads.").is_empty());
    }

    #[test]
    fn what_makes_no_objects_may_be_left_out() {
        assert_eq!(names("ads.cut"), ["ads", "", "cut"]);
        assert_eq!(names("ads..cut"), ["ads", "", "cut"]);
        assert_eq!(names("_rows.cell"), ["_rows", "cell"]);
        assert_eq!(names("cell"), ["_rows", "cell"]);
    }
}
