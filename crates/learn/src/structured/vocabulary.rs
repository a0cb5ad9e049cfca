//! Names of vocabularies: which of them are schema.org's, which prefixes are known without being declared.

/// Where names are schema.org's own, or those of the vocabulary that it grew from.
const BARE: [&str; 3] = ["schema.org/", "data-vocabulary.org/", "rdf.data-vocabulary.org/#"];

/// A name without schema.org's address or prefix; all others as they are.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim();
    let address = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://")).map(|address| {
        // Addresses with `www.` are wrong and common.
        address.strip_prefix("www.").unwrap_or(address)
    });
    let rest = match address {
        Some(address) => BARE.iter().find_map(|place| address.strip_prefix(place)),
        None => name.strip_prefix("schema:"),
    };
    // Extensions of schema.org have addresses of their own: `http://health-lifesci.schema.org/Drug`.
    let rest = rest.or_else(|| {
        let (host, rest) = address?.split_once('/')?;
        host.ends_with(".schema.org").then_some(rest)
    });
    rest.map(|rest| rest.trim_matches(['/', '#'])).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Prefixes of meta tags that describe the page in the manner of the Open Graph.
const SOCIAL: [&str; 11] =
    ["og", "fb", "article", "book", "books", "product", "profile", "music", "video", "twitter", "business"];

/// Whether a meta tag's name is the Open Graph's or a relative's.
pub(super) fn is_social(name: &str) -> bool {
    let prefix = name.trim().split_once(':').map(|(prefix, _)| prefix);
    prefix.is_some_and(|prefix| SOCIAL.iter().any(|known| prefix.eq_ignore_ascii_case(known)))
}

/// The prefixes that RDFa knows without a declaration, those that pages use.
const INITIAL: [(&str, &str); 19] = [
    ("schema", "http://schema.org/"),
    ("v", "http://rdf.data-vocabulary.org/#"),
    ("og", "http://ogp.me/ns#"),
    ("dc", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dc11", "http://purl.org/dc/elements/1.1/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("gr", "http://purl.org/goodrelations/v1#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("ical", "http://www.w3.org/2002/12/cal/icaltzd#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("sioc", "http://rdfs.org/sioc/ns#"),
    ("cc", "http://creativecommons.org/ns#"),
    ("ctag", "http://commontag.org/ns#"),
    ("rev", "http://purl.org/stuff/rev#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// What a prefix stands for where the page does not say.
pub(super) fn initial(prefix: &str) -> Option<&'static str> {
    INITIAL.iter().find(|(known, _)| prefix.eq_ignore_ascii_case(known)).map(|&(_, address)| address)
}
