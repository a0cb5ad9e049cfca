//! Writing: what is written reads to the same domain.

use expect_test::expect;
use windrow_learn::domain::file::shipped;
use windrow_learn::domain::{Domain, Role, Thresholds};
use windrow_testkit::generate::Rng;
use windrow_wrapper::values::Type;

use super::read;

#[test]
fn a_file_as_people_write_it() {
    let keywords = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let role = |name: &str| Role { name: name.to_owned(), ..Role::default() };
    let long: Vec<String> = (1..=14).map(|n| format!("label number {n}")).collect();
    let domain = Domain {
        name: "rakes".to_owned(),
        description: "Rakes \"on\" sale.".to_owned(),
        things: keywords(&["rake", "hay rake", "搂草机"]),
        thresholds: Thresholds { data_rich: 2.25, ..Thresholds::default() },
        roles: vec![
            Role { title: true, keywords: keywords(&["title"]), ..role("title") },
            Role {
                description: "What it costs.".to_owned(),
                keywords: keywords(&["price", "价格"]),
                value: Some(r"\d".to_owned()),
                ty: Type::Money,
                schema: keywords(&["offers.price"]),
                ..role("price")
            },
            Role { keywords: long, many: Some(true), ..role("maker") },
            Role { keywords: keywords(&["it's"]), value: Some("'".to_owned()), within: Some(2), ..role("城市") },
        ],
    };
    let text = domain.write();
    expect![[r#"
        name = "rakes"
        description = "Rakes \"on\" sale."
        things = ["rake", "hay rake", "搂草机"]
        data_rich_entropy = 2.25

        [role.title]
        keywords = ["title"]
        title = true

        [role.price]
        description = "What it costs."
        keywords = ["price", "价格"]
        value = '\d'
        type = "money"
        schema = ["offers.price"]

        [role.maker]
        keywords = [
            "label number 1", "label number 2", "label number 3", "label number 4", "label number 5",
            "label number 6", "label number 7", "label number 8", "label number 9", "label number 10",
            "label number 11", "label number 12", "label number 13", "label number 14",
        ]
        many = true

        [role.maker.role."城市"]
        keywords = ["it's"]
        value = "'"
    "#]]
    .assert_eq(&text);
    assert_eq!(read(&text).unwrap(), domain);
}

#[test]
fn shipped_domains_survive() {
    for (name, _) in shipped() {
        let domain = Domain::shipped(name).unwrap();
        assert_eq!(read(&domain.write()).unwrap(), domain, "{name}");
    }
}

/// A domain that a file could hold, with odd signs wherever they may be.
fn random(rng: &mut Rng) -> Domain {
    const SIGNS: [&str; 14] = ["a", "b", " ", "\"", "'", "\\", "\n", "\t", "\u{1}", "é", "价", "#", "]", "\u{85}"];
    let text = |rng: &mut Rng| (0..rng.below(8)).map(|_| rng.pick(&SIGNS)).collect::<String>();
    let mut domain = Domain { name: format!("n{}", text(rng)), description: text(rng), ..Domain::default() };
    domain.thresholds.list = [0.9, 0.5, 1.25][rng.below(3)];
    // The roles around the next one.
    let mut around: Vec<usize> = Vec::new();
    let mut titled = false;
    for number in 0..1 + rng.below(12) {
        around.truncate(rng.below(around.len() + 1));
        let keywords: Vec<String> = (0..1 + rng.below(30)).map(|n| format!("k{number} {n}{}x", text(rng))).collect();
        let title = !titled && around.is_empty() && rng.once_in(3);
        titled |= title;
        domain.roles.push(Role {
            name: format!("{}{number}", rng.pick(&["role", "List", "价格", "a-b"])),
            description: text(rng),
            keywords,
            value: [None, Some(r"\d{2,}".to_owned()), Some("['\"\n]+".to_owned())][rng.below(3)].clone(),
            phrases: Vec::new(),
            ty: Type::ALL[rng.below(Type::ALL.len())],
            many: [None, Some(false), Some(true)][rng.below(3)],
            title,
            schema: ["offers.price", "name"].iter().take(rng.below(3)).map(|way| (*way).to_owned()).collect(),
            within: around.last().copied(),
        });
        if around.len() < 6 {
            around.push(number);
        }
    }
    domain
}

#[test]
fn any_domain_survives() {
    for seed in 0..300 {
        let domain = random(&mut Rng::new(seed));
        let text = domain.write();
        let again = read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", super::errors::render(&text, &errors)));
        assert_eq!(again, domain, "seed {seed}:\n{text}");
        assert_eq!(again.write(), text, "seed {seed}");
    }
}

#[test]
fn domains_made_by_hand_are_written_whatever_they_hold() {
    let role = |within: usize| Role { name: "a.b\n".to_owned(), within: Some(within), ..Role::default() };
    let mut domain = Domain { roles: vec![role(1), role(0), role(9)], ..Domain::default() };
    assert_eq!(domain.write().matches('[').count(), 3);
    domain.roles = (0..2000).map(|number| Role { within: usize::checked_sub(number, 1), ..Role::default() }).collect();
    assert!(domain.write().lines().count() > 2000);
}
