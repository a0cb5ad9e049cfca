//! Who gets what, so that all together get the most: the assignment problem, solved by shortest augmenting paths.
//!
//! # Cost
//!
//! The square of the rows times the columns.

/// For each row the column it gets, if that is worth something, and what all of it is worth. A column goes to one row.
/// `worth`: by row, by column; nothing below 0 is taken.
pub(super) fn best(worth: &[Vec<f32>]) -> (Vec<Option<usize>>, f32) {
    let (rows, columns) = (worth.len(), worth.iter().map(Vec::len).max().unwrap_or_default());
    let value = |row: usize, column: usize| worth[row].get(column).copied().unwrap_or(0.0).max(0.0);
    // Behind the columns one for each row that is worth nothing; all numbers from 1, 0 being where a path begins.
    let width = columns + rows;
    let (mut of_row, mut of_column) = (vec![0.0f32; rows + 1], vec![0.0f32; width + 1]);
    let (mut owner, mut way) = (vec![0usize; width + 1], vec![0usize; width + 1]);
    for row in 1..=rows {
        owner[0] = row;
        let mut at = 0;
        let mut slack = vec![f32::INFINITY; width + 1];
        let mut seen = vec![false; width + 1];
        while owner[at] != 0 {
            seen[at] = true;
            let (from, mut least, mut next) = (owner[at], f32::INFINITY, 0);
            for column in (1..=width).filter(|&column| !seen[column]) {
                let cost = -value(from - 1, column - 1) - of_row[from] - of_column[column];
                if cost < slack[column] {
                    (slack[column], way[column]) = (cost, at);
                }
                if slack[column] < least {
                    (least, next) = (slack[column], column);
                }
            }
            for column in 0..=width {
                match seen[column] {
                    true => {
                        of_row[owner[column]] += least;
                        of_column[column] -= least;
                    }
                    false => slack[column] -= least,
                }
            }
            at = next;
        }
        while at != 0 {
            owner[at] = owner[way[at]];
            at = way[at];
        }
    }
    let mut chosen = vec![None; rows];
    for column in 1..=columns {
        if owner[column] > 0 && value(owner[column] - 1, column - 1) > 0.0 {
            chosen[owner[column] - 1] = Some(column - 1);
        }
    }
    let total = chosen.iter().enumerate().filter_map(|(row, column)| Some(value(row, (*column)?))).sum();
    (chosen, total)
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn the_best_for_all_is_not_the_best_for_each() {
        let (chosen, total) = best(&[vec![0.9, 0.8], vec![0.8, 0.1]]);
        assert_eq!(chosen, [Some(1), Some(0)]);
        assert!((total - 1.6).abs() < 1e-5);
    }

    #[test]
    fn what_is_worth_nothing_goes_to_nobody() {
        assert_eq!(best(&[vec![0.0, -1.0], vec![0.0, 0.5], vec![0.0, 0.4]]).0, [None, Some(1), None]);
        assert_eq!(best(&[]).0, []);
        assert_eq!(best(&[vec![]]).0, [None]);
    }
}
