//! Estimates of the time to solve a start position, from smaller ones of the same game and convention.
//!
//! The law: the logarithm of the expansions grows linearly with the size n, up to normal errors. Least squares give the
//! line a + b·n through k solved starts, and s² = (sum of squared residuals) ÷ (k − 2). A further start of size n then
//! lies, with a probability of four in five, within t·s·√(1 + 1/k + (n − n̄)²/Σ(nᵢ − n̄)²) of the line, where t is the
//! 0.9 quantile of Student's distribution with k − 2 degrees of freedom (the prediction interval of simple linear
//! regression). Seconds are expansions divided by their rate in the solved starts.

use sproutnet_model::{Estimate, Solved};

/// The least number of solved starts for an estimate.
const LEAST: usize = 3;

/// The maximum number of solved starts for an estimate. The largest are used.
const MOST: usize = 8;

/// The maximum distance in size from the largest solved start to an estimated one.
const AHEAD: u32 = 6;

/// The largest useful ratio of the most time to the least.
const WIDEST: f64 = 1000.0;

/// The number of sizes below a start that are searched for solved ones.
pub const SIZES_BELOW: u32 = 16;

/// The 0.9 quantiles of Student's distribution with 1 to 6 degrees of freedom.
const QUANTILES: [f64; MOST - 2] = [3.078, 1.886, 1.638, 1.533, 1.476, 1.440];

/// The estimate for a start of this size from solved starts, each with its size. Starts without expansions are ignored.
/// `None` if too few starts are smaller, if the largest of them is far away, or if the range would be too wide.
pub fn estimate(solved: impl IntoIterator<Item = (u32, Solved)>, size: u32) -> Option<Estimate> {
    let is_smaller = |of: &(u32, Solved)| of.0 < size && of.1.expansions > 0;
    let mut behind: Vec<(u32, Solved)> = solved.into_iter().filter(is_smaller).collect();
    behind.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
    behind.truncate(MOST);
    if behind.len() < LEAST || size - behind[0].0 > AHEAD {
        return None;
    }
    let points = behind
        .iter()
        .map(|(size, of)| (f64::from(*size), (of.expansions as f64).ln()));
    let (middle, spread) = predicted(&points.collect::<Vec<_>>(), f64::from(size))?;
    let expansions: f64 = behind.iter().map(|(_, of)| of.expansions as f64).sum();
    let seconds: f64 = behind.iter().map(|(_, of)| of.seconds).sum();
    let [low, high] = [middle - spread, middle + spread].map(|ln| ln.exp() * seconds / expansions);
    let is_sound = low > 0.0 && high <= WIDEST * low && high.is_finite();
    is_sound.then_some(Estimate {
        low,
        high,
        behind: behind.len() as u32,
    })
}

/// The value at `x` of the line through points, and the distance from it within which a further point lies with a
/// probability of four in five. `None` if all points have the same first coordinate, or if they are fewer than three or
/// more than eight.
fn predicted(points: &[(f64, f64)], x: f64) -> Option<(f64, f64)> {
    let quantile = points
        .len()
        .checked_sub(LEAST)
        .and_then(|place| QUANTILES.get(place))?;
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|(x, y)| of(x - mean_x, y - mean_y)).sum()
    };
    let squares = sum(&|x, _| x * x);
    if squares == 0.0 {
        return None;
    }
    let slope = sum(&|x, y| x * y) / squares;
    let residuals = sum(&|x, y| (y - slope * x).powi(2));
    let deviation = (residuals / (count - 2.0)).sqrt();
    let away = x - mean_x;
    let error = deviation * (1.0 + 1.0 / count + away * away / squares).sqrt();
    Some((mean_y + slope * away, quantile * error))
}

#[cfg(test)]
mod tests;
