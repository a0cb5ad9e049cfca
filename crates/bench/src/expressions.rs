//! Expressions that wrappers typically use, one of each kind. `bench/peers.py` has the same list.

/// Names and expressions.
pub const EXPRESSIONS: [(&str, &str); 6] = [
    ("absolute", "/html/body/div/div/div/a"),
    ("attribute", "//div[@class]//a/@href"),
    ("contains", "//div[contains(@class, 'content')]//p"),
    ("following-sibling", "//li/following-sibling::li[1]/a"),
    ("text", "//a/text()"),
    ("positional", "//ul/li[2]/a[1]"),
];
