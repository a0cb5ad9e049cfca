//! Exports: the records of a list in a store as a file.
//!
//! Records go from the store to the file a thousand at a time. A feed has the newest records, so all are looked at and only
//! its entries are held.

mod newest;

use std::io::Write;

use miette::Report;

use self::newest::Newest;
use crate::store::export::{ExportError, Exporter, Format, Options, Summary};
use crate::store::{Form, Layout, Record, Store, Which};
use crate::stores::{self, short_name};

/// An error in the choice of the list to export.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ListError {
    /// There are several lists, and none is named.
    #[error("the store has several lists")]
    #[diagnostic(code(export::which_list), help("say which: {lists}"))]
    WhichList {
        /// Names of the lists.
        lists: String,
    },
    /// There are no records.
    #[error("the store has no list")]
    #[diagnostic(code(export::no_list), help("nothing has been kept in it yet"))]
    NoList,
}

/// Returns the list of this name, which may be its short one; without a name, the only one.
///
/// # Errors
///
/// There is no such list, or it is not clear which is meant.
pub fn list(store: &Store, name: Option<&str>) -> Result<Layout, Report> {
    let layouts = store.layouts();
    if let Some(name) = name {
        return store.layout(name).or_else(|error| {
            let short = layouts.iter().find(|layout| short_name(&layout.label, &layouts) == name);
            short.cloned().ok_or_else(|| stores::report(error))
        });
    }
    let lists: Vec<String> = layouts.iter().map(|layout| layout.label.clone()).collect();
    let mut layouts = layouts.into_iter();
    match (layouts.next(), layouts.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(ListError::NoList.into()),
        _ => Err(ListError::WhichList { lists: lists.join(", ") }.into()),
    }
}

/// Returns `true` if a format has the newest records only.
pub fn is_feed(format: Format) -> bool {
    matches!(format, Format::Atom | Format::Rss)
}

/// An export that failed.
#[derive(Debug)]
pub enum ExportFailure {
    /// The store failed.
    Store(crate::store::Error),
    /// A record could not be written.
    Export(ExportError),
}

/// Writes the records of a list. `each` is called for every record read. Returns a summary, and the number of records that
/// the entries of a feed were chosen from, if not all are in it.
///
/// # Errors
///
/// The store failed, or the output could not be written.
pub fn write(
    store: &mut Store,
    (layout, which): (&Layout, Which),
    (format, options): (Format, &Options),
    out: impl Write + Send,
    each: &mut dyn FnMut(),
) -> Result<(Summary, Option<u64>), ExportFailure> {
    let mut exporter = Exporter::new(format, layout, options, out).map_err(ExportFailure::Export)?;
    let of = if is_feed(format) {
        let mut newest = Newest::new(options.entries);
        read(store, (layout, which), each, |record| {
            newest.add(record);
            Ok(())
        })?;
        let all = newest.seen();
        for record in newest.finish() {
            exporter.push(&record).map_err(ExportFailure::Export)?;
        }
        Some(all)
    } else {
        read(store, (layout, which), each, |record| exporter.push(&record))?;
        None
    };
    let summary = exporter.finish().map_err(ExportFailure::Export)?;
    let of = of.filter(|all| *all > summary.rows);
    Ok((summary, of))
}

fn read(
    store: &mut Store,
    (layout, which): (&Layout, Which),
    each: &mut dyn FnMut(),
    mut take: impl FnMut(Record) -> Result<(), ExportError>,
) -> Result<(), ExportFailure> {
    let mut failed = None;
    let read = store.records(&layout.label, which, Form::Typed, |record| {
        each();
        match take(record) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        }
    });
    read.map_err(ExportFailure::Store)?;
    failed.map_or(Ok(()), |error| Err(ExportFailure::Export(error)))
}
