//! Curves over time. The picture is stretched to the space available. Text stands beside it, so that
//! letters keep their size on a phone.

use maud::{Markup, html};
use sproutnet_system::figures::time;

/// The picture's size, in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// A curve.
pub(super) struct Series {
    /// The name in the legend.
    pub(super) name: &'static str,
    /// Its class in the style.
    pub(super) class: &'static str,
    /// Seconds and values, in the order of time. NaN is a gap.
    pub(super) points: Vec<(f64, f64)>,
}

/// How values are placed on the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// From zero.
    Linear,
    /// By powers of ten. Values that are not positive have no place.
    Logarithmic,
}

/// An axis, and the values of its grid lines: from end to end, ascending, evenly spaced.
#[derive(Debug, PartialEq)]
struct Axis {
    scale: Scale,
    ticks: Vec<f64>,
}

/// Curves with their names. If no two points can be joined, a note says so.
pub(super) fn plot(id: &str, title: &str, scale: Scale, series: &[Series]) -> Markup {
    let points = || series.iter().flat_map(|series| &series.points);
    let is_shown = |value: f64| value.is_finite() && (scale == Scale::Linear || value > 0.0);
    let values = points().map(|of| of.1).filter(|&value| is_shown(value));
    let has_curve = |series: &Series| {
        let shown = series.points.iter().filter(|of| is_shown(of.1));
        shown.count() > 1
    };
    let end = points().map(|of| of.0).fold(0.0, f64::max);
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
                        role="img" aria-label=(described(title, series)) {
                        @for tick in &axis.ticks {
                            @let y = format!("{:.1}", axis.height(*tick));
                            line.grid x1="0" x2=(WIDTH) y1=(y) y2=(y) {}
                        }
                        @for series in series {
                            path.curve.(series.class) d=(line(series, &axis, end, is_shown)) {}
                        }
                    }
                    ol.times aria-hidden="true" {
                        li { "0" } li { (time(end / 2.0)) } li { (time(end)) }
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
                // At most seven lines.
                let step = (high - low + 5) / 6;
                let steps = (high - low + step - 1) / step;
                (0..=steps).map(|n| 10_f64.powi(low + n * step)).collect()
            }
        };
        Self { scale, ticks }
    }

    /// The distance of a value from the top of the picture.
    fn height(&self, value: f64) -> f64 {
        let (low, high) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        let share = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => (value / low).log10() / (high / low).log10(),
        };
        HEIGHT * (1.0 - share)
    }
}

/// The least number of the form 1, 2 or 5 times a power of ten that is at least `value`.
fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

/// The path of a pen along a curve. The pen is lifted where nothing can be shown.
fn line(series: &Series, axis: &Axis, end: f64, is_shown: impl Fn(f64) -> bool) -> String {
    let mut path = String::new();
    let mut is_down = false;
    for &(seconds, value) in &series.points {
        if is_shown(value) {
            let command = if is_down { 'L' } else { 'M' };
            let (x, y) = (WIDTH * seconds / end, axis.height(value));
            path.push_str(&format!("{command}{x:.1} {y:.1}"));
        }
        is_down = is_shown(value);
    }
    path
}

/// A plot in words: the last value of each curve.
fn described(title: &str, series: &[Series]) -> String {
    let last = series.iter().filter_map(|series| {
        let (seconds, value) = series.points.iter().rfind(|of| of.1.is_finite())?;
        let (name, value, at) = (series.name, short(*value), time(*seconds));
        Some(format!(" {name}: {value} at {at}."))
    });
    format!("{title}.{}", last.collect::<String>())
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
    if value.fract() == 0.0 {
        format!("{value}")
    } else {
        format!("{value:.1}")
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "round numbers are exact")]
mod tests;
