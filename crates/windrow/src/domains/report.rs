//! Reports on a domain: its finds on pages.
//!
//! The report is a list of sections, each of which knows how it looks to people and to programs; one that has nothing
//! to say is left out of the first, and is empty in the second.

use std::fmt::Write;

use super::tally::{CLASSES, DomainTally, WAYS, full_name};
use crate::data::json::Json;
use crate::format::text_table::layout;
use crate::learn::domain::Domain;
use crate::text::{excerpt, plural};

/// Labels of a role, and pages without a record, that people are shown.
const MOST: usize = 10;
/// Labels of no role that they are shown.
const MOST_PROPOSALS: usize = 20;
/// Characters of a label or a value that they are shown.
const LABEL: usize = 40;

/// A report on a domain: its finds on pages.
pub struct DomainReport<'a> {
    /// Name of the domain.
    pub name: &'a str,
    /// The domain.
    pub domain: &'a Domain,
    /// Counts over the pages.
    pub tally: &'a DomainTally,
}

impl DomainReport<'_> {
    /// Returns the report for people, with tables of at most this width.
    pub fn text(&self, width: usize) -> String {
        [self.summary(), self.roles(width), self.never(), self.proposals(width), self.empty()].concat()
    }

    fn summary(&self) -> String {
        let tally = self.tally;
        let classes = CLASSES.iter().zip(tally.classes).map(|(class, count)| format!("{count} {}", class.name()));
        let classes: Vec<String> = classes.collect();
        let (pages, records) = (plural(tally.pages, "page"), plural(tally.records, "record"));
        format!("{} on {pages}: {}; {records}\n", self.name, classes.join(", "))
    }

    fn roles(&self, width: usize) -> String {
        let found = self.tally.roles.iter().enumerate().filter(|(_, role)| role.pages > 0);
        let number = |count: usize| if count == 0 { String::new() } else { count.to_string() };
        let rows = found.map(|(at, role)| {
            let labels = role.labels();
            let mut shown: Vec<String> = labels
                .iter()
                .take(MOST)
                .map(|(text, pages)| match pages {
                    1 => excerpt(text, LABEL),
                    pages => format!("{} ({pages})", excerpt(text, LABEL)),
                })
                .collect();
            if labels.len() > MOST {
                shown.push(format!("{} more", labels.len() - MOST));
            }
            let counts = role.ways.into_iter().chain([role.conflicts]).map(number);
            [full_name(self.domain, at), number(role.pages)]
                .into_iter()
                .chain(counts)
                .chain([shown.join(", ")])
                .collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if rows.is_empty() {
            return String::new();
        }
        let columns: Vec<&str> = ["role", "pages"].into_iter().chain(WAYS).chain(["conflict", "labels"]).collect();
        // Ways that no value came by are not worth a column.
        let kept: Vec<usize> = (0..columns.len()).filter(|&at| rows.iter().any(|row| !row[at].is_empty())).collect();
        let header: Vec<String> = kept.iter().map(|&at| columns[at].to_owned()).collect();
        let rows = rows.iter().map(|row| kept.iter().map(|&at| row[at].clone()).collect());
        layout(&header, &rows.collect::<Vec<_>>(), width)
    }

    fn never(&self) -> String {
        let never = self.tally.roles.iter().enumerate().filter(|(_, role)| role.pages == 0);
        let never: Vec<String> = never.map(|(at, _)| full_name(self.domain, at)).collect();
        if never.is_empty() { String::new() } else { format!("never found: {}\n", never.join(", ")) }
    }

    fn proposals(&self, width: usize) -> String {
        let proposals = self.tally.proposals();
        if proposals.is_empty() {
            return String::new();
        }
        let rows = proposals.iter().take(MOST_PROPOSALS).map(|proposal| {
            let role = proposal.role.map(|role| full_name(self.domain, role)).unwrap_or_default();
            let examples: Vec<String> = proposal.examples.iter().map(|text| excerpt(text, LABEL)).collect();
            vec![excerpt(&proposal.label, LABEL), proposal.pages.to_string(), role, examples.join("; ")]
        });
        let header = ["label", "pages", "perhaps", "values"].map(str::to_owned);
        let mut text = format!("labels of no role:\n{}", layout(&header, &rows.collect::<Vec<_>>(), width));
        if proposals.len() > MOST_PROPOSALS {
            let _ = writeln!(text, "and {} more", proposals.len() - MOST_PROPOSALS);
        }
        text
    }

    fn empty(&self) -> String {
        let mut text = String::new();
        let empty = &self.tally.empty;
        if !empty.is_empty() {
            text += "no record:\n";
        }
        for page in empty.iter().take(MOST) {
            let _ = writeln!(text, "  {page}");
        }
        if empty.len() > MOST {
            let _ = writeln!(text, "  and {} more", empty.len() - MOST);
        }
        text
    }

    /// Returns the report for programs.
    pub fn json(&self) -> String {
        let tally = self.tally;
        let mut json = Json::pretty(0);
        let number = |json: &mut Json, key: &str, count: usize| {
            json.key(key);
            json.literal(&count.to_string());
        };
        json.object(|json| {
            json.key("domain");
            json.text(self.name);
            number(json, "pages", tally.pages);
            number(json, "records", tally.records);
            json.key("classes");
            json.object(|json| {
                CLASSES.iter().zip(tally.classes).for_each(|(class, count)| number(json, class.name(), count));
            });
            json.key("roles");
            json.array(|json| {
                for (at, role) in tally.roles.iter().enumerate() {
                    json.element();
                    json.object(|json| {
                        json.key("role");
                        json.text(&full_name(self.domain, at));
                        number(json, "pages", role.pages);
                        json.key("by");
                        json.object(|json| {
                            WAYS.iter().zip(role.ways).for_each(|(way, count)| number(json, way, count));
                        });
                        number(json, "conflicts", role.conflicts);
                        json.key("labels");
                        json.array(|json| {
                            for (text, pages) in role.labels() {
                                json.element();
                                json.object(|json| {
                                    json.key("text");
                                    json.text(text);
                                    number(json, "pages", pages);
                                });
                            }
                        });
                    });
                }
            });
            json.key("proposals");
            json.array(|json| {
                for proposal in tally.proposals() {
                    json.element();
                    json.object(|json| {
                        json.key("label");
                        json.text(&proposal.label);
                        json.key("role");
                        match proposal.role {
                            Some(role) => json.text(&full_name(self.domain, role)),
                            None => json.literal("null"),
                        }
                        number(json, "pages", proposal.pages);
                        json.key("examples");
                        texts(json, &proposal.examples);
                    });
                }
            });
            json.key("no_record");
            texts(json, &tally.empty);
        });
        json.finish() + "\n"
    }
}

fn texts(json: &mut Json, texts: &[String]) {
    json.array(|json| {
        for text in texts {
            json.element();
            json.text(text);
        }
    });
}
