//! Domains: pages of any site read by a domain's words, in every format; domains listed, printed and tried.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::{Folder, check, check_error, windrow, windrow_on};

const SPRAY: &str = "testdata/domain/drugstore/nasal-spray.html";
const CHINESE: &str = "testdata/domain/drugstore/yaodian.html";
const OFFERS: &str = "testdata/domain/drugstore/allergy.html";
const PROSE: &str = "testdata/domain/drugstore/about.html";
const RAKE: &str = "testdata/domain/hay-rake.html";

/// Few roles, one inherited from a file beside it.
const RAKES: &str = "name = 'rakes'\nextends = 'tools'\n[role.tines]\nkeywords = ['number of tines']\nvalue = '\\d'\n";
const TOOLS: &str = "[role.price]\nkeywords = ['price']\nvalue = '\\d'\ntype = 'money'\n\
                     [role.colour]\nkeywords = ['colour']\n[role.model]\nkeywords = ['model']\n\
                     [role.brand]\nkeywords = ['brand']\n[role.weight]\nkeywords = ['weight']\n";

fn rakes(name: &str) -> Folder {
    Folder::new(name).with("rakes.toml", RAKES).with("tools.toml", TOOLS)
}

/// Checks both streams of a run that finds something.
#[track_caller]
fn check_both(arguments: &[&str], expected: &Expect) {
    let run = windrow(arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    expected.assert_eq(&(run.stdout + &run.stderr));
}

#[test]
fn a_medicine_in_english() {
    check_both(
        &["extract", "--domain", "drugs", SPRAY, "--format", "table"],
        &expect![[r#"
        ┌──────────────────┬───────────────────────────────────────────────────────┐
        │ proprietary_name ┆ Clearmeadow Nasal Spray                               │
        │ generic_name     ┆ xylometazoline                                        │
        │ suggested_price  ┆ 12.5 USD                                              │
        │ discount_price   ┆ 9.95 USD                                              │
        │ manufacturer     ┆ Weir & Veit Ltd.                                      │
        │ availability     ┆ Usually ships the same day                            │
        │ package          ┆ 10 ml                                                 │
        │ ingredients      ┆ Xylometazoline hydrochloride 0.1 %, sea water.        │
        │ indications      ┆ For a blocked nose in hay fever and colds.            │
        │ warnings         ┆ Do not use for more than seven days.                  │
        │ dosage           ┆ One spray into each nostril, up to three times a day. │
        └──────────────────┴───────────────────────────────────────────────────────┘
        testdata/domain/drugstore/nasal-spray.html: data-rich, 1 record, 11 pairs
    "#]],
    );
}

#[test]
fn a_medicine_in_chinese() {
    check_both(
        &["extract", "--domain", "drugs", CHINESE, "--format", "table"],
        &expect![[r#"
        ┌─────────────────────┬──────────────────────────┐
        │ proprietary_name    ┆ 草原鼻炎片               │
        │ generic_name        ┆ 鼻炎片                   │
        │ authentication_code ┆ 国药准字Z20259999        │
        │ suggested_price     ┆ 18 CNY                   │
        │ discount_price      ┆ 15.5 CNY                 │
        │ manufacturer        ┆ 田边药业有限公司         │
        │ package             ┆ 0.5克×24片               │
        │ ingredients         ┆ 苍耳子、辛夷、防风。     │
        │ indications         ┆ 用于急慢性鼻炎。         │
        │ dosage              ┆ 口服，一次3片，一日3次。 │
        │ side_effects        ┆ 尚不明确。               │
        └─────────────────────┴──────────────────────────┘
        testdata/domain/drugstore/yaodian.html: data-rich, 1 record, 11 pairs
    "#]],
    );
}

#[test]
fn roles_without_a_value_are_left_out_of_json_and_lists_are_arrays() {
    check_both(
        &["extract", "--domain", "product", RAKE, "--format", "jsonl"],
        &expect![[r#"
            {"page":"testdata/domain/hay-rake.html","data":{"records":[{"name":"Meadow Rake MR-12","brand":"Meadow","model":"MR-12","sku":"BF-3312","gtin":"4006381333931","price":{"amount":5.99,"currency":"USD"},"currency":"USD","color":["Green","Red"],"weight":"1.4 kg","material":"Ash and steel","warranty":"5 years"}]},"confidence":{"records":[{"name":0.97,"brand":1.00,"model":0.99,"sku":0.85,"gtin":0.85,"price":0.93,"currency":0.85,"color":0.99,"weight":1.00,"material":0.99,"warranty":0.99}]}}
            testdata/domain/hay-rake.html: data-rich, 1 record, 11 pairs
            note: testdata/domain/hay-rake.html: price: the page shows "$5.99", its JSON-LD says "4.99"
        "#]],
    );
    check_both(
        &["extract", "--domain", "product", RAKE, "--format", "jsonl", "--raw", "-q"],
        &expect![[r#"
            {"page":"testdata/domain/hay-rake.html","data":{"records":[{"name":"Meadow Rake MR-12","brand":"Meadow","model":"MR-12","sku":"BF-3312","gtin":"4006381333931","price":"$5.99","currency":"USD","color":["Green","Red"],"weight":"1.4 kg","material":"Ash and steel","warranty":"5 years"}]},"confidence":{"records":[{"name":0.97,"brand":1.00,"model":0.99,"sku":0.85,"gtin":0.85,"price":0.93,"currency":0.85,"color":0.99,"weight":1.00,"material":0.99,"warranty":0.99}]}}
        "#]],
    );
}

#[test]
fn csv_has_a_column_for_every_role_of_the_domain() {
    let folder = rakes("domain-csv");
    check(
        &["extract", "-q", "--domain", &folder.path("rakes.toml"), RAKE, "--format", "csv"],
        &expect![[r#"
        page,title,price,price.currency,colour,model,brand,weight,tines
        testdata/domain/hay-rake.html,Meadow Rake MR-12,5.99,USD,Green; Red,MR-12,Meadow,1.4 kg,12
    "#]],
    );
}

#[test]
fn files_in_a_directory_are_linked() {
    let folder = rakes("domain-csv-dir");
    let directory = folder.path("out");
    let run = windrow(&["extract", "-q", "--domain", &folder.path("rakes.toml"), RAKE, "--csv-dir", &directory]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    expect![[r#"
        page,_id,_parent,title,price,price.currency,colour,model,brand,weight,tines
        testdata/domain/hay-rake.html,1,1,Meadow Rake MR-12,5.99,USD,Green; Red,MR-12,Meadow,1.4 kg,12
    "#]]
    .assert_eq(&folder.read("out/records.csv"));
}

#[test]
fn a_list_where_one_value_is_expected_is_shown_in_xml_and_oem() {
    let folder = rakes("domain-xml");
    let domain = folder.path("rakes.toml");
    check(
        &["extract", "-q", "--domain", &domain, RAKE, "--format", "xml"],
        &expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <windrow>
          <page name="testdata/domain/hay-rake.html">
            <records>
              <title>Meadow Rake MR-12</title>
              <price currency="USD" type="money">5.99</price>
              <colour>Green</colour>
              <colour>Red</colour>
              <model>MR-12</model>
              <brand>Meadow</brand>
              <weight>1.4 kg</weight>
              <tines>12</tines>
            </records>
          </page>
        </windrow>
    "#]],
    );
    check(
        &["extract", "-q", "--domain", &domain, RAKE, "--format", "oem"],
        &expect![[r#"
        records complex {
          title string "Meadow Rake MR-12"
          price money 5.99 USD
          colour string "Green"
          colour string "Red"
          model string "MR-12"
          brand string "Meadow"
          weight string "1.4 kg"
          tines string "12"
        }
    "#]],
    );
}

#[test]
fn a_page_without_data_has_no_record_and_ends_with_1() {
    let run = windrow(&["extract", "--domain", "drugs", PROSE]);
    assert_eq!(run.code, Some(1));
    expect![[r#"
        {"page":"testdata/domain/drugstore/about.html","data":{"records":[]},"confidence":{"records":[]}}
        testdata/domain/drugstore/about.html: neither, no record
    "#]]
    .assert_eq(&(run.stdout + &run.stderr));
    let quiet = windrow(&["extract", "--domain", "drugs", PROSE, "--quiet"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(1), ""));
}

#[test]
fn a_page_of_links_to_records_offers_them_and_has_none() {
    let run = windrow(&["extract", "--domain", "drugs", OFFERS, "--explain"]);
    assert_eq!(run.code, Some(1));
    expect![[r#"
        testdata/domain/drugstore/allergy.html: link offer, no record
          nodes by entropy (9 computed, 10 passed over)
            H 1.0000  link offer, 2 roles  at /html[1]/body[1]/ul[1]
    "#]]
    .assert_eq(&(run.stdout + &run.stderr));
}

#[test]
fn an_explanation_says_how_each_value_was_found() {
    check_both(
        &["extract", "--domain", "product", RAKE, "--explain"],
        &expect![[r#"
            testdata/domain/hay-rake.html: data-rich, 1 record, 11 pairs
              nodes by entropy (5 computed, 13 passed over)
                H 2.8464  data-rich, 7 roles  at /html[1]/body[1]
              record 1: H 2.8464  at /html[1]/body[1]
                name "Meadow Rake MR-12"  as the title, 97 %  at /html[1]/body[1]/h1[1]/text()[1]
                brand "Meadow"  by label "Brand", in the next cell, 100 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]/text()[1]
                model "MR-12"  by label "Model", in the next cell, 99 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[1]/text()[1]
                sku "BF-3312"  by JSON-LD alone, 85 %  at /html[1]/head[1]/script[1]
                gtin "4006381333931"  by JSON-LD alone, 85 %  at /html[1]/head[1]/script[1]
                price "$5.99"  by label "Price", in its line, 93 %  at /html[1]/body[1]/p[1]/span[1]/text()[1]
                currency "USD"  by JSON-LD alone, 85 %  at /html[1]/head[1]/script[1]
                color "Green" "Red"  by label "Colour", in the next cell, 99 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[5]/td[1]/a[1]/text()[1]
                weight "1.4 kg"  by label "Weight", in the next cell, 100 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[4]/td[1]/text()[1]
                material "Ash and steel"  by label "Material", in the next cell, 99 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[1]/text()[1]
                warranty "5 years"  by label "Warranty", in the next cell, 99 %  at /html[1]/body[1]/table[1]/tbody[1]/tr[7]/td[1]/text()[1]
              conflict: price: the page shows "$5.99", its JSON-LD says "4.99"
        "#]],
    );
}

#[test]
fn an_explanation_for_programs_says_the_same() {
    for format in ["json", "jsonl"] {
        let run = windrow(&["extract", "--domain", "product", RAKE, "--explain", "--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let value: Value = serde_json::from_str(&run.stdout).unwrap();
        let page = if format == "json" { &value[0] } else { &value };
        assert_eq!(page["class"], "data-rich");
        let pairs = page["records"][0]["pairs"].as_array().unwrap();
        let pair = |role: &str| pairs.iter().find(|pair| pair["role"] == role).unwrap();
        assert_eq!(pair("weight")["label"]["text"], "Weight");
        assert_eq!(pair("weight")["layout"], "cell");
        assert_eq!(pair("weight")["values"][0]["text"], "1.4 kg");
        assert_eq!(pair("gtin")["evidence"], "structured");
        assert_eq!(pair("gtin")["syntax"], "json-ld");
        assert_eq!(pair("color")["values"].as_array().map(Vec::len), Some(2));
        assert_eq!(page["conflicts"][0]["role"], "price");
        assert_eq!(page["conflicts"][0]["seen"], "$5.99");
        assert_eq!(page["conflicts"][0]["said"], "4.99");
        assert_eq!(page["nodes"][0]["kind"], "data-rich");
    }
}

#[test]
fn pages_are_printed_in_their_order_whatever_the_threads() {
    let arguments = ["extract", "--domain", "drugs", "testdata/domain/drugstore"];
    let one = windrow(&[&arguments[..], &["-j", "1"]].concat());
    assert_eq!((one.code, one.stdout.lines().count()), (Some(0), 4), "{}", one.stderr);
    assert_eq!(one, windrow(&[&arguments[..], &["-j", "4"]].concat()));
}

#[test]
fn pages_of_archives_are_read() {
    let run = windrow(&["extract", "--domain", "product", "testdata/archives/barn.warc.gz"]);
    assert!(run.stdout.lines().count() > 1, "{}", run.stderr);
    assert!(run.stdout.lines().all(|line| line.starts_with("{\"page\":\"http")), "{}", run.stdout);
}

#[test]
fn the_domain_may_come_from_standard_input() {
    let run = windrow_on(TOOLS.as_bytes(), &["extract", "-q", "--domain", "-", RAKE]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("\"weight\":\"1.4 kg\""), "{}", run.stdout);
}

#[test]
fn standard_input_is_read_once() {
    let run = windrow_on(TOOLS.as_bytes(), &["extract", "--domain", "-", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        extract::standard_input_twice

          × standard input (`-`) can be read only once, and the domain is to be read from it
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn a_domain_that_is_not_there() {
    check_error(
        &["extract", "--domain", "drug", SPRAY],
        &expect![[r#"
        domain::not_found

          × there is no domain `drug`, neither a file nor one that comes along
          help: did you mean `drugs`? those that come along: book, camera, car, cosmetics, drugs, health-food, job, movie, person, player, product, recipe, restaurant, university
    "#]],
    );
    check_error(
        &["extract", "--domain", "words/whatever.toml", SPRAY],
        &expect![[r#"
        domain::not_found

          × there is no domain `words/whatever.toml`, neither a file nor one that comes along
          help: those that come along: book, camera, car, cosmetics, drugs, health-food, job, movie, person, player, product, recipe, restaurant, university
    "#]],
    );
}

#[test]
fn one_of_wrapper_and_domain_is_wanted() {
    check_error(
        &["extract", SPRAY],
        &expect![[r#"
            error: the following required arguments were not provided:
              <--wrapper <FILE>|--domain <DOMAIN>>

            Usage: windrow extract [OPTIONS] -w <FILE> [<PAGE>...]
                   windrow extract [OPTIONS] --domain <DOMAIN> <PAGE>...

            For more information, try '--help'.
        "#]],
    );
    check_error(
        &["extract", "-w", "x.toml", "--domain", "drugs", SPRAY],
        &expect![[r#"
            error: the argument '--wrapper <FILE>' cannot be used with '--domain <DOMAIN>'

            Usage: windrow extract [OPTIONS] -w <FILE> [<PAGE>...]
                   windrow extract [OPTIONS] --domain <DOMAIN> <PAGE>...

            For more information, try '--help'.
        "#]],
    );
    check_error(
        &["extract", "--domain", "drugs"],
        &expect![[r#"
            error: the following required arguments were not provided:
              <PAGE>...

            Usage: windrow extract [OPTIONS] -w <FILE> [<PAGE>...]
                   windrow extract [OPTIONS] --domain <DOMAIN> <PAGE>...

            For more information, try '--help'.
        "#]],
    );
}

#[test]
fn the_errors_of_a_domain_are_drawn_where_they_stand() {
    let folder = Folder::new("domain-errors")
        .with("bad.toml", "[role.price]\nkeyword = ['price']\n\n[role.size]\nkeywords = ['size']\nvalue = '(\\d'\n");
    let run = windrow(&["extract", "--domain", &folder.path("bad.toml"), RAKE]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        domain::unknown_key

          × unknown key `keyword` in a role
           ╭─[DIR/bad.toml:2:1]
         1 │ [role.price]
         2 │ keyword = ['price']
           · ───┬───
           ·    ╰── no such key here
         3 │ 
           ╰────
          help: did you mean `keywords`?

        domain::bad_pattern

          × the value pattern of `size` is wrong: unclosed group
           ╭─[DIR/bad.toml:6:10]
         5 │ keywords = ['size']
         6 │ value = '(\d'
           ·          ┬
           ·          ╰── here
           ╰────
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn what_is_extended_is_beside_the_file_and_nowhere_else() {
    let folder = Folder::new("domain-extends")
        .with("tools.toml", TOOLS)
        .with("below/rakes.toml", &RAKES.replace("'tools'", "'../tools'"));
    let run = windrow(&["domain", "show", &folder.path("below/rakes.toml")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        domain::unknown_domain

          × there is no domain `../tools` to extend
           ╭─[DIR/below/rakes.toml:2:11]
         1 │ name = 'rakes'
         2 │ extends = '../tools'
           ·           ─────┬────
           ·                ╰── not found
         3 │ [role.tines]
           ╰────
          help: a file beside this one, or one of those that come along: book, camera, car, cosmetics, drugs, health-food, job, movie, person, player, product, recipe, restaurant, university
    "#]].assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn the_domains_that_come_along_are_listed() {
    check(
        &["domain", "list"],
        &expect![[r#"
            ┌─────────────┬───────┬──────────┬─────────────────────────────────────────────┐
            │ name        ┆ roles ┆ keywords ┆ description                                 │
            ╞═════════════╪═══════╪══════════╪═════════════════════════════════════════════╡
            │ book        ┆    31 ┆      399 ┆ Books on sale or in a catalogue.            │
            │ camera      ┆    68 ┆      729 ┆ Cameras for sale, with their data sheets.   │
            │ car         ┆    49 ┆      517 ┆ Cars, new and used, with their data sheets. │
            │ cosmetics   ┆    23 ┆      366 ┆ Cosmetics and body care on sale.            │
            │ drugs       ┆    19 ┆      451 ┆ Medicines on sale, and their leaflets.      │
            │ health-food ┆    20 ┆      331 ┆ Health food and dietary supplements.        │
            │ job         ┆    23 ┆      421 ┆ Jobs on offer.                              │
            │ movie       ┆    29 ┆      354 ┆ Films and series, and who made them.        │
            │ person      ┆    29 ┆      301 ┆ People, their lives and how to reach them.  │
            │ player      ┆    30 ┆      266 ┆ Players of team sports, with their figures. │
            │ product     ┆    36 ┆      450 ┆ Things for sale, with their specifications. │
            │ recipe      ┆    16 ┆      807 ┆ Recipes, with their ingredients and steps.  │
            │ restaurant  ┆    24 ┆      252 ┆ Restaurants, cafés and bars.                │
            │ university  ┆    40 ┆      333 ┆ Universities and colleges.                  │
            └─────────────┴───────┴──────────┴─────────────────────────────────────────────┘
        "#]],
    );
    let run = windrow(&["domain", "list", "--format", "json"]);
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    let drugs = list.as_array().unwrap().iter().find(|domain| domain["name"] == "drugs").unwrap();
    assert!(drugs["roles"].as_array().unwrap().contains(&Value::from("dosage")), "{drugs}");
}

#[test]
fn a_domain_is_printed_with_what_it_extends() {
    let folder = rakes("domain-show");
    check(
        &["domain", "show", &folder.path("rakes.toml")],
        &expect![[r#"
        name = "rakes"

        [role.price]
        keywords = ["price"]
        value = '\d'
        type = "money"

        [role.colour]
        keywords = ["colour"]

        [role.model]
        keywords = ["model"]

        [role.brand]
        keywords = ["brand"]

        [role.weight]
        keywords = ["weight"]

        [role.tines]
        keywords = ["number of tines"]
        value = '\d'
    "#]],
    );
}

#[test]
fn a_printed_domain_reads_pages_as_the_domain_does() {
    let shown = windrow(&["domain", "show", "product"]);
    let folder = Folder::new("domain-again").with("again.toml", &shown.stdout);
    let again = windrow(&["extract", "--domain", &folder.path("again.toml"), RAKE]);
    assert_eq!(again, windrow(&["extract", "--domain", "product", RAKE]));
}

#[test]
fn a_domain_is_tried_on_pages() {
    check_both(
        &["domain", "check", "drugs", "testdata/domain/drugstore"],
        &expect![[r#"
            drugs on 4 pages: 2 data-rich, 1 link offer, 1 neither; 2 records
            ┌─────────────────────┬───────┬───────┬───────┬────────────────────────┐
            │ role                ┆ pages ┆ label ┆ title ┆ labels                 │
            ╞═════════════════════╪═══════╪═══════╪═══════╪════════════════════════╡
            │ proprietary_name    ┆     2 ┆       ┆     2 ┆                        │
            │ generic_name        ┆     2 ┆     2 ┆       ┆ Generic name, 通用名称 │
            │ authentication_code ┆     1 ┆     1 ┆       ┆ 批准文号               │
            │ suggested_price     ┆     2 ┆     2 ┆       ┆ Retail price, 市场价   │
            │ discount_price      ┆     2 ┆     2 ┆       ┆ Our price, 会员价      │
            │ manufacturer        ┆     2 ┆     2 ┆       ┆ Manufacturer, 生产企业 │
            │ availability        ┆     1 ┆     1 ┆       ┆ Availability           │
            │ package             ┆     2 ┆     2 ┆       ┆ Package, 规格          │
            │ ingredients         ┆     2 ┆     2 ┆       ┆ Ingredients, 成份      │
            │ indications         ┆     2 ┆     2 ┆       ┆ Indications, 功能主治  │
            │ warnings            ┆     1 ┆     1 ┆       ┆ Warnings               │
            │ dosage              ┆     2 ┆     2 ┆       ┆ Dosage, 用法用量       │
            │ side_effects        ┆     1 ┆     1 ┆       ┆ 不良反应               │
            └─────────────────────┴───────┴───────┴───────┴────────────────────────┘
            never found: country, contraindications, description, interactions, storage, shelf_life
            no record:
              testdata/domain/drugstore/about.html
              testdata/domain/drugstore/allergy.html
        "#]],
    );
}

#[test]
fn a_trial_for_programs() {
    let folder = rakes("domain-check-json");
    let run = windrow(&["domain", "check", &folder.path("rakes.toml"), RAKE, PROSE, "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        {
          "domain": "DIR/rakes.toml",
          "pages": 2,
          "records": 1,
          "classes": {
            "data-rich": 1,
            "link offer": 0,
            "neither": 1
          },
          "roles": [
            {
              "role": "price",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 1,
              "labels": [
                {
                  "text": "Price",
                  "pages": 1
                }
              ]
            },
            {
              "role": "colour",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 0,
              "labels": [
                {
                  "text": "Colour",
                  "pages": 1
                }
              ]
            },
            {
              "role": "model",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 0,
              "labels": [
                {
                  "text": "Model",
                  "pages": 1
                }
              ]
            },
            {
              "role": "brand",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 0,
              "labels": [
                {
                  "text": "Brand",
                  "pages": 1
                }
              ]
            },
            {
              "role": "weight",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 0,
              "labels": [
                {
                  "text": "Weight",
                  "pages": 1
                }
              ]
            },
            {
              "role": "tines",
              "pages": 1,
              "by": {
                "label": 1,
                "phrase": 0,
                "name": 0,
                "structured": 0,
                "title": 0
              },
              "conflicts": 0,
              "labels": [
                {
                  "text": "Number of tines",
                  "pages": 1
                }
              ]
            }
          ],
          "proposals": [
            {
              "label": "Material",
              "role": null,
              "pages": 1,
              "examples": [
                "Ash and steel"
              ]
            },
            {
              "label": "Warranty",
              "role": null,
              "pages": 1,
              "examples": [
                "5 years"
              ]
            }
          ],
          "no_record": [
            "testdata/domain/drugstore/about.html"
          ]
        }
    "#]]
    .assert_eq(&folder.hide(&run.stdout));
}

#[test]
fn a_trial_without_a_record_ends_with_1() {
    let run = windrow(&["domain", "check", "drugs", PROSE]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("no record:\n  testdata/domain/drugstore/about.html\n"), "{}", run.stdout);
}

#[test]
fn a_wrapper_is_learned_from_what_a_domain_reads() {
    let page = |name: &str, weight: &str, colour: &str| {
        format!(
            "<body><h1 class=t>{name}</h1><ul class=d><li>Brand: <b>Weir</b><li>Model: <b>{name}</b>\
             <li>Weight: <b>{weight}</b><li>Colour: <b>{colour}</b></ul><p class=w>Since 1911</p></body>"
        )
    };
    let folder = rakes("domain-learn")
        .with("pages/a.html", &page("R1", "1 kg", "red"))
        .with("pages/b.html", &page("R2", "2 kg", "green"))
        .with("pages/c.html", &page("R3", "3 kg", "blue"));
    let (domain, rules) = (folder.path("rakes.toml"), folder.path("rules.toml"));
    let run = windrow(&["learn", "--domain", &domain, &folder.path("pages"), "-o", &rules]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    expect![[r#"
        wrote DIR/rules.toml: 3 records on 3 pages, 5 fields
          title   3 of 3  "R1"
          colour  3 of 3  "red"
          model   3 of 3  "R1"
          brand   3 of 3  "Weir"
          weight  3 of 3  "1 kg"
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    let other = Folder::new("domain-learned").with("d.html", &page("R4", "4 kg", "black"));
    let run = windrow(&["extract", "-w", &rules, &other.path("d.html"), "--raw"]);
    expect![[r#"
        {"page":"DIR/d.html","data":{"records":[{"title":"R4","colour":"black","model":"R4","brand":"Weir","weight":"4 kg"}]}}
    "#]].assert_eq(&other.hide(&run.stdout));
}

#[test]
fn nothing_is_learned_from_pages_without_a_record() {
    let run = windrow(&["learn", "--domain", "drugs", PROSE]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("has exactly one record of the domain"), "{}", run.stderr);
    check_error(
        &["learn", "--domain", "drugs", SPRAY, "--example", "price=$ 9.95"],
        &expect![[r#"
        error: the argument '--domain <DOMAIN>' cannot be used with '--example <FIELD=VALUE>'

        Usage: windrow learn [OPTIONS] --example <FIELD=VALUE>... <PAGE>... [-o <FILE>]
               windrow learn [OPTIONS] --feed [<FEED>] <HOME> [<PAGE>...] [-o <FILE>]
               windrow learn [OPTIONS] --domain <DOMAIN> <PAGE>... [-o <FILE>]

        For more information, try '--help'.
    "#]],
    );
}
