//! Repair of wrappers, from what is known of a page before it changed.

use std::sync::Arc;

use windrow::learn::repair::{Known, Mended, Repair};
use windrow::repair::{MendedWrapper, attempt};
use windrow::store::Store;
use windrow::wrapper::files::write_locator;
use windrow::wrapper::{Kind, Rule};

use crate::api::{ListChange, RepairRequest, Repaired, RuleChange, RuleText};
use crate::export;
use crate::failure::Refused;
use crate::rules::Rules;
use crate::run;
use crate::state::State;

/// Repairs a wrapper, or returns the reason why that is not possible.
pub(crate) fn mend(state: &State, request: RepairRequest) -> Result<Repaired, Refused> {
    let rules = Rules::read(request.rules)?;
    let after = state.page(request.after)?;
    let before = request.before.map(|id| state.page(id)).transpose()?;
    let known = match (&before, &request.store) {
        (Some(open), _) => Known::of(&[rules.extractor.extract(Arc::clone(&open.page))]),
        (None, Some(address)) => {
            let name = request
                .wrapper
                .or_else(|| rules.wrapper.name.clone())
                .ok_or_else(|| Refused::unfit("studio::no_name", "the wrapper's name in the store is missing"))?;
            let mut store = Store::open_read_only(address).map_err(|error| export::refused(&error))?;
            let pages = [Arc::clone(&after.page)];
            windrow::known(&mut store, &name, &pages).map_err(|error| export::refused(&error))?
        }
        (None, None) => {
            let refused =
                Refused::unfit("studio::nothing_known", "the records that the wrapper found before are not known");
            return Err(refused.with_help("open the page as it was, or name a store with its records"));
        }
    };
    let found_before = before.map(|open| run::run(&rules, &open.page));
    let source = (&rules.wrapper, rules.text.as_str(), rules.format);
    let mended = attempt(source, ("old", "new"), &known, &[Arc::clone(&after.page)], (state.config.now)());
    let mended = mended.map_err(|error| Refused::of(&error, "").with_help("convert the rules to TOML first"))?;
    let MendedWrapper { repair, text, patch } = match mended {
        Ok(mended) => mended,
        Err(refusal) => {
            return Ok(Repaired {
                refused: Some(refusal.to_string()),
                hint: Some(refusal.hint().to_owned()),
                rules: None,
                patch: String::new(),
                lists: Vec::new(),
                notes: Vec::new(),
                before: found_before,
                after: Some(run::run(&rules, &after.page)),
            });
        }
    };
    let new = Rules::read(RuleText { text, form: crate::rules::form(rules.format) })?;
    Ok(Repaired {
        refused: None,
        hint: None,
        patch,
        lists: lists(&rules, &repair),
        notes: repair.notes.iter().map(ToString::to_string).collect(),
        before: found_before,
        after: Some(run::run(&new, &after.page)),
        rules: Some(new.sent()),
    })
}

/// Returns the changes to each list; inner lists are included in the outer one.
fn lists(rules: &Rules, repair: &Repair) -> Vec<ListChange> {
    let change = |mended: &Mended| {
        let mut changes = Vec::new();
        let (old, new) = (&rules.wrapper.rules[..], &repair.wrapper.rules[..]);
        if mended.label.is_empty() {
            fields(mended, (old, new), "", &mut changes)
        } else {
            list(mended, (old, new), "", &mut changes)
        }
        ListChange {
            label: mended.label.clone(),
            known: mended.known,
            found: mended.found,
            records: mended.records,
            rules: changes,
        }
    };
    repair.lists.iter().map(change).collect()
}

/// The rules of one scope before and after the repair.
type Both<'w> = (&'w [Rule], &'w [Rule]);

/// Adds the changes to a list's own rule and to those of its records.
fn list(mended: &Mended, (old, new): Both<'_>, path: &str, changes: &mut Vec<RuleChange>) {
    let labelled = |rule: &&Rule| rule.kind == Kind::List && rule.shown() == mended.label;
    // Lists for several kinds of pages may share a label, or be inside a temporary rule.
    let inner = |rules: &'_ [Rule]| -> Option<(Rule, String)> {
        let own = rules.iter().find(labelled).map(|rule| (rule.clone(), join(path, &rule.name)));
        own.or_else(|| {
            let around = rules.iter().filter(|rule| rule.is_temporary());
            let found = around.filter_map(|above| Some((above, above.rules.iter().find(labelled)?))).next();
            found.map(|(above, rule)| (rule.clone(), join(&join(path, &above.name), &rule.name)))
        })
    };
    let (Some((before, own)), Some((after, _))) = (inner(old), inner(new)) else { return };
    changes.push(RuleChange {
        rule: own.clone(),
        before: write_locator(&before.locator),
        after: write_locator(&after.locator),
        kept: mended.kept,
        compared: mended.known,
        agreed: mended.found,
    });
    fields(mended, (&before.rules, &after.rules), &own, changes);
    for below in &mended.lists {
        list(below, (&before.rules, &after.rules), &own, changes);
    }
}

fn fields(mended: &Mended, (old, new): Both<'_>, path: &str, changes: &mut Vec<RuleChange>) {
    for field in &mended.fields {
        let named = |rules: &'_ [Rule]| find(rules, &field.label, path);
        let (Some((before, own)), Some((after, _))) = (named(old), named(new)) else { continue };
        changes.push(RuleChange {
            rule: own,
            before,
            after,
            kept: field.kept,
            compared: field.compared,
            agreed: field.agreed,
        });
    }
}

/// Returns the locator of the rule with a label, and its path; `group.field` for a field in a group.
fn find(rules: &[Rule], label: &str, path: &str) -> Option<(String, String)> {
    rules.iter().find_map(|rule| {
        let own = join(path, &rule.name);
        if rule.kind == Kind::Field && rule.shown() == label {
            return Some((write_locator(&rule.locator), own));
        }
        match rule.kind {
            Kind::Group if !rule.is_temporary() => {
                let rest = label.strip_prefix(rule.shown()).and_then(|rest| rest.strip_prefix('.'))?;
                find(&rule.rules, rest, &own)
            }
            Kind::Group | Kind::Save => find(&rule.rules, label, &own),
            _ => None,
        }
    })
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
