//! Domain files: reading, extending, writing, the errors as people see them, and the domains that come along.

mod errors;
mod extend;
mod hostile;
mod shipped;
mod write;

use windrow_learn::domain::Domain;
use windrow_learn::domain::file::Errors;
use windrow_wrapper::values::Type;

/// Reads a file that extends at most what comes along.
fn read(text: &str) -> Result<Domain, Errors> {
    Domain::read(text, &|_| None)
}

/// A domain on a few lines: each role with what it has, those inside others indented.
fn show(domain: &Domain) -> String {
    let mut out = format!("{}: {}\n", domain.name, domain.description);
    for role in &domain.roles {
        let mut around = role.within;
        while let Some(number) = around {
            out.push_str("  ");
            around = domain.roles[number].within;
        }
        out.push_str(&format!("{} {:?}", role.name, role.keywords));
        if let Some(pattern) = &role.value {
            out.push_str(&format!(" /{pattern}/"));
        }
        if role.ty != Type::String {
            out.push_str(&format!(" {}", role.ty.name()));
        }
        for (said, what) in [(role.many == Some(true), "many"), (role.title, "title")] {
            if said {
                out.push_str(&format!(" {what}"));
            }
        }
        for way in &role.schema {
            out.push_str(&format!(" schema:{way}"));
        }
        if !role.description.is_empty() {
            out.push_str(&format!(" \"{}\"", role.description));
        }
        out.push('\n');
    }
    out
}

#[test]
fn every_key() {
    let domain = read(
        r#"
        name = "rakes"
        description = "Rakes on sale."

        [role.title]
        title = true

        [role.price]
        description = "What it costs."
        keywords = ["Price", " our  price ", "PRICE", "Prix :"]
        value = '\d'
        type = "money"
        schema = ["offers.price", "price"]

        [role.maker]
        keywords = ["maker"]
        many = true

        [role.maker.role.address]
        keywords = ["address"]

        [role.maker.role.name]
        schema = ["name"]

        [role.address]
        keywords = ["address"]
        "#,
    );
    expect_test::expect![[r#"
        rakes: Rakes on sale.
        title [] title
        price ["Price", "our  price", "Prix :"] /\d/ money schema:offers.price schema:price "What it costs."
        maker ["maker"] many
          address ["address"]
          name [] schema:name
        address ["address"]
    "#]]
    .assert_eq(&show(&domain.unwrap()));
}

#[test]
fn tables_may_be_written_in_a_line() {
    let domain =
        read("role = { price = { keywords = ['price'], value = '' }, '色' = { keywords = ['颜色'] } }").unwrap();
    assert_eq!(show(&domain), ": \nprice [\"price\"]\n色 [\"颜色\"]\n");
}
