//! The plan of a hunt: engines, queries, and the addresses that they make.

use std::collections::HashSet;

use crate::learn::domain::{self, Domain};
use crate::wrapper::Engine;
use url::Url;

use super::HuntOptions;
use super::error::HuntError;
use crate::audit::references::ReferenceTable;
use crate::crawl::pages;
use crate::monitor::Reports;
use crate::wrapper_file::WrapperFile;

/// Engines, and the files that describe them.
#[derive(Debug)]
pub(super) struct Engines(Vec<(WrapperFile, Engine)>);

/// A page of results that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// The number of its engine.
    pub(super) engine: usize,
    pub(super) query: String,
    /// Its number, the first being 0.
    pub(super) page: u32,
}

impl Engines {
    /// Reads and checks their wrappers.
    pub(super) fn open(names: &[String]) -> Result<Engines, Reports> {
        let mut engines = Vec::new();
        for name in names {
            let rules = WrapperFile::open(name)?;
            match Engine::new(&rules.wrapper) {
                Ok(Some(engine)) => engines.push((rules, engine)),
                Ok(None) => return Err(HuntError::NoSearch { name: name.clone() }.into()),
                Err(errors) => return Err(rules.file.reports(errors)),
            }
        }
        Ok(Engines(engines))
    }

    /// The engine of this number.
    pub(super) fn get(&self, number: usize) -> Option<&Engine> {
        self.0.get(number).map(|(_, engine)| engine)
    }

    /// The name of its wrapper's file.
    pub(super) fn name(&self, number: usize) -> &str {
        self.0.get(number).map_or("", |(rules, _)| rules.file.name.as_str())
    }

    /// Returns a hash that tells the engines from others.
    pub(super) fn sum(&self) -> String {
        let texts: Vec<&str> = self.0.iter().map(|(rules, _)| rules.file.text.as_str()).collect();
        pages::sum(&texts.join("\0"))
    }

    /// The first page of results for each query, of each engine in turn.
    pub(super) fn ask(&self, queries: &[String]) -> Vec<(Url, Asked)> {
        let all = queries.iter().flat_map(|query| self.0.iter().enumerate().map(move |engine| (query, engine)));
        all.filter_map(|(query, (number, (_, engine)))| {
            Some((engine.address(query, 0)?, Asked { engine: number, query: query.clone(), page: 0 }))
        })
        .collect()
    }
}

/// Returns the queries: one's own first, then names, then the domain's words.
pub(super) fn queries(
    options: &HuntOptions,
    domain: &Domain,
    tables: &[ReferenceTable],
) -> Result<Vec<String>, HuntError> {
    let mut queries: Vec<String> = options.own_queries.clone();
    if let Some(names) = &options.names {
        queries.extend(column(names, options.most_names, tables)?);
    }
    queries.extend(domain::queries(domain, options.queries));
    let mut known = HashSet::new();
    queries.retain(|query| !query.trim().is_empty() && known.insert(query.trim().to_lowercase()));
    if queries.is_empty() {
        return Err(HuntError::NoQueries);
    }
    Ok(queries)
}

/// Names out of a column, spread over its rows.
fn column(text: &str, most: usize, tables: &[ReferenceTable]) -> Result<Vec<String>, HuntError> {
    let fail = |hint: String| HuntError::Names { text: text.to_owned(), hint };
    let known = || tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(", ");
    let (table, column) = match text.split_once('.') {
        Some((table, column)) => (Some(table), column),
        None => (None, text),
    };
    let table = match (table, tables) {
        (Some(name), _) => tables.iter().find(|table| table.name == name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let table = table.ok_or_else(|| fail(format!("write TABLE.COLUMN; the tables are {}", known())))?;
    let reference = &table.reference;
    let number = reference
        .column(column)
        .ok_or_else(|| fail(format!("{} has the columns {}", table.name, reference.columns().join(", "))))?;
    let rows = reference.rows();
    let names = (0..most.min(rows)).filter_map(|at| reference.value(at * rows / most.min(rows), number));
    Ok(names.map(|name| name.trim().to_owned()).collect())
}
