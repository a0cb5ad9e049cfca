//! The small pages that the query targets run on: lists, tables, foreign content, ids, templates, odd attributes.

use windrow_dom::Document;

/// Parses them; each target does so once.
pub fn all() -> Vec<Document> {
    [
        "<!DOCTYPE html><html lang=en><title>t</title><ul id=a class='x y'><li class=item>Oslo<li class='item b'><a href=/rome title=R>Rome</a>\
         <li>3<!-- c --></ul><table><tr><th>a<td colspan=2>1<tr><td>2<td>3</table><p id=b lang=de-AT>x <b>y</b> z",
        "<svg viewBox='0 0 1 1'><a xlink:href=#x><title>s</title></a></svg><math><mi>x</mi></math><template><p>hidden</p></template>\
         <form><input type=checkbox checked disabled><select><option selected>1<option>2</select></form><div><div><div></div></div></div>",
        "",
    ]
    .map(Document::parse)
    .into()
}
