//! Plots as inline SVG: weeks on the horizontal axis, counts on the vertical one; bars for events and a line for the
//! state.
//!
//! They are readable in black and white: bars are solid or hatched, the line has points. Colours come from the page
//! (`currentColor` and classes), so they follow light and dark mode. A plot is 340 wide, which fits a phone without
//! scaling.

use std::fmt::Write;

use super::text::escaped;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 26.0;

/// Data of a plot.
pub(super) struct Plot<'a> {
    /// Element id, unique on the page.
    pub(super) id: &'a str,
    /// Title of the plot.
    pub(super) title: &'a str,
    /// Labels of the weeks.
    pub(super) labels: &'a [String],
    /// Name and values of the line.
    pub(super) line: (&'a str, Vec<u64>),
    /// Names and values of the bars, at most two: solid, then hatched.
    pub(super) bars: Vec<(&'a str, Vec<u64>)>,
}

impl Plot<'_> {
    pub(super) fn svg(&self) -> String {
        let count = self.labels.len().max(1);
        let most = self.line.1.iter().chain(self.bars.iter().flat_map(|(_, bar)| bar)).copied().max().unwrap_or(0);
        let step = step(most);
        let top = (most.div_ceil(step) * step).max(step);
        let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let slot = wide / count as f64;
        let x = |at: usize| LEFT + slot * (at as f64 + 0.5);
        let y = |value: u64| TOP + high * (1.0 - value as f64 / top as f64);
        let base = TOP + high;
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"{0}-t\">\n\
             <title id=\"{0}-t\">{1}</title>\n<defs><pattern id=\"{0}-h\" width=\"4\" height=\"4\" \
             patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"1.6\" \
             height=\"4\"/></pattern></defs>\n",
            self.id,
            escaped(self.title),
        );
        for value in (0..=top).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            let at = y(value);
            let class = if value == 0 { "axis" } else { "grid" };
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 5.0,
                at + 3.5,
                short(value),
            );
        }
        let bar = (slot * 0.7 / self.bars.len().max(1) as f64).min(22.0);
        for (number, (_, values)) in self.bars.iter().enumerate() {
            let shift = bar * (number as f64 - self.bars.len() as f64 / 2.0);
            for (at, value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
                let (left, above) = (x(at) + shift, y(*value));
                // The page's style sheet fills the other bars.
                let fill = if number == 0 { String::new() } else { format!(" style=\"fill:url(#{}-h)\"", self.id) };
                let class = if number == 0 { "bar" } else { "bar hatched" };
                let _ = writeln!(
                    svg,
                    "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{above:.1}\" width=\"{:.1}\" height=\"{:.1}\"{fill}/>",
                    (bar - 0.8).max(0.6),
                    base - above,
                );
            }
        }
        let points: Vec<String> =
            self.line.1.iter().enumerate().map(|(at, value)| format!("{:.1},{:.1}", x(at), y(*value))).collect();
        let _ = writeln!(svg, "<polyline class=\"line\" points=\"{}\"/>", points.join(" "));
        if count <= 30 {
            for (at, value) in self.line.1.iter().enumerate() {
                let _ = write!(svg, "<circle class=\"point\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.4\"/>", x(at), y(*value));
            }
        }
        self.weeks(&mut svg, x);
        svg.push_str("</svg>\n");
        svg
    }

    /// Writes as many week labels as fit side by side.
    fn weeks(&self, svg: &mut String, x: impl Fn(usize) -> f64) {
        let every = self.labels.len().div_ceil(5).max(1);
        let last = self.labels.len().saturating_sub(1);
        for (at, label) in self.labels.iter().enumerate().filter(|(at, _)| (last - at).is_multiple_of(every)) {
            let (place, anchor) = match x(at) {
                place if place > WIDTH - 30.0 => (WIDTH - RIGHT, "end"),
                place => (place, "middle"),
            };
            let _ = writeln!(
                svg,
                "<text class=\"tick\" x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                HEIGHT - 8.0,
                escaped(label),
            );
        }
    }

    /// Returns the legend of the line and the bars.
    pub(super) fn legend(&self) -> String {
        let mut keys = vec![format!(
            "<span class=\"legend\"><span class=\"key line-key\"></span> {}</span>",
            escaped(self.line.0)
        )];
        for (number, (name, _)) in self.bars.iter().enumerate() {
            let class = if number == 0 { "bar-key" } else { "hatch-key" };
            keys.push(format!("<span class=\"legend\"><span class=\"key {class}\"></span> {}</span>", escaped(name)));
        }
        keys.join(" ")
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, … with which the axis has at most five marks.
fn step(most: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if most.div_ceil(step) <= 5 {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Formats a number in few characters.
fn short(value: u64) -> String {
    match value {
        1_000_000.. if value.is_multiple_of(100_000) => format!("{}M", value as f64 / 1e6),
        10_000.. if value.is_multiple_of(100) => format!("{}k", value as f64 / 1e3),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let steps = [0, 1, 5, 6, 11, 26, 51, 3_000, 100_000].map(step);
        assert_eq!(steps, [1, 1, 1, 2, 5, 10, 20, 1_000, 20_000]);
        assert!(u64::MAX.div_ceil(step(u64::MAX)) <= 5);
        assert_eq!([9_999, 20_000, 1_500_000].map(short), ["9999", "20k", "1.5M"]);
    }

    #[test]
    fn higher_is_more_and_nothing_leaves_the_picture() {
        let labels: Vec<String> = (1..=53).map(|week| format!("W{week:02}")).collect();
        let line: Vec<u64> = (0..53).map(|week| week * 7).collect();
        let bars = vec![("new", vec![7; 53]), ("gone", vec![0; 53])];
        let svg = Plot { id: "p", title: "a < b", labels: &labels, line: ("open", line), bars }.svg();
        assert!(svg.contains("<title id=\"p-t\">a &lt; b</title>"));
        let points = svg.split_once("points=\"").unwrap().1.split_once('"').unwrap().0;
        let points: Vec<(f64, f64)> = points
            .split(' ')
            .map(|point| point.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap())
            .collect();
        assert_eq!(points.len(), 53);
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 > two[1].1));
        assert!(points.iter().all(|(x, y)| (LEFT..WIDTH).contains(x) && (0.0..HEIGHT).contains(y)));
        assert_eq!(svg.matches("class=\"bar\"").count(), 53);
        assert_eq!(svg.matches("hatched").count(), 0, "nothing was gone");
    }

    #[test]
    fn a_single_week_of_nothing_is_a_plot() {
        let bars = vec![("new", vec![0])];
        let svg = Plot { id: "p", title: "t", labels: &["W01".into()], line: ("known", vec![0]), bars }.svg();
        assert!(svg.contains("<polyline") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
