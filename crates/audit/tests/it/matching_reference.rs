//! Reference tables of every kind become the same table, and what is wrong with one is said with its place.

#![allow(clippy::print_stderr)] // Says which tests had no server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::Diagnostic;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tempfile::TempDir;
use windrow_audit::reference::{Error, Options, Reference, Source};

fn open(source: &str) -> Result<Reference, Error> {
    Reference::open(&Source::from(source), &Options::default())
}

/// A file with this content.
fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

fn csv(content: impl AsRef<[u8]>) -> Result<Reference, Error> {
    let (_folder, path) = file("register.csv", content);
    open(&path)
}

/// The rows, cells with `|` between them, `-` for no value.
fn rows(reference: &Reference) -> Vec<String> {
    let cell = |row, column| reference.value(row, column).unwrap_or("-");
    let row = |row| (0..reference.columns().len()).map(|column| cell(row, column)).collect::<Vec<_>>().join("|");
    (0..reference.rows()).map(row).collect()
}

/// Formats an error with its help, without the file's folder.
fn told(error: &Error) -> String {
    let folder = std::env::temp_dir().display().to_string();
    let short = |text: String| match text.find(&folder) {
        Some(start) => {
            let rest = &text[start + folder.len() + 1..];
            format!("{}{}", &text[..start], rest.split_once('/').map_or(rest, |(_, rest)| rest))
        }
        None => text,
    };
    let help = error.help().map(|help| format!("; {}", short(help.to_string()))).unwrap_or_default();
    format!("{}{help}", short(error.to_string()))
}

const DRUGS: &str = "code,name,year\nH20050001,Aspirin,2005\nZ20060002,,2006\n";

fn check_drugs(reference: &Reference) {
    assert_eq!(reference.columns(), ["code", "name", "year"]);
    assert_eq!(rows(reference), ["H20050001|Aspirin|2005", "Z20060002|-|2006"]);
}

#[test]
fn csv_with_any_delimiter() {
    for delimiter in [",", ";", "\t", "|"] {
        check_drugs(&csv(DRUGS.replace(',', delimiter)).unwrap());
    }
    let semicolons = csv("code;price\nH1;1,50\nH2;2,75\n").unwrap();
    assert_eq!(rows(&semicolons), ["H1|1,50", "H2|2,75"]);
    assert_eq!(rows(&csv("code\nH1\nH2\n").unwrap()), ["H1", "H2"]);
    assert_eq!(rows(&csv("a,b\r\n\"x, y\",\"say \"\"no\"\"\nz\"\r\n").unwrap()), ["x, y|say \"no\"\nz"]);
}

#[test]
fn csv_in_any_encoding() {
    let text = "name,maker\n感冒灵颗粒,北京同仁堂\n阿莫西林胶囊,上海新亚药业有限公司\n";
    let expected = rows(&csv(text).unwrap());
    assert_eq!(expected[0], "感冒灵颗粒|北京同仁堂");
    assert_eq!(rows(&csv(format!("\u{FEFF}{text}")).unwrap()), expected);
    assert_eq!(rows(&csv(encoding_rs::GBK.encode(text).0).unwrap()), expected);
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(rows(&csv(wide).unwrap()), expected);
    let western = "nom,ville\nécole supérieure,Besançon\nhôtel,Orléans\n";
    assert_eq!(rows(&csv(encoding_rs::WINDOWS_1252.encode(western).0).unwrap())[0], "école supérieure|Besançon");
}

#[test]
fn rows_that_do_not_fit_are_told_with_line_and_column() {
    for (content, expected) in [
        (
            "a,b\n1,2\n3,4,5\n",
            "`register.csv`, line 3, column 5: the row has 3 cells, but the table has 2 columns; \
             put cells that contain `,` in quotes",
        ),
        (
            "a,b,c\n1,2,3\n\n4,\"x\ny\"\n",
            "`register.csv`, line 5, column 3: the row has 2 cells, but the table has 3 columns; \
             the row extends from line 4 to 5; check for a missing closing quote",
        ),
        (
            "a,b,c\n1,2,3\n4,五\n",
            "`register.csv`, line 3, column 4: the row has 2 cells, but the table has 3 columns; \
             write the `,` for empty cells, too",
        ),
    ] {
        assert_eq!(told(&csv(content).unwrap_err()), expected);
    }
}

#[test]
fn what_is_no_table_is_refused() {
    let cases: [(&[u8], &str); 4] = [
        (b"", "`register.csv` has no rows; an audit against an empty table would report every record as missing"),
        (
            b"code,name\n",
            "`register.csv` has no rows; an audit against an empty table would report every record as missing",
        ),
        (b"a\0b\n1\n", "`register.csv` is not a table: it is neither text nor Parquet nor an SQLite database"),
        (
            b"\xEF\xBB\xBFcode\nab\xFF\n",
            "`register.csv`, line 2, column 3: the text is not valid UTF-8; specify the file's encoding, or save it as UTF-8",
        ),
    ];
    for (content, expected) in cases {
        assert_eq!(told(&csv(content).unwrap_err()), expected);
    }
    let missing = open("nowhere/register.csv").unwrap_err();
    assert_eq!(missing.to_string(), "the file `nowhere/register.csv` does not exist");
    let (_folder, cut) = file("register.parquet", b"PAR1 and no more");
    assert!(matches!(open(&cut), Err(Error::Database { .. })));
    let (_folder, cut) = file("register.db", b"SQLite format 3\0 and no more");
    assert!(matches!(open(&cut), Err(Error::Database { .. })));
}

#[test]
fn encodings_can_be_named() {
    let (_folder, path) = file("register.csv", b"code\nab\xE9\n");
    let source = Source::from(path.as_str());
    let named = |name| Reference::open(&source, &Options::default().with_encoding(name));
    assert_eq!(rows(&named("latin1").unwrap()), ["abé"]);
    assert!(matches!(named("utf-8"), Err(Error::Encoding { line: 2, column: 3, .. })));
    assert!(matches!(named("latin-one"), Err(Error::NoEncoding { .. })));
}

#[test]
fn tables_are_bounded() {
    let (_folder, path) = file("register.csv", DRUGS);
    let source = Source::from(path.as_str());
    let open = |options: Options| Reference::open(&source, &options);
    assert!(matches!(open(Options::default().with_rows(1)), Err(Error::TooLarge { what: "rows", most: 1, .. })));
    assert!(matches!(open(Options::default().with_bytes(20)), Err(Error::TooLarge { most: 20, .. })));
    check_drugs(&open(Options::default().with_rows(2).with_bytes(100)).unwrap());
    let wide = format!("{}\n1\n", ",".repeat(5000));
    assert!(matches!(csv(wide), Err(Error::TooLarge { what: "columns", .. })));
    assert!(matches!(csv(",".repeat(17 << 20)), Err(Error::TooLarge { what: "bytes in a line", .. })));
}

#[test]
fn missing_columns_are_told_with_the_nearest() {
    let reference = csv("authentication_code,Generic Name,maker\n1,2,3\n").unwrap();
    assert_eq!(reference.require(&["maker", "generic name"]).unwrap(), [2, 1]);
    let error = reference.require(&["authenticationCode", "maker", "price"]).unwrap_err();
    assert_eq!(
        told(&error),
        "`register.csv` has no column `authenticationCode`, `price`; did you mean `authentication_code` instead of \
         `authenticationCode`? it has authentication_code, Generic Name, maker"
    );
}

#[test]
fn columns_without_a_name_of_their_own_get_one() {
    assert_eq!(csv("code,,code, \n1,2,3,4\n").unwrap().columns(), ["code", "column 2", "code 2", "column 4"]);
}

fn parquet(path: &Path) {
    let schema = "message drugs { optional binary code (UTF8); optional binary name (UTF8); optional int32 year; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(parquet::basic::Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(fs::File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let texts: [(&[&str], &[i16]); 2] = [(&["H20050001", "Z20060002"], &[1, 1]), (&["Aspirin"], &[1, 0])];
    for (texts, levels) in texts {
        let texts: Vec<ByteArray> = texts.iter().map(|&text| text.into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(levels), None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&[2005, 2006], Some(&[1, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn parquet_is_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    // What it is called does not matter.
    let path: PathBuf = folder.path().join("register.bin");
    parquet(&path);
    check_drugs(&open(&path.display().to_string()).unwrap());
}

#[test]
fn damaged_files_are_errors_or_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("register.parquet");
    parquet(&path);
    let whole = fs::read(&path).unwrap();
    let source = path.display().to_string();
    for place in 4..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x81;
        fs::write(&path, &damaged).unwrap();
        let _ = open(&source);
    }
    for length in (4..whole.len()).step_by(16) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(open(&source).is_err());
    }
}

const SQL: &str = "create table drugs (code text, name text, year integer); \
                   insert into drugs values ('H20050001', 'Aspirin', 2005), ('Z20060002', null, 2006);";

#[test]
fn sqlite_is_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("register.db").display().to_string();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(SQL).unwrap();
    check_drugs(&open(&path).unwrap());
    connection.execute_batch("create view \"new drugs\" as select * from drugs where year > 2005").unwrap();
    check_drugs(&open(&format!("{path}#Drugs")).unwrap());
    assert_eq!(rows(&open(&format!("{path}#new drugs")).unwrap()), ["Z20060002|-|2006"]);
    assert_eq!(rows(&open(&format!("{path}#select year, 1.5 from drugs limit 1")).unwrap()), ["2005|1.5"]);
    assert_eq!(
        told(&open(&path).unwrap_err()),
        "`register.db` has 2 tables, and none was named; write register.db#TABLE; it has drugs, new drugs"
    );
    assert_eq!(
        told(&open(&format!("{path}#drug")).unwrap_err()),
        "`register.db` has no table `drug`; did you mean `drugs`? it has drugs, new drugs"
    );
    let wrong = open(&format!("{path}#select price from drugs")).unwrap_err();
    assert!(wrong.to_string().contains("no such column: price"), "{wrong}");
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n";
    let bounded =
        Reference::open(&Source::from(format!("{path}#{endless}").as_str()), &Options::default().with_rows(99));
    assert!(matches!(bounded, Err(Error::TooLarge { .. })));
    // A query reads; one that would write does nothing.
    let _ = open(&format!("{path}#with old as (select 1) delete from drugs returning code"));
    check_drugs(&open(&format!("{path}#drugs")).unwrap());
}

#[test]
fn postgres_is_the_same_table() {
    let Ok(server) = std::env::var("WINDROW_POSTGRES") else {
        eprintln!("not tested on PostgreSQL: WINDROW_POSTGRES is not set");
        return;
    };
    let name = format!("windrow_audit_{}", std::process::id());
    let mut client = postgres::Client::connect(&format!("{server}/postgres"), postgres::NoTls).unwrap();
    client.batch_execute(&format!("create database {name}")).unwrap();
    let address = format!("{server}/{name}");
    let result = std::panic::catch_unwind(|| check_postgres(&address));
    client.batch_execute(&format!("drop database {name} with (force)")).unwrap();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn check_postgres(address: &str) {
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    client.batch_execute(SQL).unwrap();
    check_drugs(&open(address).unwrap());
    client.batch_execute("create schema old; create table old.drugs as select * from drugs where year < 2006").unwrap();
    check_drugs(&open(&format!("{address}#drugs")).unwrap());
    assert_eq!(rows(&open(&format!("{address}#old.drugs")).unwrap()), ["H20050001|Aspirin|2005"]);
    let types = "select 1.50::numeric, date '2005-01-31', true, array[1, 2] from drugs limit 1";
    assert_eq!(rows(&open(&format!("{address}#{types}")).unwrap()), ["1.50|2005-01-31|t|{1,2}"]);
    let many = open(&format!("{address}#select i from generate_series(1, 2500) i")).unwrap();
    assert_eq!((many.rows(), many.value(2499, 0)), (2500, Some("2500")));
    let unknown = open(&format!("{address}#drug")).unwrap_err();
    let Error::Table { near, known, .. } = &unknown else { panic!("{unknown}") };
    assert_eq!((near.as_deref(), known.as_slice()), (Some("drugs"), &["drugs".to_owned(), "old.drugs".to_owned()][..]));
    assert!(matches!(open(address), Err(Error::WhichTable { .. })));
    let wrong = open(&format!("{address}#select price from drugs")).unwrap_err();
    assert!(wrong.to_string().contains("column \"price\" does not exist"), "{wrong}");
    // A query reads, and is one statement.
    for writes in ["with gone as (delete from drugs returning 1) select * from gone", "select 1; delete from drugs"] {
        assert!(matches!(open(&format!("{address}#{writes}")), Err(Error::Query { .. })));
    }
    check_drugs(&open(&format!("{address}#drugs")).unwrap());
    let elsewhere = open("postgres://me:secret@127.0.0.1:1/none#drugs").unwrap_err();
    assert!(matches!(elsewhere, Error::Database { .. }) && !elsewhere.to_string().contains("secret"));
}
