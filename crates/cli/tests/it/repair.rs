//! Wrappers mended from what was kept: `repair` and `watch`.

use expect_test::expect;

use crate::{Folder, windrow};

fn text(path: &str) -> String {
    std::fs::read_to_string(crate::root().join(path)).unwrap()
}

/// A page, its wrapper and its store, of the day before it was redesigned.
fn kept(name: &str) -> Folder {
    let folder = Folder::new(name)
        .with("ads.html", &text("testdata/pages/ads/page-1.html"))
        .with("offers.toml", &text("testdata/wrappers/ads/offers.toml"));
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let run = windrow(&["extract", "-w", &rules, &page, "--into", &store, "--quiet"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder
}

fn redesign(folder: &Folder) {
    std::fs::write(folder.path("ads.html"), text("testdata/redesigned/ads.html")).unwrap();
}

fn titles(folder: &Folder, rules: &str) -> String {
    let run = windrow(&["extract", "-w", &folder.path(rules), &folder.path("ads.html"), "--format", "csv", "--quiet"]);
    folder.hide(&run.stdout)
}

const MENDED: &str = r#"page,title,price,price.currency,tags
DIR/ads.html,"Two-wheel rake, hardly used",340,EUR,rakes; hay
DIR/ads.html,"Baler twine, 12 rolls",50,EUR,hay
DIR/ads.html,"Drum mower, 1.65 m",890,EUR,mowers
DIR/ads.html,Old hay wagon,,,
"#;

#[test]
fn a_redesigned_page_is_mended_from_the_store() {
    let folder = kept("repair-store");
    redesign(&folder);
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let before = folder.read("offers.toml");
    let shown = windrow(&["repair", &rules, &page, "--store", &store]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.starts_with("--- "), "{}", shown.stdout);
    assert!(shown.stdout.contains("\n-title = \"h2/a\"\n"), "{}", shown.stdout);
    assert_eq!(folder.read("offers.toml"), before, "nothing is written unless it is asked for");
    expect![[r#"
        offers: new rule; 4 records, 3 of 3 known ones among them
          title: new rule; 3 of 3 values as known
          price: new rule; 1 of 2 values as known
          tags: new rule; 4 records, 3 of 3 known ones among them
        nothing was written: --write changes the file, -o FILE makes another
    "#]]
    .assert_eq(&shown.stderr);

    let written = windrow(&["repair", &rules, &page, "--store", &store, "--write", "--quiet"]);
    assert_eq!((written.code, written.stderr.as_str()), (Some(0), ""));
    assert_eq!(titles(&folder, "offers.toml"), MENDED);
    assert!(folder.read("offers.toml").starts_with("# One list and nothing beside it.\n"), "comments stay");
    let versions = windrow(&["versions", &store]).stdout;
    assert!(versions.contains("2  2025-11-16T09:00:00Z  repaired, in use"), "{versions}");
    let again = windrow(&["repair", &rules, &page, "--store", &store]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""));
    assert!(again.stderr.contains("there is nothing to mend"), "{}", again.stderr);
}

#[test]
fn a_page_saved_under_another_name_is_known_by_what_is_on_it() {
    let folder = kept("repair-name").with("saved.html", &text("testdata/redesigned/ads.html"));
    // Other pages of the same list, with other records.
    let other = text("testdata/pages/ads/page-1.html").replace("/ad/1", "/ad/2").replace("hay", "straw");
    let folder = folder.with("other.html", &other.replace("rake", "plough").replace("Baler twine", "Fence wire"));
    let store = folder.path("ads.db");
    let rules = folder.path("offers.toml");
    assert_eq!(windrow(&["extract", "-w", &rules, &folder.path("other.html"), "--into", &store]).code, Some(0));
    let run = windrow(&["repair", &rules, &folder.path("saved.html"), "--store", &store]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("offers: new rule; 4 records, 3 of 3 known"), "{}", run.stderr);
}

#[test]
fn a_saved_page_stands_in_for_a_store() {
    let folder = kept("repair-before").with("new.html", &text("testdata/redesigned/ads.html"));
    let (rules, new, out) = (folder.path("offers.toml"), folder.path("new.html"), folder.path("mended.toml"));
    let run = windrow(&["repair", &rules, &new, "--before", &folder.path("ads.html"), "-o", &out]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    redesign(&folder);
    assert_eq!(titles(&folder, "mended.toml"), MENDED);
}

#[test]
fn a_page_without_the_list_is_refused() {
    let folder = kept("repair-gone");
    let gone = "<title>Barn &amp; Field</title><h1>Closed</h1><ul><li>Rakes<li>Hay<li>Wagons</ul><p>We are moving.";
    std::fs::write(folder.path("ads.html"), gone).unwrap();
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let run = windrow(&["repair", &rules, &page, "--store", &store, "--write"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("not mended: "), "{}", run.stderr);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
    assert_eq!(folder.read("offers.toml"), text("testdata/wrappers/ads/offers.toml"));
}

#[test]
fn a_watch_keeps_tells_and_mends() {
    let folder = kept("watch");
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let watch = |more: &[&str]| {
        let run = windrow(&[&["watch", &rules, &page, "--into", &store, "--times", "1"], more].concat());
        (run.code, folder.hide(&run.stdout))
    };
    let well = "2025-11-16T09:00:00Z kept in DIR/ads.db: 1 page unchanged\n";
    assert_eq!(watch(&[]), (Some(0), well.to_owned()));
    redesign(&folder);
    let (code, told) = watch(&["--quiet"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("offers has no records; before, it had 3\n"), "{told}");
    let alarm = folder.path("alarm.txt");
    let (code, told) = watch(&["--repair", "--repair-after", "1", "--alarm", &format!("cat > {alarm}")]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("- title: Baler twine, 12 rolls | Baler twine, 12 rolls\n"), "{told}");
    assert!(
        told.contains("  to go back: windrow versions DIR/ads.db offers --put-back 1 -o DIR/offers.toml\n"),
        "{told}"
    );
    assert!(told.contains("DIR/offers.toml: mended\n"), "{told}");
    assert!(folder.hide(&folder.read("alarm.txt")).contains("DIR/offers.toml: mended\n"));
    assert_eq!(titles(&folder, "offers.toml"), MENDED);
    assert_eq!(watch(&[]).0, Some(0));
}

#[test]
fn a_mended_wrapper_runs_beside_the_old_one_first() {
    let folder = kept("watch-shadow");
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let watch = || {
        let run = windrow(&["watch", &rules, &page, "--into", &store, "--times", "1", "--repair"]);
        (run.code, folder.hide(&run.stdout))
    };
    let old = folder.read("offers.toml");
    let change = |from: &str, to: &str| std::fs::write(&page, folder.read("ads.html").replace(from, to)).unwrap();
    redesign(&folder);
    let beside = |runs: u32| format!("DIR/offers.mended.toml runs beside DIR/offers.toml: {runs} of 3 runs");
    let (code, told) = watch();
    assert_eq!(code, Some(1));
    assert!(told.contains(&beside(1)), "{told}");
    // A page that is as it was proves nothing.
    assert!(!watch().1.contains("2 of 3"));
    change("340", "345");
    let told = watch().1;
    assert!(told.contains(&beside(2)), "{told}");
    assert_eq!(folder.read("offers.toml"), old);
    change("345", "350");
    let (code, told) = watch();
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("the mended wrapper is in use now"), "{told}");
    assert_eq!(titles(&folder, "offers.toml"), MENDED.replace("340", "350"));
    assert!(!std::path::Path::new(&folder.path("offers.mended.toml")).exists());
    assert!(!std::path::Path::new(&folder.path("offers.mended.db")).exists());
}

#[test]
fn a_mended_wrapper_that_breaks_itself_is_dropped() {
    let folder = kept("watch-shadow-dropped");
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let watch = || windrow(&["watch", &rules, &page, "--into", &store, "--times", "1", "--repair"]).stdout;
    redesign(&folder);
    watch();
    std::fs::write(&page, "<h1>Closed</h1><p>We are moving.").unwrap();
    let told = watch();
    assert!(told.contains("dropped, it does not agree with what it found before"), "{told}");
    assert!(!std::path::Path::new(&folder.path("offers.mended.toml")).exists());
}

#[test]
fn a_watch_goes_on_when_a_page_cannot_be_had() {
    let folder = kept("watch-missing");
    let (rules, store) = (folder.path("offers.toml"), folder.path("ads.db"));
    let missing = folder.path("none.html");
    let run = windrow(&["watch", &rules, &missing, "--into", &store, "--times", "2", "--every", "0s"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stdout.matches("1 page failed").count(), 2, "{}", run.stdout);
}

#[test]
fn a_watch_says_what_changed_and_the_alarm_can_choose() {
    let folder = kept("watch-changes");
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let (alarm, command) = (folder.path("alarm.txt"), format!("cat > {}", folder.path("alarm.txt")));
    let watch = |more: &[&str]| {
        let _ = std::fs::remove_file(&alarm);
        let run =
            windrow(&[&["watch", &rules, &page, "--into", &store, "--times", "1", "--alarm", &command], more].concat());
        let rung = std::fs::read_to_string(&alarm).ok().map(|text| folder.hide(&text));
        (run.code, folder.hide(&run.stdout), rung)
    };
    let change = |from: &str, to: &str| std::fs::write(&page, folder.read("ads.html").replace(from, to)).unwrap();
    assert_eq!(watch(&[]).2, None, "nothing changed");
    change("€ 340", "€ 320");
    let (code, told, rung) = watch(&[]);
    assert_eq!(code, Some(0), "{told}");
    let changes = "offers:\n  changes in the last run: 1 changed\n    changed: offers «Two-wheel rake, hardly used»: price 340 EUR → 320 EUR\n";
    assert!(told.ends_with(changes), "{told}");
    assert_eq!(rung.as_deref(), Some(changes));
    change("€ 320", "€ 310");
    assert_eq!(watch(&["--alarm-on", "broken"]).2, None);
    change("€ 310", "€ 300");
    assert!(watch(&["--alarm-on", "changes", "--quiet"]).2.is_some_and(|rung| rung.contains("310 EUR → 300 EUR")));
    // All lists are lost; nothing of the records changed.
    redesign(&folder);
    assert_eq!(watch(&["--alarm-on", "changes"]).2, None);
    let (code, _, rung) = watch(&["--alarm-on", "broken"]);
    assert_eq!(code, Some(1));
    assert!(rung.is_some_and(|rung| rung.contains("offers has no records; before, it had 3")));
}

#[test]
fn a_watch_tells_what_is_broken_once() {
    let folder = kept("watch-once");
    redesign(&folder);
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let (alarm, every) = (format!("echo rung >> {}", folder.path("alarm.txt")), ["--times", "3", "--every", "0s"]);
    let run = windrow(&[&["watch", &rules, &page, "--into", &store, "--alarm", &alarm][..], &every].concat());
    assert_eq!(run.code, Some(1));
    assert_eq!(folder.read("alarm.txt"), "rung\n");
    assert_eq!(run.stdout.matches("has no records").count(), 1, "{}", run.stdout);
}
