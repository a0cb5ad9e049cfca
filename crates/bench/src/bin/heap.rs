//! Heap per byte of input, the source itself not counted: what a parsed page keeps, and the most it needed meanwhile.
//!
//! `heap [--step 1] [--csv OUT.csv]`. Counted by a global allocator, the one place where this crate needs `unsafe`.

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{Page, pages, total_bytes};
use windrow_bench::report::Table;
use windrow_dom::Document;

#[allow(unsafe_code)]
mod counting {
    //! The system's allocator, counting the bytes in use and the most there were.

    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static IN_USE: AtomicUsize = AtomicUsize::new(0);
    static PEAK: AtomicUsize = AtomicUsize::new(0);

    struct Counting;

    fn add(bytes: usize) {
        let now = IN_USE.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(now, Relaxed);
    }

    // SAFETY: every call goes to `System` with the arguments it came with; counting touches no memory but two atomics
    // and does not allocate.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size());
            // SAFETY: as promised by our own caller.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            IN_USE.fetch_sub(layout.size(), Relaxed);
            // SAFETY: as promised by our own caller.
            unsafe { System.dealloc(pointer, layout) }
        }

        unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
            // A block that moves is in use twice for a moment; one that grows in place is not. Which it was cannot be
            // told, so the peak is that of the larger block alone: the same rule for every parser here.
            IN_USE.fetch_sub(layout.size(), Relaxed);
            add(new_size);
            // SAFETY: as promised by our own caller.
            unsafe { System.realloc(pointer, layout, new_size) }
        }
    }

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    /// Returns the memory that `work` left allocated and its peak, both relative to the memory before.
    pub(super) fn measure<T>(work: impl FnOnce() -> T) -> (usize, usize) {
        let before = IN_USE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let result = work();
        let (kept, peak) = (IN_USE.load(Relaxed), PEAK.load(Relaxed));
        drop(result);
        (kept.saturating_sub(before), peak.saturating_sub(before))
    }
}

/// Bytes kept and bytes at the peak for one page.
type Parser = fn(&Page) -> (usize, usize);

fn windrow(page: &Page) -> (usize, usize) {
    // Made outside: the document takes the source over, so that only what is beside it counts.
    let source = page.text.clone();
    counting::measure(|| Document::parse(source))
}

#[cfg(feature = "peers")]
fn html5ever(page: &Page) -> (usize, usize) {
    counting::measure(|| windrow_testkit::oracle::page(&page.text, false))
}

#[cfg(feature = "peers")]
fn scraper(page: &Page) -> (usize, usize) {
    counting::measure(|| scraper::Html::parse_document(&page.text))
}

fn main() {
    let arguments = Arguments::read();
    let pages = pages(arguments.number("step", 1));
    let bytes = total_bytes(&pages);
    let parsers: Vec<(&str, Parser)> = vec![
        ("windrow", windrow),
        #[cfg(feature = "peers")]
        ("html5ever (arena)", html5ever),
        #[cfg(feature = "peers")]
        ("scraper", scraper),
    ];
    let mut table =
        Table::new(&["parser", "pages", "source bytes", "kept", "peak", "kept a byte", "peak a byte", "worst page"]);
    for (name, parse) in parsers {
        // Once over all first: what a parser sets up once is not the page's.
        let _ = pages.first().map(parse);
        let (mut kept, mut peak, mut worst) = (0, 0, 0.0_f64);
        for page in &pages {
            let (page_kept, page_peak) = parse(page);
            kept += page_kept;
            peak += page_peak;
            worst = worst.max(page_kept as f64 / page.text.len().max(1) as f64);
        }
        table.row(vec![
            name.to_owned(),
            pages.len().to_string(),
            bytes.to_string(),
            kept.to_string(),
            peak.to_string(),
            format!("{:.2}", kept as f64 / bytes as f64),
            format!("{:.2}", peak as f64 / bytes as f64),
            format!("{worst:.2}"),
        ]);
    }
    table.print("Heap beside the source, bytes a byte of source");
    table.write(arguments.path("csv").as_deref());
}
