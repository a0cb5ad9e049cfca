//! Sites that speak of drugs and sell none: what a search for drugs finds, too.

use super::register::Drug;
use super::words::Language;
use crate::generate::Rng;

/// A site that is no shop for drugs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// A weblog about health.
    Blog,
    /// A newspaper.
    News,
    /// People who ask each other.
    Forum,
    /// An encyclopedia of substances, with boxes of facts.
    Encyclopedia,
    /// A shop for rakes.
    Hardware,
    /// A list of shops.
    Directory,
}

impl Other {
    /// All of them.
    pub const ALL: [Other; 6] =
        [Other::Blog, Other::Encyclopedia, Other::Hardware, Other::Forum, Other::News, Other::Directory];
}

fn page(title: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{title}</title></head>\n<body>\n\
         <nav><a href=\"/\">Home</a> <a href=\"/archive/\">Archive</a> <a href=\"/about\">About</a></nav>\n\
         <main>\n{main}\n</main>\n<footer><a href=\"/privacy\">Privacy</a></footer></body></html>\n"
    )
}

/// The pages of such a site: paths and texts. `shops`: addresses that it may link to.
pub(super) fn pages(rng: &mut Rng, other: Other, drugs: &[Drug], shops: &[String]) -> Vec<(String, String)> {
    let count = 6 + rng.below(4);
    let latin: Vec<&Drug> = drugs.iter().filter(|drug| drug.language != Language::Chinese).collect();
    let mut pages = Vec::new();
    let mut titles = Vec::new();
    for number in 0..count {
        let drug = latin[rng.below(latin.len())];
        let (title, main) = match other {
            Other::Blog => (
                format!("What I learned about {}", drug.generic),
                format!(
                    "<h1>What I learned about {0}</h1><p>My doctor gave me {1} last winter. The dosage was simple: one tablet a \
                     day. Before you buy any medicine from an online pharmacy, read the warnings and the side effects, and look \
                     for the approval number.</p><p>Ingredients matter, too. I was told that the manufacturer, {2}, has made \
                     this drug for years.</p><h2>Comments</h2><p>Anna: what about contraindications?</p>",
                    drug.generic, drug.name, drug.maker
                ),
            ),
            Other::News => (
                format!("{} recalls {}", drug.maker, drug.name),
                format!(
                    "<h1>{0} recalls {1}</h1><p class=byline>By our staff</p><p>The manufacturer said on Monday that several \
                     packages of the drug carried a wrong dosage. The price of its shares fell. \"Patients should ask their \
                     pharmacy,\" a spokesman said. The medicine, whose generic name is {2}, is sold in {3}.</p>",
                    drug.maker, drug.name, drug.generic, drug.country
                ),
            ),
            Other::Forum => (
                format!("Anyone tried {}?", drug.name),
                format!(
                    "<h1>Anyone tried {0}?</h1><div class=post><b>hayrick77</b><p>The drug works for me. Price: too high!</p>\
                     </div><div class=post><b>stook</b><p>Dosage? I take half a tablet. Side effects: none so far.</p></div>\
                     <div class=post><b>mower</b><p>Which online pharmacy do you use? Mine wants a prescription.</p></div>",
                    drug.name
                ),
            ),
            Other::Encyclopedia => (
                drug.generic.clone(),
                format!(
                    "<h1>{0}</h1><table class=infobox><tr><th>Generic name</th><td>{0}</td></tr><tr><th>Trade name</th>\
                     <td>{1} and others</td></tr><tr><th>Routes of administration</th><td>By mouth</td></tr><tr>\
                     <th>Side effects</th><td>Nausea, headache</td></tr><tr><th>Contraindications</th><td>Liver disease</td>\
                     </tr></table><p><b>{0}</b> is a medication used for several conditions. Its indications and its dosage \
                     depend on the patient.</p>",
                    drug.generic, drug.name
                ),
            ),
            Other::Hardware => (
                format!("Hay rake model {}", 100 + number),
                format!(
                    "<h1>Hay rake model {0}</h1><table><tr><th>Manufacturer</th><td>Weir Tools</td></tr><tr><th>Price</th>\
                     <td>£{1}.00</td></tr><tr><th>Weight</th><td>{2} kg</td></tr><tr><th>Availability</th><td>In stock</td></tr>\
                     </table><p>A rake like medicine for your meadow.</p>",
                    100 + number,
                    20 + rng.below(80),
                    3 + rng.below(9)
                ),
            ),
            Other::Directory => {
                let links: String = shops
                    .iter()
                    .skip(number * 3)
                    .take(3)
                    .map(|shop| {
                        format!("<li><a href=\"{shop}\">An online pharmacy</a>: medicine and drugs by post</li>")
                    })
                    .collect();
                (
                    format!("Online pharmacies, part {number}"),
                    format!("<h1>Online pharmacies, part {number}</h1><ul>{links}</ul>"),
                )
            }
        };
        pages.push((format!("/{number}.html"), page(&title, &main)));
        titles.push(title);
    }
    let links: String = titles
        .iter()
        .enumerate()
        .map(|(number, title)| format!("<li><a href=\"/{number}.html\">{title}</a></li>\n"))
        .collect();
    pages.push(("/".to_owned(), page("Welcome", &format!("<h1>Welcome</h1><ul>\n{links}</ul>"))));
    pages.push(("/archive/".to_owned(), page("Archive", &format!("<h1>Archive</h1><ol>\n{links}</ol>"))));
    pages
}
