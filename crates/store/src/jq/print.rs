//! Results as JSON. jaq's values go beyond JSON; the excess is written as jq does.

use jaq_json::{Num, Val};

use crate::export::{json_text, plain};

/// Returns the value in one line.
pub(super) fn print(value: &Val, raw: bool) -> String {
    let mut line = String::new();
    match value {
        Val::TStr(bytes) | Val::BStr(bytes) if raw => line.push_str(&String::from_utf8_lossy(bytes)),
        value => write(value, &mut line),
    }
    line
}

fn write(value: &Val, line: &mut String) {
    match value {
        Val::Null => line.push_str("null"),
        Val::Bool(truth) => line.push_str(if *truth { "true" } else { "false" }),
        Val::Num(number) => self::number(number, line),
        Val::TStr(bytes) | Val::BStr(bytes) => json_text(&String::from_utf8_lossy(bytes), line),
        Val::Arr(values) => {
            line.push('[');
            for (at, value) in values.iter().enumerate() {
                line.push_str(if at > 0 { "," } else { "" });
                write(value, line);
            }
            line.push(']');
        }
        Val::Obj(members) => {
            line.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                line.push_str(if at > 0 { "," } else { "" });
                match key {
                    Val::TStr(_) | Val::BStr(_) => write(key, line),
                    // jaq allows keys of any type.
                    other => json_text(&print(other, false), line),
                }
                line.push(':');
                write(value, line);
            }
            line.push('}');
        }
    }
}

/// Writes a number. As in jq, infinities become the largest doubles and NaN becomes null.
fn number(number: &Num, line: &mut String) {
    match number {
        Num::Float(double) if double.is_nan() => line.push_str("null"),
        Num::Float(double) if double.is_infinite() => {
            line.push_str(if *double > 0.0 { "1.7976931348623157e308" } else { "-1.7976931348623157e308" });
        }
        Num::Float(double) if double.fract() == 0.0 && double.abs() < 1e17 => line.push_str(&format!("{double:.0}")),
        Num::Float(double) => line.push_str(&format!("{double:?}")),
        Num::Int(_) | Num::BigInt(_) => line.push_str(&number.to_string()),
        Num::Dec(digits) => match plain(digits) {
            Some(digits) => line.push_str(&digits),
            None => line.push_str("null"),
        },
    }
}
