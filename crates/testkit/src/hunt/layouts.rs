//! Page layouts of shops: the frame, the lists, and detail pages of drugs in clearly different layouts.
//!
//! The layouts are modelled on real shops: tables, definition lists, lines of label and value, pairs of boxes, headings
//! with paragraphs, layout tables, brackets, one long page for all drugs. Prices usually stand apart from the other
//! fields, and related products below them.

use super::register::Ad;
use super::words::{Language, Topic};
use crate::generate::Rng;

/// Layout of a drug's detail page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A table with a label and a value in each row.
    Table,
    /// A definition list.
    Definitions,
    /// Paragraphs: a label in bold, a colon, the value.
    Paragraphs,
    /// Pairs of boxes.
    Boxes,
    /// A small table of facts; what is long has headings.
    Headings,
    /// Two labels and two values in each row.
    Wide,
    /// Labels in brackets, lines broken by hand.
    Brackets,
    /// Tables for looks, fonts for headings.
    Old,
    /// Items of a list, with structured data beside them.
    Items,
    /// All drugs of the shop on one page, each a section.
    Together,
}

impl Layout {
    /// All of them.
    pub const ALL: [Layout; 10] = [
        Layout::Table,
        Layout::Definitions,
        Layout::Paragraphs,
        Layout::Boxes,
        Layout::Headings,
        Layout::Wide,
        Layout::Brackets,
        Layout::Old,
        Layout::Items,
        Layout::Together,
    ];
}

/// A shop and its ways.
#[derive(Debug, Clone)]
pub(super) struct Shop {
    pub(super) name: String,
    pub(super) language: Language,
    pub(super) layout: Layout,
    /// Labels of the topics in this shop.
    labels: Vec<(Topic, &'static str)>,
    /// True if lists are tables with rows instead of cards.
    pub(super) rows: bool,
}

impl Shop {
    pub(super) fn new(rng: &mut Rng, name: String, language: Language, layout: Layout) -> Shop {
        let labels = Topic::ALL.map(|topic| (topic, rng.pick(topic.labels(language))));
        Shop { name, language, layout, labels: labels.to_vec(), rows: rng.once_in(3) }
    }

    fn label(&self, topic: Topic) -> &'static str {
        self.labels.iter().find(|(known, _)| *known == topic).map_or("", |(_, label)| label)
    }

    /// The words of its frame: home, products, cart, terms, contact, related, details.
    fn frame(&self) -> [&'static str; 7] {
        match self.language {
            Language::English => {
                ["Home", "All products", "Your cart", "Terms", "Contact", "Customers also bought", "Details"]
            }
            Language::Chinese => ["首页", "全部商品", "购物车", "服务条款", "联系我们", "相关商品", "查看详情"],
            Language::German => {
                ["Startseite", "Alle Produkte", "Warenkorb", "AGB", "Kontakt", "Kunden kauften auch", "Details"]
            }
        }
    }

    /// A page with the shop's frame around it.
    pub(super) fn page(&self, title: &str, main: &str) -> String {
        let [home, products, cart, terms, contact, ..] = self.frame();
        let language = match self.language {
            Language::English => "en",
            Language::Chinese => "zh",
            Language::German => "de",
        };
        format!(
            "<!DOCTYPE html>\n<html lang={language}>\n<head><meta charset=utf-8><title>{title} - {shop}</title></head>\n<body>\n\
             <div class=\"top\"><a href=\"/\" class=\"logo\">{shop}</a>\n\
             <ul class=\"menu\"><li><a href=\"/\">{home}</a><li><a href=\"/products/\">{products}</a>\
             <li><a href=\"/cart\">{cart}</a></ul></div>\n<div id=\"content\">\n{main}\n</div>\n\
             <div class=\"footer\"><a href=\"/terms\">{terms}</a> | <a href=\"/contact\">{contact}</a> © {shop}</div>\n</body>\n</html>\n",
            shop = self.name
        )
    }

    /// Drugs offered, each with the address of its page.
    pub(super) fn offers(&self, ads: &[(String, &Ad)]) -> String {
        let details = self.frame()[6];
        let price = |ad: &Ad| ad.fact(Topic::Price).unwrap_or_default().to_owned();
        if self.rows {
            let head = format!(
                "<tr><th>{}</th><th>{}</th><th></th></tr>",
                self.label(Topic::Package),
                self.label(Topic::Price)
            );
            let rows = ads.iter().map(|(path, ad)| {
                format!(
                    "<tr><td><a href=\"{path}\">{}</a><br>{}</td><td>{}</td><td><a href=\"{path}\">{details}</a></td></tr>\n",
                    ad.name,
                    ad.fact(Topic::Package).unwrap_or_default(),
                    price(ad)
                )
            });
            return format!("<table class=\"list\">{head}\n{}</table>", rows.collect::<String>());
        }
        let cards = ads.iter().enumerate().map(|(number, (path, ad))| {
            format!(
                "<div class=\"card\"><a href=\"{path}\"><img src=\"/i/{number}.jpg\" alt=\"\"></a>\
                 <h3><a href=\"{path}\">{}</a></h3><p class=\"maker\">{}</p><span class=\"price\">{}</span></div>\n",
                ad.name,
                ad.fact(Topic::Maker).unwrap_or_default(),
                price(ad)
            )
        });
        format!("<div class=\"grid\">\n{}</div>", cards.collect::<String>())
    }

    /// The page of a drug.
    pub(super) fn detail(&self, ad: &Ad, related: &[(String, &Ad)]) -> String {
        let box_title = self.frame()[5];
        let related = if related.is_empty() {
            String::new()
        } else {
            format!("<div class=\"related\"><h2>{box_title}</h2>\n{}</div>", self.offers(related))
        };
        self.page(&ad.name, &format!("<h1>{}</h1>\n{}\n{related}", ad.name, self.facts(ad)))
    }

    /// All drugs on one page.
    pub(super) fn together(&self, title: &str, ads: &[&Ad]) -> String {
        let sections = ads
            .iter()
            .map(|ad| format!("<section class=\"item\"><h2>{}</h2>\n{}</section>\n", ad.name, self.facts(ad)));
        self.page(title, &format!("<h1>{title}</h1>\n{}", sections.collect::<String>()))
    }

    fn facts(&self, ad: &Ad) -> String {
        let pairs = || ad.facts.iter().map(|(topic, text)| (*topic, self.label(*topic), text.as_str()));
        let rows = |wanted: &dyn Fn(Topic) -> bool| -> String {
            pairs()
                .filter(|(topic, ..)| wanted(*topic))
                .map(|(_, label, text)| format!("<tr><th>{label}</th><td>{text}</td></tr>\n"))
                .collect()
        };
        let is_price = |topic: Topic| matches!(topic, Topic::Price | Topic::ListPrice);
        let prices: String = pairs()
            .filter(|(topic, ..)| is_price(*topic))
            .map(|(_, label, text)| format!("<div class=\"buy\"><span>{label}:</span> <b>{text}</b></div>\n"))
            .collect();
        match self.layout {
            Layout::Table => {
                format!("{prices}<table class=\"spec\">\n{}</table>", rows(&|topic| !is_price(topic)))
            }
            Layout::Definitions => {
                let all: String =
                    pairs().map(|(_, label, text)| format!("<dt>{label}</dt><dd>{text}</dd>\n")).collect();
                format!("<dl>\n{all}</dl>")
            }
            Layout::Paragraphs => pairs().map(|(_, label, text)| format!("<p><b>{label}:</b> {text}</p>\n")).collect(),
            Layout::Boxes => {
                let all: String = pairs()
                    .filter(|(topic, ..)| !is_price(*topic))
                    .map(|(_, label, text)| {
                        format!("<div class=\"row\"><div class=\"col-3\">{label}</div><div class=\"col-9\">{text}</div></div>\n")
                    })
                    .collect();
                format!("{prices}<div class=\"props\">\n{all}</div>")
            }
            Layout::Headings => {
                let long: String = pairs()
                    .filter(|(topic, ..)| topic.is_long())
                    .map(|(_, label, text)| format!("<h3>{label}</h3>\n<p>{text}</p>\n"))
                    .collect();
                format!("<table>\n{}</table>\n<div class=\"tabs\">\n{long}</div>", rows(&|topic| !topic.is_long()))
            }
            Layout::Wide => {
                let short: Vec<String> = pairs()
                    .filter(|(topic, ..)| !topic.is_long())
                    .map(|(_, label, text)| format!("<td class=\"k\">{label}</td><td>{text}</td>"))
                    .collect();
                let short: String = short.chunks(2).map(|two| format!("<tr>{}</tr>\n", two.concat())).collect();
                let long: String = pairs()
                    .filter(|(topic, ..)| topic.is_long())
                    .map(|(_, label, text)| format!("<tr><td class=\"k\">{label}</td><td colspan=3>{text}</td></tr>\n"))
                    .collect();
                format!("<table border=1>\n{short}{long}</table>")
            }
            Layout::Brackets => {
                let (open, close) = if self.language == Language::Chinese { ("【", "】") } else { ("[", "] ") };
                let all: String = pairs()
                    .filter(|(topic, ..)| !is_price(*topic))
                    .map(|(_, label, text)| format!("{open}{label}{close}{text}<br>\n"))
                    .collect();
                format!("{prices}<div class=\"text\">\n{all}</div>")
            }
            Layout::Old => {
                let all: String = pairs()
                    .map(|(_, label, text)| {
                        format!("<tr><td align=right><font size=2><b>{label}:</b></font></td><td><font size=2>{text}</font></td></tr>\n")
                    })
                    .collect();
                format!(
                    "<table width=\"100%\"><tr><td width=120>&nbsp;</td><td><table cellpadding=3>\n{all}</table></td></tr></table>"
                )
            }
            Layout::Items => {
                let all: String = pairs()
                    .filter(|(topic, ..)| !is_price(*topic))
                    .map(|(_, label, text)| {
                        format!("<li><span class=\"name\">{label}：</span><span>{text}</span></li>\n")
                    })
                    .collect();
                let all = if self.language == Language::Chinese { all } else { all.replace('：', ": ") };
                let said = format!(
                    "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"{}\"}}</script>",
                    ad.name
                );
                format!("{said}\n{prices}<ul class=\"attributes\">\n{all}</ul>")
            }
            Layout::Together => {
                let all: String =
                    pairs().map(|(_, label, text)| format!("<li><strong>{label}</strong>: {text}</li>\n")).collect();
                format!("<ul>\n{all}</ul>")
            }
        }
    }
}
