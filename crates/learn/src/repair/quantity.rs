//! What a short text measures, whatever words it is put in: `25 mins`, `0 hours 25 minutes` and `25 minutes mins` are one
//! time, `4` and `4 personnes` one number.

/// Bytes of the longest text that is read as a quantity.
pub(super) const LONGEST: usize = 48;

/// What a text measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// A time, in minutes.
    Time(f64),
    /// A single number with no more than a few words.
    Number(f64),
}

/// Minutes of a unit of time; the usual words of the languages that pages with such fields are in.
fn unit(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    Some(match word.as_str() {
        "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" | "heure" | "heures" | "ora" | "ore"
        | "óra" | "uur" | "uren" | "timme" | "timmar" | "time" | "timer" | "tim" | "hora" | "horas" | "godz"
        | "godzina" | "godziny" | "ч" | "час" | "часа" | "часов" | "saat" => 60.0,
        "m" | "min" | "mins" | "mn" | "minute" | "minutes" | "minuten" | "minuti" | "minuto" | "minutos" | "minut"
        | "minuty" | "minuter" | "minutter" | "perc" | "мин" | "минут" | "минуты" | "dk" | "dakika" | "分" => {
            1.0
        }
        "day" | "days" | "tag" | "tage" | "jour" | "jours" | "giorno" | "giorni" | "dag" | "dagen" | "dagar" => 1440.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0 / 60.0,
        _ => return None,
    })
}

/// What a text measures; none if it is no quantity, or says more than one thing.
pub(super) fn quantity(text: &str) -> Option<Quantity> {
    if text.len() > LONGEST {
        return None;
    }
    let (mut numbers, mut minutes, mut words) = (Vec::new(), 0.0, 0usize);
    let (mut open, mut last, mut timed) = (None, None, false);
    for token in tokens(text) {
        if let Some(number) = number(token) {
            // `1h20`: what follows hours is minutes.
            if open.replace(number).is_some() {
                return None;
            }
            numbers.push(number);
            continue;
        }
        match unit(token) {
            Some(unit) if open.is_some() => {
                minutes += open.take().unwrap_or_default() * unit;
                (last, timed) = (Some(unit), true);
            }
            // The unit is said a second time, for those who listen to the page.
            Some(unit) if last == Some(unit) => {}
            _ => words += 1,
        }
    }
    if timed && words <= 1 {
        if let Some(rest) = open {
            match last {
                Some(60.0) => minutes += rest,
                _ => return None,
            }
        }
        return Some(Quantity::Time(minutes));
    }
    match numbers[..] {
        [number] if words <= 3 => Some(Quantity::Number(number)),
        _ => None,
    }
}

/// Runs of digits with their signs, and runs of letters.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let kind = |c: char| match c {
        '0'..='9' => 1,
        _ if c.is_alphabetic() => 2,
        '.' | ',' => 3,
        _ => 0,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = rest.find(|c| matches!(kind(c), 1 | 2))?;
        rest = &rest[from..];
        let first = rest.chars().next().map_or(0, kind);
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            let digits = first == 1 && kind(c) == 3 && rest[at + 1..].starts_with(|c: char| c.is_ascii_digit());
            if kind(c) != first && !digits {
                end = at;
                break;
            }
        }
        let (token, more) = rest.split_at(end);
        rest = more;
        Some(token)
    })
}

fn number(token: &str) -> Option<f64> {
    token.starts_with(|c: char| c.is_ascii_digit()).then(|| token.replace(',', ".").parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Quantity, quantity};

    #[test]
    fn the_same_in_other_words() {
        for text in ["25 mins", "0 hours 25 mins", "25 MINUTES", "25 minutes mins", "25 min."] {
            assert_eq!(quantity(text), Some(Quantity::Time(25.0)), "{text}");
        }
        for text in ["1h20", "1 h 20 min", "80 Minuten", "1 hour, 20 minutes"] {
            assert_eq!(quantity(text), Some(Quantity::Time(80.0)), "{text}");
        }
        for text in ["4", "4 personnes", "4personnes", "Servings: 4"] {
            assert_eq!(quantity(text), Some(Quantity::Number(4.0)), "{text}");
        }
        for text in ["", "soon", "2 to 4", "5/8", "30 minutes / 1 hour of rest"] {
            assert!(!matches!(quantity(text), Some(Quantity::Time(30.0))), "{text}");
        }
        assert_eq!(quantity("2 to 4"), None);
    }
}
