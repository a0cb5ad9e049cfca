//! Intervals of probability.
//!
//! The arithmetic here is Fréchet's: the bounds of a conjunction or disjunction if nothing is known about the
//! dependence of its parts. It is exact for parts that share no proposition, and an outer bound otherwise; the linear
//! program ([`entail`](super::entail)) is always exact.

use std::fmt;

/// An interval of probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// The interval if nothing is known.
    pub const UNKNOWN: Interval = Interval { low: 0.0, high: 1.0 };
    /// The interval of a certain truth.
    pub const TRUE: Interval = Interval { low: 1.0, high: 1.0 };
    /// The interval of a certain falsehood.
    pub const FALSE: Interval = Interval { low: 0.0, high: 0.0 };

    /// Creates the interval of exactly this probability.
    pub fn exactly(probability: f64) -> Interval {
        Interval { low: probability, high: probability }
    }

    /// Creates the interval of at least this probability.
    pub fn at_least(probability: f64) -> Interval {
        Interval { low: probability, high: 1.0 }
    }

    /// Creates the interval between two probabilities.
    pub fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// Reports whether both ends are probabilities and in order.
    pub fn is_proper(self) -> bool {
        (0.0..=1.0).contains(&self.low) && (0.0..=1.0).contains(&self.high) && self.low <= self.high
    }

    /// Returns the interval of the negation.
    pub fn negate(self) -> Interval {
        Interval { low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// Returns the interval of a conjunction, whatever the dependence.
    pub fn and(self, other: Interval) -> Interval {
        Interval { low: (self.low + other.low - 1.0).max(0.0), high: self.high.min(other.high) }
    }

    /// Returns the interval of a disjunction, whatever the dependence.
    pub fn or(self, other: Interval) -> Interval {
        self.negate().and(other.negate()).negate()
    }

    /// Clamps the interval into [0, 1] and orders its ends, to undo rounding errors.
    pub(super) fn clamped(self) -> Interval {
        let low = self.low.clamp(0.0, 1.0);
        Interval { low, high: self.high.clamp(low, 1.0) }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (self.high - self.low).abs() < 5e-5 {
            write!(formatter, "{:.4}", self.low)
        } else {
            write!(formatter, "[{:.4}, {:.4}]", self.low, self.high)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frechet() {
        let both = Interval::exactly(0.75).and(Interval::exactly(0.5));
        assert_eq!(both, Interval::new(0.25, 0.5));
        let either = Interval::exactly(0.75).or(Interval::exactly(0.5));
        assert_eq!(either, Interval::new(0.75, 1.0));
        assert_eq!(Interval::TRUE.and(Interval::UNKNOWN), Interval::UNKNOWN);
        assert_eq!(Interval::FALSE.and(Interval::UNKNOWN), Interval::FALSE);
    }
}
