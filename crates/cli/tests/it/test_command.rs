//! `windrow test`: saved pages against what is expected of them.

use expect_test::expect;

use crate::{Folder, windrow, windrow_on};

const RULES: &str =
    "[list.ads]\nrecords = 'li'\nfield = { title = 'b', price = { css = 'i', type = 'number', optional = true } }\n";

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("w.toml", RULES)
        .with("p/a.html", "<li><b>Rake</b><i>340</i><li><b>Twine</b><i>55</i>")
        .with("p/b.html", "<li><b>Wagon</b>")
}

#[test]
fn expectations_are_written_then_met_then_missed() {
    let folder = folder("test");
    let (rules, pages) = (folder.path("w.toml"), folder.path("p"));
    let test = |arguments: &[&str]| {
        let run = windrow(&[&["test", "-w", &rules, &pages], arguments].concat());
        (run.code, folder.hide(&run.stdout), folder.hide(&run.stderr))
    };
    let (code, stdout, stderr) = test(&[]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    expect![[r#"
        test::no_expectation

          × nothing is expected of `DIR/p/a.html`: there is no `DIR/p/a.json`
          help: --update writes what is found now; read it before you keep it
        test::no_expectation

          × nothing is expected of `DIR/p/b.html`: there is no `DIR/p/b.json`
          help: --update writes what is found now; read it before you keep it
    "#]]
    .assert_eq(&stderr);

    let (code, stdout, _) = test(&["--update"]);
    assert_eq!((code, stdout.as_str()), (Some(0), "wrote DIR/p/a.json\nwrote DIR/p/b.json\n0 unchanged, 2 written\n"));
    expect![[r#"
        {
          "ads": [
            {
              "title": "Wagon",
              "price": null
            }
          ]
        }
    "#]]
    .assert_eq(&folder.read("p/b.json"));

    let (code, stdout, stderr) = test(&[]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(stdout, "ok   DIR/p/a.html\nok   DIR/p/b.html\n2 passed, 0 failed\n");

    std::fs::write(folder.0.join("p/a.html"), "<li><b>Rake</b><li><b>Twine</b><i>56</i><li><b>New</b>").unwrap();
    let (code, stdout, stderr) = test(&[]);
    assert_eq!((code, stderr.as_str()), (Some(1), ""));
    expect![[r#"
        FAIL DIR/p/a.html
             ads: expected 2 records, found 3
             ads[0].price: expected 340, found null
             ads[1].price: expected 55, found 56
             ads[2]: not expected, found {"title":"New","price":null}
        ok   DIR/p/b.html
        1 passed, 1 failed
    "#]]
    .assert_eq(&stdout);

    let (code, stdout, _) = test(&["--update"]);
    let updated = "changed DIR/p/a.json\nok   DIR/p/b.html\n1 unchanged, 1 written\n";
    assert_eq!((code, stdout.as_str()), (Some(0), updated));
    assert_eq!(test(&[]).0, Some(0));
}

#[test]
fn what_cannot_be_tested() {
    let folder = folder("untestable")
        .with("p/a.json", "{")
        .with("p/b.json", "{\"ads\": [{\"title\": \"Wagon\", \"price\": null}]}");
    let run = windrow(&["test", "-w", &folder.path("w.toml"), &folder.path("p")]);
    assert_eq!(run.code, Some(2));
    assert_eq!(folder.hide(&run.stdout), "ok   DIR/p/b.html\n1 passed, 0 failed\n");
    expect![[r#"
        test::not_json

          × what is expected is not JSON: `DIR/p/a.json`: EOF while parsing an object at line 1 column 1
          help: --update writes it anew
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    let run = windrow_on(b"<li>", &["test", "-w", &folder.path("w.toml"), "-"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("test::no_file"), "{}", run.stderr);
}
