//! Marks of crawls.

use crate::support::on_each;

#[test]
fn a_store_knows_how_far_its_crawls_have_come() {
    on_each(|open| {
        let mut store = open();
        assert_eq!(store.crawl_mark("one").unwrap(), None);
        store.mark_crawl("one", 1).unwrap();
        store.mark_crawl("two", 7).unwrap();
        store.mark_crawl("one", 2).unwrap();
        drop(store);
        let mut store = open();
        let marks = ["one", "two", "three"].map(|crawl| store.crawl_mark(crawl).unwrap());
        assert_eq!(marks, [Some(2), Some(7), None]);
    });
}
