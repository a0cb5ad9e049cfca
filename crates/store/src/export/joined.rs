//! Lists joined into one cell of a CSV file, so that each record is one row.
//!
//! Values are joined with `; `, the fields of a record with ` | `. A list inside such a record uses doubled separators:
//! `;; ` and ` || `. The characters `;`, `|` and `\` in a value are escaped with `\`, so a reader that splits at
//! unescaped separators gets the original values back.
//!
//! | | the list | the cell |
//! |---|---|---|
//! | values | `red`, `green` | `red; green` |
//! | records | `{size: S, price: 12}`, `{size: M, price: 14}` | `S \| 12; M \| 14` |
//! | a value with a separator | `red; pale`, `green` | `red\; pale; green` |

use std::borrow::Cow;

/// Escapes the separators in a value.
pub fn value(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', ';', '|']) {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + 4);
    for letter in text.chars() {
        if matches!(letter, '\\' | ';' | '|') {
            marked.push('\\');
        }
        marked.push(letter);
    }
    Cow::Owned(marked)
}

/// Joins the values or records of a list. `depth` is 1 for a list of the exported record, 2 for a list inside one of
/// its records.
pub fn list<T: AsRef<str>>(items: &[T], depth: usize) -> String {
    join(items, &format!("{} ", ";".repeat(depth.max(1))))
}

/// Joins the fields of a record whose list is at this depth.
pub fn record<T: AsRef<str>>(fields: &[T], depth: usize) -> String {
    join(fields, &format!(" {} ", "|".repeat(depth.max(1))))
}

fn join<T: AsRef<str>>(items: &[T], separator: &str) -> String {
    items.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits at single unescaped separators and removes the escapes.
    fn split(cell: &str, sign: char) -> Vec<String> {
        let (mut items, mut item, mut letters) = (Vec::new(), String::new(), cell.chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => item.extend(letters.next()),
                letter if letter == sign => items.push(std::mem::take(&mut item).trim().to_owned()),
                letter => item.push(letter),
            }
        }
        items.push(item.trim().to_owned());
        items
    }

    #[test]
    fn what_is_joined_can_be_split_again() {
        let values = ["red; pale", "a | b", "C:\\new", "plain", ""];
        let marked: Vec<_> = values.iter().map(|text| value(text)).collect();
        assert_eq!(list(&marked, 1), "red\\; pale; a \\| b; C:\\\\new; plain; ");
        assert_eq!(split(&list(&marked, 1), ';'), values);
        assert_eq!(split(&record(&marked, 1), '|'), values);
        assert_eq!((list(&["a", "b"], 2).as_str(), record(&["a", "b"], 2).as_str()), ("a;; b", "a || b"));
    }
}
