//! The hazards that fit what was measured best: least squares between *e* to the minus of their sum and the share alive,
//! no hazard below zero, by trying each up and down in ever smaller steps.

use super::survey::Measured;

/// Prints the hazards.
pub(super) fn print(measured: &[Measured]) {
    let rows: Vec<&Measured> = measured.iter().filter(|row| !row.several).collect();
    let Some(first) = rows.first() else { return };
    let names: Vec<&str> = first.holds.iter().map(|(name, _)| *name).chain(["always"]).collect();
    let features: Vec<(Vec<f64>, f64, f64)> = rows
        .iter()
        .map(|row| {
            let counts = row.holds.iter().map(|(_, count)| *count as f64).chain([1.0]).collect();
            (counts, row.share(), row.runs as f64)
        })
        .collect();
    let loss = |hazards: &[f64]| -> f64 {
        let error = |(counts, share, runs): &(Vec<f64>, f64, f64)| {
            let sum: f64 = counts.iter().zip(hazards).map(|(count, hazard)| count * hazard).sum();
            runs * ((-sum).exp() - share).powi(2)
        };
        features.iter().map(error).sum()
    };
    let mut hazards = vec![0.05f64; names.len()];
    let mut step = 0.05f64;
    while step > 0.0005 {
        let mut better = false;
        for at in 0..hazards.len() {
            for change in [step, -step] {
                let mut tried = hazards.clone();
                tried[at] = (tried[at] + change).max(0.0);
                if loss(&tried) < loss(&hazards) - 1e-9 {
                    hazards = tried;
                    better = true;
                }
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    let runs: f64 = features.iter().map(|row| row.2).sum();
    println!("\nHazards ({} ways, root mean square error {:.3}):", rows.len(), (loss(&hazards) / runs).sqrt());
    for (at, (name, hazard)) in names.iter().zip(&hazards).enumerate() {
        let ways = features.iter().filter(|row| row.0[at] > 0.0).count();
        println!("  {name}: {hazard:.3}  (in {ways} ways)");
    }
}
