//! The places of panels in a picture.

use crate::point::Point;

/// The distance between panels, and between panels and the border of the picture.
const GAP: f64 = 12.0;

/// The minimum width and height of a picture.
const EMPTY: f64 = 80.0;

/// The approximate ratio of width to height.
const ASPECT: f64 = 1.5;

/// The places of panels, and the size of the picture.
pub(super) struct Arranged {
    /// The top left corner of each panel.
    pub(super) corners: Vec<Point>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Puts panels of these widths and heights below each other, in one column.
pub(super) fn below(sizes: &[(f64, f64)]) -> Arranged {
    let mut top = GAP;
    let mut corners = Vec::new();
    for (_, height) in sizes {
        corners.push(Point::new(GAP, top));
        top += height + GAP;
    }
    let widest = sizes.iter().map(|size| size.0).fold(0.0, f64::max);
    Arranged {
        corners,
        width: (widest + 2.0 * GAP).max(EMPTY),
        height: top.max(EMPTY),
    }
}

/// Puts squares with these sides beside each other.
pub(super) fn squares(sides: impl Iterator<Item = f64>) -> Arranged {
    let sizes: Vec<_> = sides.map(|side| (side, side)).collect();
    beside(&sizes)
}

/// Puts panels of these widths and heights beside each other, in rows of about the same width.
pub(super) fn beside(sizes: &[(f64, f64)]) -> Arranged {
    let areas = sizes
        .iter()
        .map(|(width, height)| (width + GAP) * (height + GAP));
    let widest = sizes.iter().map(|size| size.0).fold(0.0, f64::max);
    let limit = (areas.sum::<f64>() * ASPECT).sqrt().max(widest) + 1.0;
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut way = f64::INFINITY;
    for (i, (width, _)) in sizes.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if way + width <= limit => row.push(i),
            _ => {
                rows.push(vec![i]);
                way = 0.0;
            }
        }
        way += width + GAP;
    }
    let width_of = |row: &[usize]| row.iter().map(|&i| sizes[i].0 + GAP).sum::<f64>() + GAP;
    let width = rows.iter().map(|row| width_of(row)).fold(EMPTY, f64::max);
    let mut corners = Vec::new();
    let mut top = GAP;
    for row in &rows {
        let height = row.iter().map(|&i| sizes[i].1).fold(0.0, f64::max);
        let mut left = (width - width_of(row)) / 2.0 + GAP;
        for &i in row {
            corners.push(Point::new(left, top + (height - sizes[i].1) / 2.0));
            left += sizes[i].0 + GAP;
        }
        top += height + GAP;
    }
    Arranged {
        corners,
        width,
        height: top.max(EMPTY),
    }
}
