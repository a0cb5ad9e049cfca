//! The rules for programs.

use crate::wrapper::Kind;

use super::PageFinds;
use super::tree::RuleReport;
use crate::data::json::Json;
use crate::wrapper_file::WrapperFile;

/// All of it, as one object.
pub fn object(rules: &WrapperFile, pages: Option<&PageFinds>, shown: &[RuleReport<'_>]) -> String {
    let mut json = Json::pretty(0);
    json.object(|json| {
        json.key("wrapper");
        json.text(&rules.file.name);
        json.key("name");
        text(json, rules.wrapper.name.as_deref());
        json.key("pages");
        json.literal(&pages.map_or(0, |pages| pages.names.len()).to_string());
        json.key("rules");
        array(json, shown);
    });
    json.finish() + "\n"
}

fn text(json: &mut Json, text: Option<&str>) {
    match text {
        Some(text) => json.text(text),
        None => json.literal("null"),
    }
}

/// As deep as rules nest, which is bounded.
fn array(json: &mut Json, rules: &[RuleReport<'_>]) {
    json.array(|json| {
        for rule in rules {
            json.element();
            json.object(|json| members(json, rule));
        }
    });
}

fn members(json: &mut Json, shown: &RuleReport<'_>) {
    let rule = shown.rule;
    json.key("name");
    text(json, Some(&*rule.name).filter(|_| rule.kind != Kind::Save));
    json.key("kind");
    json.text(shown.kind());
    json.key("rule");
    json.text(&shown.written());
    json.key("path");
    text(json, rule.path.as_deref());
    json.key("type");
    text(json, Some(rule.ty.name()).filter(|_| shown.has_values()));
    json.key("optional");
    json.literal(if rule.optional { "true" } else { "false" });
    if let Some(found) = shown.found {
        for (key, count) in [("scopes", found.scopes), ("matched", found.matched), ("found", found.found)] {
            json.key(key);
            json.literal(&count.to_string());
        }
        json.key("samples");
        json.array(|json| {
            for sample in found.samples() {
                json.element();
                json.text(sample);
            }
        });
        json.key("warnings");
        json.array(|json| {
            for warning in &shown.warnings {
                json.element();
                json.object(|json| {
                    json.key("kind");
                    json.text(warning.kind());
                    json.key("message");
                    json.text(&warning.message());
                });
            }
        });
    }
    json.key("rules");
    array(json, &shown.below);
}
