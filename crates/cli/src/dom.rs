//! `windrow dom`: a page's tree or tokens, with spans, as an outline or as JSON.

use windrow::format::printer::{Block, Printer};
use windrow::outline::{self, OutlineOptions};

use crate::args::{DomArguments, DomFormat};
use crate::run::{self, Ending, Rendered};

/// Runs the command.
pub(crate) fn run(arguments: &DomArguments) -> Ending {
    let DomArguments { depth, all, tokens, .. } = *arguments;
    let options = OutlineOptions { depth, all, tokens };
    let printer = match arguments.format {
        DomFormat::Json => Printer::json_array(),
        DomFormat::Text | DomFormat::Jsonl => Printer::plain(),
    };
    run::over_pages(&arguments.pages, &arguments.reading, printer, |page| {
        let text = match arguments.format {
            DomFormat::Text => outline::text(page, options),
            DomFormat::Json => outline::json(page, options, "\n  "),
            DomFormat::Jsonl => outline::json(page, options, ""),
        };
        Ok(Rendered::new(Block::Text(text), true))
    })
}
