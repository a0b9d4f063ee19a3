//! Curves over time. The picture is stretched to the place there is, so what is written stands beside
//! it and not in it: letters keep their size on a phone.

use std::fmt::Write as _;

use maud::{Markup, html};
use sproutnet_system::figures::time;

/// The picture's own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// A curve.
pub(super) struct Series {
    /// What it shows.
    pub(super) name: &'static str,
    /// How it is drawn: a class of the style.
    pub(super) class: &'static str,
    /// Seconds and values, in the order of time. A gap is a value that is no number.
    pub(super) points: Vec<(f64, f64)>,
}

/// How values are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// From zero.
    Linear,
    /// By powers of ten. What is not positive has no place.
    Logarithmic,
}

/// The values at the two ends of the axis, and those of its lines from the lowest to the highest,
/// evenly apart on it.
#[derive(Debug, PartialEq)]
struct Axis {
    scale: Scale,
    ticks: Vec<f64>,
}

/// Curves of one kind with their names. Nothing but words where there are no two points to join.
pub(super) fn plot(id: &str, title: &str, scale: Scale, series: &[Series]) -> Markup {
    let points = || series.iter().flat_map(|series| &series.points);
    let is_shown = |value: f64| value.is_finite() && (scale == Scale::Linear || value > 0.0);
    let values = points()
        .map(|&(_, value)| value)
        .filter(|&value| is_shown(value));
    let has_curve = |series: &Series| {
        let shown = series.points.iter().filter(|(_, value)| is_shown(*value));
        shown.count() > 1
    };
    let end = points().map(|&(seconds, _)| seconds).fold(0.0, f64::max);
    let axis = Axis::of(scale, values);
    html! {
        figure.plot id=(id) {
            figcaption {
                strong { (title) }
                @if series.len() > 1 {
                    @for series in series {
                        span.key.(series.class) { (series.name) }
                    }
                }
            }
            @if end > 0.0 && series.iter().any(has_curve) {
                div.plotted {
                    ol.ticks aria-hidden="true" {
                        @for tick in axis.ticks.iter().rev() { li { (short(*tick)) } }
                    }
                    svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none"
                        role="img" aria-label=(told(title, series)) {
                        @for tick in &axis.ticks {
                            @let y = format!("{:.1}", axis.height(*tick));
                            line.grid x1="0" x2=(WIDTH) y1=(y) y2=(y) {}
                        }
                        @for series in series {
                            path.curve.(series.class) d=(line(series, &axis, end, is_shown)) {}
                        }
                    }
                    ol.times aria-hidden="true" {
                        li { "0" }
                        li { (time(end / 2.0)) }
                        li { (time(end)) }
                    }
                }
            } @else {
                p.note { "Nothing to draw yet." }
            }
        }
    }
}

impl Axis {
    /// An axis on which all these values have a place.
    fn of(scale: Scale, values: impl Iterator<Item = f64> + Clone) -> Self {
        let greatest = values.clone().fold(0.0, f64::max);
        let ticks = match scale {
            Scale::Linear => {
                let step = round_up(greatest.max(1.0) / 4.0);
                let steps = (greatest.max(1.0) / step).ceil() as u32;
                (0..=steps).map(|n| f64::from(n) * step).collect()
            }
            Scale::Logarithmic => {
                let least = values.fold(f64::INFINITY, f64::min).min(greatest.max(1.0));
                let low = least.log10().floor() as i32;
                let high = (greatest.max(1.0).log10().ceil() as i32).max(low + 1);
                // Not more than seven lines.
                let step = (high - low + 5) / 6;
                let steps = (high - low + step - 1) / step;
                (0..=steps).map(|n| 10_f64.powi(low + n * step)).collect()
            }
        };
        Self { scale, ticks }
    }

    /// Where a value stands, from the top of the picture.
    fn height(&self, value: f64) -> f64 {
        let (low, high) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        let share = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => (value / low).log10() / (high / low).log10(),
        };
        HEIGHT * (1.0 - share)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not less.
fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

/// The way of a pen along a curve; it is lifted where nothing can be shown.
fn line(series: &Series, axis: &Axis, end: f64, is_shown: impl Fn(f64) -> bool) -> String {
    let mut way = String::new();
    let mut is_down = false;
    for &(seconds, value) in &series.points {
        if is_shown(value) {
            let command = if is_down { 'L' } else { 'M' };
            let (x, y) = (WIDTH * seconds / end, axis.height(value));
            // Writing to a text cannot fail.
            let _ = write!(way, "{command}{x:.1} {y:.1}");
        }
        is_down = is_shown(value);
    }
    way
}

/// What a plot shows, in words.
fn told(title: &str, series: &[Series]) -> String {
    let mut told = format!("{title}.");
    for series in series {
        let shown = series
            .points
            .iter()
            .rev()
            .find(|(_, value)| value.is_finite());
        if let Some((seconds, value)) = shown {
            let (name, value, at) = (series.name, short(*value), time(*seconds));
            told.push_str(&format!(" {name}: {value} at {at}."));
        }
    }
    told
}

/// A value in few letters: `1.2k`, `30M`.
fn short(value: f64) -> String {
    for (unit, name) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit {
            let scaled = value / unit;
            let digits = usize::from(scaled < 10.0 && scaled.fract() > 0.05);
            return format!("{scaled:.digits$}{name}");
        }
    }
    match value.fract() == 0.0 {
        true => format!("{value}"),
        false => format!("{value:.1}"),
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "round numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_place_on_its_axis() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            for values in [
                vec![],
                vec![1.0],
                vec![0.5, 3.0],
                vec![1.0, 10.0],
                vec![999.0, 4e9],
                vec![7.0, 7.0, 7.0],
            ] {
                let axis = Axis::of(scale, values.iter().copied());
                assert!((2..=8).contains(&axis.ticks.len()), "{axis:?}");
                assert!(axis.ticks.is_sorted_by(|a, b| a < b), "{axis:?}");
                for value in values {
                    let height = axis.height(value);
                    assert!(
                        (-0.01..=HEIGHT + 0.01).contains(&height),
                        "{axis:?} {value}"
                    );
                }
            }
        }
        let linear = Axis::of(Scale::Linear, [37.0].into_iter());
        assert_eq!(linear.ticks, [0.0, 10.0, 20.0, 30.0, 40.0]);
        let decades = Axis::of(Scale::Logarithmic, [3.0, 2e4].into_iter());
        assert_eq!(decades.ticks, [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
    }

    #[test]
    fn the_pen_is_lifted_over_gaps() {
        let series = Series {
            name: "a",
            class: "b",
            points: vec![
                (0.0, f64::NAN),
                (1.0, 1.0),
                (2.0, 2.0),
                (3.0, f64::NAN),
                (4.0, 0.0),
            ],
        };
        let axis = Axis::of(Scale::Linear, [2.0].into_iter());
        let way = line(&series, &axis, 4.0, f64::is_finite);
        assert_eq!(way, "M250.0 150.0L500.0 0.0M1000.0 300.0");
    }

    #[test]
    fn values_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (999.0, "999"),
            (1_000.0, "1k"),
            (1_250.0, "1.2k"),
            (30_000_000.0, "30M"),
            (4e9, "4G"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
