//! Random wrappers: every kind of rule and locator, names and texts that need quotes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use windrow_wrapper::values::Type;
use windrow_wrapper::{
    Column, Find, Follow, Kind, Landmark, Learned, Locator, Rule, Slice, Take, Text, Until, Wrapper,
};

/// Creates a wrapper that a file can express: unique names, rules of one scope in the order of the sections.
pub(crate) fn wrapper() -> impl Strategy<Value = Wrapper> {
    let times = prop_oneof![
        Just("2026-11-15T09:00:00Z".to_owned()),
        Just("2026-11-15T09:00:00.25+01:30".to_owned()),
        Just("2026-11-15 09:00:00z".to_owned()),
        Just("2026-11-15".to_owned())
    ];
    let learned =
        (string(), vec(string(), 0..3), option::of(times)).prop_map(|(by, from, at)| Learned { by, from, at });
    let head = (option::of(string()), option::of(string()), option::of(text()), option::of(learned));
    let follow =
        prop_oneof![Just(Follow::default()), any::<(u32, u32)>().prop_map(|(depth, pages)| Follow { depth, pages })];
    (head, follow, rules(3)).prop_map(|((name, description, url, learned), follow, rules)| Wrapper {
        search: None,
        name,
        description,
        url,
        learned,
        follow,
        rules,
    })
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z/@*#.<> ]{0,12}",
        1 => Just("next".to_owned()),
        1 => r#"[a-z"'\\#=\[\]{}\n\r\t ]{0,8}"#,
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = Text> {
    string().prop_map(Text::from)
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z_][a-z0-9_]{0,6}", 1 => "[a-zäßж_][a-zé.:#/\\\\$-]{0,6}", 1 => "(field|list|into|save|records|name)"]
}

fn slice() -> impl Strategy<Value = Slice> {
    prop_oneof![
        any::<u32>().prop_map(Slice::Index),
        any::<(u32, u32)>().prop_map(|(skip, drop)| Slice::Range { skip, drop })
    ]
}

fn locator(depth: u32) -> BoxedStrategy<Locator> {
    let plain = prop_oneof![
        2 => Just(Find::Scope),
        4 => text().prop_map(Find::Expression),
        1 => text().prop_map(Find::XPath),
        1 => text().prop_map(Find::Css),
        1 => text().prop_map(Find::Pattern),
        1 => text().prop_map(Find::Split),
        1 => text().prop_map(|each| Find::Landmark(Landmark::Each(each))),
        1 => (text(), option::of(text())).prop_map(|(start, end)| Find::Landmark(Landmark::Between { start, end })),
        1 => text().prop_map(|name| Find::Column(Column::Named(name))),
        1 => (1..u32::MAX).prop_map(|number| Find::Column(Column::Number(number))),
    ];
    let find = match depth {
        0 => plain.boxed(),
        _ => prop_oneof![
            6 => plain,
            1 => locator(depth - 1).prop_map(|inner| Find::Table(Box::new(inner))),
            1 => locator(depth - 1).prop_map(|inner| Find::Get(Box::new(inner))),
            1 => vec(locator(depth - 1), 1..4).prop_map(Find::Case),
        ]
        .boxed(),
    };
    let then = match depth {
        0 => Just(None).boxed(),
        _ => option::weighted(0.2, locator(depth - 1).prop_map(Box::new)).boxed(),
    };
    let until = prop_oneof![Just(Until::Next), text().prop_map(before)];
    let refinements = (
        option::weighted(0.2, until),
        option::weighted(0.2, slice()),
        option::weighted(0.2, text()),
        option::weighted(0.2, text()),
        option::weighted(0.2, text()),
        option::weighted(0.2, text()),
        then,
    );
    (find, prop_oneof![2 => Just(None), 1 => refinements.prop_map(Some)])
        .prop_map(|(find, refinements)| {
            let Some((until, slice, without, after, before, matches, then)) = refinements else {
                return Locator::new(find);
            };
            Locator { find, until, slice, without, after, before, matches, then }
        })
        .boxed()
}

fn before(expression: Text) -> Until {
    Until::Before(expression)
}

fn ty() -> impl Strategy<Value = Type> {
    prop_oneof![3 => Just(Type::default()), 1 => proptest::sample::select(Type::ALL.to_vec())]
}

/// Creates the rules of one scope.
fn rules(depth: u32) -> BoxedStrategy<Vec<Rule>> {
    let rule = match depth {
        0 => rule(Kind::Field, 0),
        _ => prop_oneof![
            5 => rule(Kind::Field, depth),
            2 => rule(Kind::Group, depth),
            2 => rule(Kind::List, depth),
            1 => rule(Kind::Save, depth),
        ]
        .boxed(),
    };
    vec(rule, 0..5)
        .prop_map(|mut rules| {
            rules.sort_by_key(|rule| match rule.kind {
                Kind::Save => 0,
                Kind::Field => 1,
                Kind::Group => 2,
                Kind::List => 3,
            });
            number(&mut rules, &mut 0);
            rules
        })
        .boxed()
}

/// Makes the names of a scope differ.
fn number(rules: &mut [Rule], count: &mut usize) {
    for rule in rules {
        match rule.kind {
            Kind::Save => number(&mut rule.rules, count),
            _ if *count > 0 => rule.name.value.push_str(&format!("-{count}")),
            _ => {}
        }
        *count += 1;
    }
}

fn rule(kind: Kind, depth: u32) -> BoxedStrategy<Rule> {
    let takes = vec((text(), text()), 0..3).prop_map(|takes| {
        let mut takes: Vec<Take> = takes.into_iter().map(|(label, variable)| Take { label, variable }).collect();
        let mut seen = std::collections::HashSet::new();
        takes.retain(|take| seen.insert(take.label.value.clone()));
        takes
    });
    let below = match kind {
        Kind::Field => Just(Vec::new()).boxed(),
        Kind::Group | Kind::List => rules(depth - 1),
        Kind::Save => vec(
            prop_oneof![
                3 => rule(Kind::Field, depth - 1),
                1 => inner(Kind::Group, depth),
                1 => inner(Kind::List, depth),
                1 => inner(Kind::Save, depth)
            ],
            1..4,
        )
        .boxed(),
    };
    let more = (ty(), any::<bool>(), option::weighted(0.2, text()), option::weighted(0.2, slice()), takes);
    let kept = (option::weighted(0.2, text()), option::weighted(0.4, 1..4usize));
    (name(), locator(2), more, kept, below)
        .prop_map(move |(name, locator, (ty, optional, label, members, take), (path, key), rules)| {
            let mut rule = Rule::field(name, locator).with(rules);
            (rule.kind, rule.optional, rule.members) = (kind, optional, members);
            match kind {
                Kind::Save => {
                    rule.name = Text::default();
                    if rule.locator.is_scope() {
                        rule.locator = Locator::pattern("*#*");
                    }
                }
                _ => (rule.ty, rule.label, rule.path) = (ty, label, path),
            }
            if kind == Kind::Group {
                rule.take = take;
            }
            if kind == Kind::List && !rule.is_temporary() {
                let shown = rule.rules.iter().filter(|rule| rule.kind == Kind::Field && !rule.is_temporary());
                rule.key = shown.take(key.unwrap_or_default()).map(|field| field.name.clone()).collect();
            }
            rule
        })
        .boxed()
}

fn inner(kind: Kind, depth: u32) -> BoxedStrategy<Rule> {
    match depth {
        0 | 1 => rule(Kind::Field, 0),
        _ => rule(kind, depth - 1),
    }
}
