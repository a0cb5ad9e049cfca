//! What links to further pages say, in many languages.
//!
//! A text is judged as a whole. *Next* is such a text, as *next 20 results* is; *next article*, *next restaurant* and
//! *read more* are not, because they lead away from the list. So every language has its few phrases, and English, in
//! which much of the web is written, some words that may stand beside.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// What a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    /// The next page, in words.
    Next,
    /// The next page, or more of something else.
    More,
    /// An arrow that points onwards.
    Arrow,
    /// The page before, or the first, or the last.
    Elsewhere,
    /// An earlier page of a weblog, which is the next one of its list if the address says so.
    Earlier,
    /// The page of this number.
    Number(u32),
    /// Anything else, or nothing.
    Nothing,
}

/// What whole texts say, from `phrases.txt`.
static PHRASES: LazyLock<HashMap<&str, Says>> = LazyLock::new(|| {
    let mut phrases = HashMap::new();
    let mut says = Says::Nothing;
    for line in include_str!("phrases.txt").lines().filter(|line| !line.starts_with('#')) {
        match line {
            "[next]" => says = Says::Next,
            "[more]" => says = Says::More,
            "[elsewhere]" => says = Says::Elsewhere,
            "[earlier]" => says = Says::Earlier,
            _ => phrases.extend(line.split(", ").filter(|phrase| !phrase.is_empty()).map(|phrase| (phrase, says))),
        }
    }
    phrases
});

/// Words that may stand beside *next* and *more* in English.
const BESIDE: [&str; 16] = [
    "page", "pages", "results", "result", "posts", "entries", "items", "articles", "stories", "products", "records",
    "the", "of", "to", "go", "matches",
];

/// The longest of the phrases, and a little: a longer text is no link to a page.
pub(super) const LONGEST: usize = 60;

/// What a text says.
pub(super) fn read(text: &str) -> Says {
    let text: String = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > LONGEST {
        return Says::Nothing;
    }
    let is_mark = |c: char| !(c.is_alphanumeric() || is_part_of_word(c));
    let words = text.trim_matches(is_mark);
    if words.is_empty() {
        return arrow(&text);
    }
    if words.bytes().all(|byte| byte.is_ascii_digit()) {
        return match words.parse() {
            // "+3", "-10%" and "$5" are something else.
            Ok(number) if text.chars().all(|c| !"+-%$€£#*".contains(c)) => Says::Number(number),
            _ => Says::Nothing,
        };
    }
    phrase(words)
}

fn phrase(words: &str) -> Says {
    if let Some(says) = PHRASES.get(words) {
        return *says;
    }
    // "Next 20 results", "page 2 next", "next page - results 31 to 60 of 1,929".
    let mut said = Says::Nothing;
    for word in
        words.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '(' | ')' | ':' | '/' | '»' | '›' | '>'))
    {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        match word {
            "" => {}
            "next" | "older" => said = Says::Next,
            "more" | "load" if said == Says::Nothing => said = Says::More,
            _ if BESIDE.contains(&word) => {}
            _ if word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) => {}
            _ => return Says::Nothing,
        }
    }
    said
}

/// Marks inside words of Indian and other scripts, which are no letters by themselves.
fn is_part_of_word(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{DFF}' | '\u{E31}'..='\u{E4E}' | '\u{EB1}'..='\u{ECD}' | '\u{102B}'..='\u{103E}' | '\u{17B4}'..='\u{17D3}')
}

/// What a text without words says.
fn arrow(text: &str) -> Says {
    let marks: Vec<char> =
        text.chars().filter(|c| !c.is_whitespace() && !"[](){}.…\u{FE0E}\u{FE0F}".contains(*c)).collect();
    match marks[..] {
        [mark] if ">›»→▶►⇒➡⟩〉》❯➔➜⏵▸⮕>".contains(mark) => Says::Arrow,
        // Some write it with two signs; with a bar, it is the last page.
        ['>', '>'] | ['-', '>'] | ['=', '>'] | ['›', '›'] | ['-', '-', '>'] => Says::Arrow,
        [] => Says::Nothing,
        _ if marks.iter().any(|mark| "<‹«←◀◄⇐⬅⟨〈《❮⏴◂|⇤⇥".contains(*mark)) => {
            Says::Elsewhere
        }
        _ => Says::Nothing,
    }
}

/// What a class or id says, taken apart at hyphens, underscores and capitals.
pub(super) fn read_class(class: &str) -> Says {
    let mut said = Says::Nothing;
    for name in class.split_ascii_whitespace().take(12) {
        let parts = parts(name);
        let has = |word: &str| parts.iter().any(|part| part == word);
        // The name of both is that of neither.
        if has("next") && (has("prev") || has("previous")) {
            continue;
        }
        if ["prev", "previous", "first", "last", "disabled", "newer", "pnprev"].iter().any(|word| has(word)) {
            return Says::Elsewhere;
        }
        if ["next", "nextpage", "nextlink", "pnnext", "older", "nextpostslink", "pagenext"].iter().any(|word| has(word))
        {
            said = Says::Next;
        } else if said == Says::Nothing
            && (has("loadmore") || (has("more") && has("load")) || (has("more") && has("show")))
        {
            said = Says::More;
        }
    }
    said
}

/// The lower-case words that a class name is made of.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before_is_small = false;
    for c in name.chars().take(80) {
        if !c.is_alphanumeric() {
            parts.push(String::new());
        } else {
            if c.is_uppercase() && before_is_small {
                parts.push(String::new());
            }
            if let Some(part) = parts.last_mut() {
                part.extend(c.to_lowercase());
            }
        }
        before_is_small = c.is_lowercase() || c.is_ascii_digit();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(says: Says, texts: &[&str]) {
        for text in texts {
            assert_eq!(read(text), says, "{text}");
        }
    }

    #[test]
    fn onwards_in_many_languages() {
        check(
            Says::Next,
            &[
                "Next",
                "NEXT PAGE »",
                "[Next]",
                "« Older posts",
                "next 20",
                "Next Results",
                "Next Page - Results 31 to 60 of 1,929",
                "Nächste Seite",
                "Suivant →",
                "siguiente ›",
                "Próxima página",
                "Successiva",
                "Volgende",
                "Nästa",
                "Næste",
                "Neste side",
                "Seuraava",
                "Następna",
                "Další",
                "Ďalšia",
                "Következő",
                "Următoarea",
                "Sljedeća",
                "Naslednja",
                "След.",
                "Далее",
                "Наступна",
                "Следваща",
                "Επόμενη",
                "Sonraki",
                "التالي",
                "بعدی",
                "הבא",
                "अगला",
                "পরবর্তী",
                "下一页",
                "下一頁 >",
                "次へ",
                "次のページ",
                "다음",
                "ถัดไป",
                "Trang sau",
                "Berikutnya",
                "Seterusnya",
                "Susunod",
            ],
        );
        check(
            Says::More,
            &["Load more", "Load more results", "More stories", "Mehr laden", "加载更多", "Показать ещё", "More »"],
        );
        check(Says::Arrow, &[">", "»", "›", "→", "▶", ">>", "[ > ]"]);
    }

    #[test]
    fn what_leads_elsewhere() {
        check(Says::Elsewhere, &["‹ Prev", "<", "«", "上一页", ">|", "Last", "Newer posts →", "Назад", "« Zurück"]);
        check(
            Says::Nothing,
            &[
                "Next article",
                "Next restaurant",
                "Read more",
                "Next month",
                "Next post: Snow",
                "more cities",
                "Learn more",
                "",
                "Nextdoor",
                "The next big thing",
                "+1",
                "-5",
                "…",
                "editar »",
            ],
        );
        check(Says::Earlier, &["« Previous Entries"]);
        check(Says::Number(12), &["12", "[12]", "(12)", " 12 "]);
    }

    #[test]
    fn classes_are_taken_apart() {
        assert_eq!(read_class("btn next-page"), Says::Next);
        assert_eq!(read_class("paginationNext"), Says::Next);
        assert_eq!(read_class("pn pnnext"), Says::Next);
        assert_eq!(read_class("prev-next"), Says::Nothing);
        assert_eq!(read_class("page-prev"), Says::Elsewhere);
        assert_eq!(read_class("context nextdoor"), Says::Nothing);
        assert_eq!(read_class("load-more__button"), Says::More);
    }

    #[test]
    fn phrases_can_match() {
        // A phrase that is not as texts are when they are compared would never be found, and one of two kinds would be
        // found as either.
        let lines = include_str!("phrases.txt").lines().filter(|line| !line.starts_with(['#', '[']));
        let phrases: Vec<&str> = lines.flat_map(|line| line.split(", ")).filter(|phrase| !phrase.is_empty()).collect();
        for phrase in &phrases {
            assert_ne!(read(phrase), Says::Nothing, "{phrase}");
            assert_eq!(read(phrase), PHRASES[phrase], "{phrase}");
        }
        assert_eq!(phrases.len(), PHRASES.len(), "a phrase stands twice");
    }
}
