//! Questions only read, whatever they look like.

use windrow_store::{Answer, Cell, Error, Question, Store};

use crate::support::{Nobody, layout, on_each, page, record, rows, run};

fn filled(store: &mut Store) {
    let ads = layout("ads", &["title", "price:money"]);
    let mut run = run(store, 1);
    let records = (0..5).map(|n| record(&ads, &[&format!("Ad {n}"), &(10 - n).to_string()])).collect();
    store.keep(&mut run, &page("p1", &ads, records), false).unwrap();
    store.finish(run, "x").unwrap();
}

fn refused(store: &mut Store, sql: &str) {
    match store.query(&Question { sql, ..Question::default() }, &mut Nobody) {
        Err(Error::Writes | Error::Query { .. }) => {}
        other => panic!("{sql}: {other:?}"),
    }
}

#[test]
fn nothing_is_written_attached_or_set() {
    on_each(|open| {
        let mut store = open();
        filled(&mut store);
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("out.db").display().to_string();
        for sql in [
            "delete from ads",
            "update ads set title = 'x' returning title",
            "insert into ads (_id) values (9) returning _id",
            "with gone as (delete from ads returning _id) select * from gone",
            "drop table ads",
            "create temp table t as select 1",
            "begin",
            "commit",
            "rollback",
            "savepoint s",
            "vacuum",
            "reindex",
            "analyze",
            "select 1; delete from ads",
            "select 1) as q(c0); commit; delete from ads; --",
            "select 1 as c0) as q(c0) where exists (delete from ads returning 1) --",
            "select setval('_runs_id_seq', 99)",
            "select nextval('_runs_id_seq')",
            "select load_extension('x')",
            "select writefile('x', 'y')",
            "pragma query_only = 0",
            "pragma journal_mode = delete",
            "pragma wal_checkpoint(truncate)",
            "pragma user_version = 7",
            "select * from pragma_journal_mode('delete')",
            "copy ads to stdout",
            "set transaction read write",
            "select set_config('transaction_read_only', 'off', false)",
            "do $$ begin delete from ads; end $$",
            "prepare transaction 'x'",
            "lock table ads",
            "",
            ";",
            "-- nothing",
        ] {
            refused(&mut store, sql);
        }
        for sql in [format!("attach '{file}' as other"), format!("vacuum into '{file}'")] {
            refused(&mut store, &sql);
        }
        assert!(!std::path::Path::new(&file).exists());
        assert_eq!(rows(&mut store, "select count(*) from ads_now"), ["5"]);
        // And writing goes on.
        filled(&mut store);
    });
}

#[test]
fn order_names_and_duplicates_of_columns_stay() {
    on_each(|open| {
        struct Table(Vec<String>, Vec<String>);
        impl Answer for Table {
            fn columns(&mut self, names: &[String]) {
                self.0 = names.to_vec();
            }
            fn row(&mut self, cells: Vec<Cell>) -> bool {
                self.1.push(format!("{cells:?}"));
                self.1.len() < 3
            }
        }
        let mut store = open();
        filled(&mut store);
        let mut table = Table(Vec::new(), Vec::new());
        let sql = "  select title, title, 1 as \"Größe\" from ads order by price -- cheapest first\n ; ";
        store.query(&Question { sql, ..Question::default() }, &mut table).unwrap();
        assert_eq!(table.0, ["title", "title", "Größe"]);
        let titles: Vec<&str> = table.1.iter().map(|row| &row[7..11]).collect();
        assert_eq!(titles, ["Ad 4", "Ad 3", "Ad 2"]);
    });
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    on_each(|open| {
        let mut store = open();
        filled(&mut store);
        let sql = "\n  select prize from ads";
        let error = store.query(&Question { sql, ..Question::default() }, &mut Nobody).unwrap_err();
        let Error::Query { at, why, .. } = error else { panic!("{error:?}") };
        assert_eq!(at, sql.find("prize"), "{why}");
    });
}

#[test]
fn a_question_without_an_end_is_stopped() {
    on_each(|open| {
        let mut store = open();
        let sql = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n";
        let error = store.query(&Question { sql, seconds: Some(1), ..Question::default() }, &mut Nobody).unwrap_err();
        assert!(matches!(error, Error::Slow { seconds: 1 }), "{error:?}");
        assert_eq!(rows(&mut store, "select 1"), ["1"]);
    });
}

#[test]
fn tables_may_be_asked_about() {
    let mut store = Store::in_memory().unwrap();
    filled(&mut store);
    assert!(rows(&mut store, "select name from pragma_table_info('ads')").contains(&"price__currency".to_owned()));
    assert_eq!(rows(&mut store, "pragma quick_check"), ["ok"]);
    assert!(!rows(&mut store, "explain query plan select * from ads where price = 3").is_empty());
}
