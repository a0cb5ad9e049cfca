//! Writing rules as text: parsing the text yields the same rules.

use std::fmt;

use super::parser::WORDS;
use super::{Conclusion, Condition, FieldName, Kind, Operand, Operator, Rule, Rules, Term};

impl fmt::Display for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "threshold {}", self.threshold)?;
        for reference in &self.references {
            writeln!(formatter, "reference {}", reference.text)?;
        }
        for rename in &self.renames {
            writeln!(formatter, "rename {} = {}", rename.field, Quoted(&rename.to))?;
        }
        self.rules.iter().try_for_each(|rule| writeln!(formatter, "{rule}"))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conclusions = self.conclusions.iter().map(Conclusion::to_string).collect::<Vec<_>>().join(", ");
        let (name, condition) = (&self.name.text, &self.condition);
        match self.kind {
            Kind::Implication => write!(formatter, "{name}: {condition} -> {conclusions}")?,
            Kind::Conditional => write!(formatter, "{name}: {conclusions} given {condition}")?,
        }
        if self.confidence.high == 1.0 {
            write!(formatter, " [{}]", self.confidence.low)?;
        } else {
            write!(formatter, " [{}, {}]", self.confidence.low, self.confidence.high)?;
        }
        match &self.message {
            Some(message) => write!(formatter, "\n    {}", Quoted(message)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", if self.negated { "not " } else { "" }, self.name.text)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Always => formatter.write_str("always"),
            Condition::Conclusion(name) => formatter.write_str(&name.text),
            Condition::Missing(field) => write!(formatter, "missing {field}"),
            Condition::Compare { left, operator, right, at } => {
                write!(formatter, "{left} {} {right}{}", operator.sign(), At(*at))
            }
            Condition::In { field, list, at } => write!(formatter, "{field} in {}{}", List(list), At(*at)),
            Condition::Contains { field, list } => write!(formatter, "{field} contains {}", List(list)),
            Condition::Rows { none, reference, condition } => {
                write!(formatter, "{} {} ({condition})", if *none { "none" } else { "exists" }, reference.text)
            }
            Condition::Not(inner) => write!(formatter, "not {}", Inner(inner)),
            Condition::And(parts) => joined(formatter, parts, " and "),
            Condition::Or(parts) => joined(formatter, parts, " or "),
        }
    }
}

fn joined(formatter: &mut fmt::Formatter<'_>, parts: &[Condition], with: &str) -> fmt::Result {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            formatter.write_str(with)?;
        }
        write!(formatter, "{}", Inner(part))?;
    }
    Ok(())
}

/// A nested condition: in parentheses if it is a conjunction or a disjunction.
struct Inner<'a>(&'a Condition);

impl fmt::Display for Inner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::And(_) | Condition::Or(_) => write!(formatter, "({})", self.0),
            _ => write!(formatter, "{}", self.0),
        }
    }
}

struct At(Option<f64>);

impl fmt::Display for At {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |at| write!(formatter, " at {at}"))
    }
}

struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(|text| Quoted(text).to_string()).collect();
        write!(formatter, "({})", texts.join(", "))
    }
}

/// A quoted text.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escaped = self.0.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
        write!(formatter, "\"{escaped}\"")
    }
}

impl fmt::Display for FieldName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |character: char| character.is_alphanumeric() || character == '_';
        let begins = self.name.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
        if begins && self.name.chars().all(plain) && !WORDS.contains(&self.name.as_str()) {
            write!(formatter, "{}.{}", self.of, self.name)
        } else {
            write!(formatter, "{}.{}", self.of, Quoted(&self.name))
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(factor) = self.factor {
            write!(formatter, "{factor} * ")?;
        }
        match &self.term {
            Term::Field(field) => write!(formatter, "{field}")?,
            Term::Text(text) => write!(formatter, "{}", Quoted(text))?,
            Term::Number(number) => write!(formatter, "{number}")?,
            Term::Date(day) => formatter.write_str(day)?,
            Term::Today => formatter.write_str("today")?,
        }
        match self.plus {
            Some(plus) if plus < 0.0 => write!(formatter, " - {}", -plus),
            Some(plus) => write!(formatter, " + {plus}"),
            None => Ok(()),
        }
    }
}

impl Operator {
    /// Returns the operator's sign.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        }
    }
}
