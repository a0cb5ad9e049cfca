//! What a page says of itself for machines: JSON-LD, microdata, RDFa.
