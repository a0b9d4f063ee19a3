//! Points of the plane.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A point or a vector; y grows downwards on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The way on which this point leaves another one up to a distance; none if it is that far.
    pub(crate) fn away_from(self, other: Self, clear: f64) -> Self {
        let distance = self.distance(other);
        if distance >= clear || distance == 0.0 {
            return Self::default();
        }
        (self - other) * ((clear - distance) / distance)
    }

    /// The point with these coordinates.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point at an angle, in radians, on the unit circle.
    pub(super) fn at_angle(angle: f64) -> Self {
        Self::new(angle.cos(), angle.sin())
    }

    /// Its length as a vector.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The distance from another point.
    pub fn distance(self, other: Self) -> f64 {
        (self - other).length()
    }

    /// The point at a part, from 0 to 1, of the way to another.
    pub(super) fn toward(self, other: Self, part: f64) -> Self {
        self + (other - self) * part
    }

    /// The cross product: positive if the other point is counterclockwise, with y upwards.
    pub(super) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The distance from the segment between two points.
    pub(super) fn distance_to_segment(self, from: Self, to: Self) -> f64 {
        let way = to - from;
        let square = way.dot(way);
        if square == 0.0 {
            return self.distance(from);
        }
        let part = ((self - from).dot(way) / square).clamp(0.0, 1.0);
        self.distance(from + way * part)
    }
}

/// Twice the area of a triangle, positive if it is counterclockwise.
pub(super) fn area(a: Point, b: Point, c: Point) -> f64 {
    (b - a).cross(c - a)
}

/// Twice the area of a polygon, with its sign.
pub(super) fn area_of(polygon: &[Point]) -> f64 {
    let pairs = polygon.windows(2);
    pairs.map(|pair| area(polygon[0], pair[0], pair[1])).sum()
}

/// Whether a polygon winds around a point that is not on it. It may cross itself.
pub(super) fn encloses(polygon: &[Point], point: Point) -> bool {
    let mut turns = 0;
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let is_upwards = b.y > a.y;
        if (a.y > point.y) != (b.y > point.y) && (area(a, b, point) > 0.0) == is_upwards {
            turns += if is_upwards { 1 } else { -1 };
        }
    }
    turns != 0
}

/// The distance of a point from a line through these points.
pub(super) fn distance_to_line(point: Point, line: &[Point]) -> f64 {
    let steps = line.windows(2);
    let away = steps.map(|step| point.distance_to_segment(step[0], step[1]));
    away.fold(f64::INFINITY, f64::min)
}

/// The length of a line through these points.
pub(super) fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|step| step[0].distance(step[1])).sum()
}

/// Whether two segments have a point in common.
pub(super) fn segments_meet(a: [Point; 2], b: [Point; 2]) -> bool {
    let apart = |low: f64, high: f64, other_low: f64, other_high: f64| {
        low.max(high) < other_low.min(other_high) || other_low.max(other_high) < low.min(high)
    };
    if apart(a[0].x, a[1].x, b[0].x, b[1].x) || apart(a[0].y, a[1].y, b[0].y, b[1].y) {
        return false;
    }
    let side = |line: [Point; 2], point| area(line[0], line[1], point);
    side(a, b[0]) * side(a, b[1]) <= 0.0 && side(b, a[0]) * side(b, a[1]) <= 0.0
}

/// The point where two segments cross; `None` if they are parallel or apart.
pub(super) fn meeting(a: [Point; 2], b: [Point; 2]) -> Option<Point> {
    if !segments_meet(a, b) {
        return None;
    }
    let (along, other) = (a[1] - a[0], b[1] - b[0]);
    let turn = along.cross(other);
    (turn != 0.0).then(|| a[0] + along * ((b[0] - a[0]).cross(other) / turn))
}

/// Whether two segments have a point in common that is not an end of both.
pub(super) fn segments_cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let shared: Vec<Point> = a.into_iter().filter(|end| b.contains(end)).collect();
    match shared[..] {
        [] => segments_meet(a, b),
        [end] => {
            // They overlap if they leave the common end in the same direction.
            let far = |of: [Point; 2]| if of[0] == end { of[1] } else { of[0] };
            let (one, other) = (far(a), far(b));
            area(end, one, other) == 0.0 && (one - end).dot(other - end) > 0.0
        }
        _ => true,
    }
}

/// Whether a triangle contains a point.
pub(super) fn is_within([a, b, c]: [Point; 3], point: Point) -> bool {
    let sign = if area(a, b, c) < 0.0 { -1.0 } else { 1.0 };
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(from, to)| sign * area(from, to, point) >= 0.0)
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Point {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Point {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}
