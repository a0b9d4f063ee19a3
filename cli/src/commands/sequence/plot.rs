//! A plot of nimbers against the sizes of heaps, as an SVG picture.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Heaps;

/// The size of the picture, and the margin around the points, in pixels.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 48.0;

/// Grid lines of an axis are at least its span divided by this apart, rounded down.
const MOST_LINES: u32 = 10;

/// Draws a point for each heap. Points that would cover each other are drawn once.
pub(super) fn svg(heaps: &Heaps) -> String {
    let highest = heaps.nimbers.iter().copied().max().unwrap_or(0).max(1);
    let (first, last) = (heaps.first, heaps.last().max(heaps.first + 1));
    let x = |size: u32| {
        MARGIN + f64::from(size - first) / f64::from(last - first) * (WIDTH - 2.0 * MARGIN)
    };
    let y = |nimber: u32| {
        HEIGHT - MARGIN - f64::from(nimber) / f64::from(highest) * (HEIGHT - 2.0 * MARGIN)
    };
    let title = match &heaps.period {
        Some(period) => format!(
            "{}: period {} from {} on",
            heaps.game, period.length, period.from
        ),
        None => heaps.summary(),
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"16\">{title}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">tokens in the heap</text>\n\
         <text x=\"8\" y=\"{}\">nimber</text>\n<g stroke=\"#ddd\">\n",
        WIDTH - MARGIN,
        HEIGHT - 8.0,
        MARGIN - 12.0,
    );
    let mut labels = String::new();
    for size in lines(first, last) {
        let at = x(size);
        let (top, bottom) = (MARGIN, HEIGHT - MARGIN);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\"/>");
        let below = bottom + 16.0;
        let _ = writeln!(
            labels,
            "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{size}</text>"
        );
    }
    for nimber in lines(0, highest) {
        let (at, end, beside) = (y(nimber), WIDTH - MARGIN, MARGIN - 8.0);
        let _ = writeln!(svg, "<path d=\"M{MARGIN} {at:.1}H{end}\"/>");
        let base = at + 4.0;
        let _ = writeln!(
            labels,
            "<text x=\"{beside}\" y=\"{base:.1}\" text-anchor=\"end\">{nimber}</text>"
        );
    }
    svg.push_str("</g>\n");
    svg.push_str(&labels);
    // A path of length zero with round ends is a dot.
    svg.push_str("<path stroke=\"#0b6e4f\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"");
    let mut drawn = BTreeSet::new();
    for (size, nimber) in heaps.sizes() {
        let at = x(size).round() as u32;
        if drawn.insert((at, nimber)) {
            let _ = write!(svg, "M{at} {:.1}h0", y(nimber));
        }
    }
    svg.push_str("\"/>\n</svg>\n");
    svg
}

/// The grid lines of an axis, at round numbers: at most twice [`MOST_LINES`].
fn lines(first: u32, last: u32) -> impl Iterator<Item = u32> {
    let least = ((last - first) / MOST_LINES).max(1);
    let power = 10u32.pow(least.ilog10());
    let steps = [1, 2, 5, 10].map(|factor| factor * power);
    let step = steps
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10 * power);
    (first.div_ceil(step)..=last / step).map(move |line| line * step)
}
