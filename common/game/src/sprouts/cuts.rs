//! The remains of a surface after cutting along a closed curve, by the classification of surfaces (`docs/explanation/surfaces.md`).

use sproutnet_notation::surface::Surface;

/// The remains of a surface after cutting along a closed curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Two surfaces: the curve separates.
    Apart([Surface; 2]),
    /// One surface: the curve has two sides and does not separate.
    TwoSided(Surface),
    /// One surface: the curve has one side.
    OneSided(Surface),
}

/// The possible cuts of a surface along closed curves.
pub(super) fn cuts(surface: Surface) -> impl Iterator<Item = Cut> {
    let genus = euler_genus(surface);
    let parts = (0..=genus).flat_map(move |one| {
        let others = move || of_euler_genus(genus - one);
        of_euler_genus(one).flat_map(move |one| others().map(move |other| [one, other]))
    });
    let parts = parts.filter(move |parts| {
        parts.iter().all(|part| part.is_orientable()) == surface.is_orientable()
    });
    let two_sided = of_euler_genus(genus - 2);
    let two_sided = two_sided.filter(move |left| left.is_orientable() || !surface.is_orientable());
    let one_sided = of_euler_genus(genus - 1).filter(move |_| !surface.is_orientable());
    parts
        .map(Cut::Apart)
        .chain(two_sided.map(Cut::TwoSided))
        .chain(one_sided.map(Cut::OneSided))
}

/// Twice the handles, or the crosscaps. The connected sum of two surfaces has the sum of theirs.
fn euler_genus(surface: Surface) -> i8 {
    match surface.handles() {
        crosscaps @ ..0 => -crosscaps,
        handles => 2 * handles,
    }
}

/// The surfaces of an Euler genus: at most two, and none below 0.
fn of_euler_genus(genus: i8) -> impl Iterator<Item = Surface> {
    let orientable = (genus >= 0 && genus % 2 == 0).then_some(genus / 2);
    let other = (genus > 0).then_some(-genus);
    let both = orientable.into_iter().chain(other);
    both.filter_map(Surface::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_leave_what_the_classification_says() {
        let of = |handles: i8| Surface::new(handles).expect("a surface");
        let apart = |one: i8, other: i8| Cut::Apart([of(one), of(other)]);
        let [two_sided, one_sided] = [Cut::TwoSided, Cut::OneSided];
        for (surface, left) in [
            (0, vec![apart(0, 0)]),
            (1, vec![apart(0, 1), apart(1, 0), two_sided(of(0))]),
            (-1, vec![apart(0, -1), apart(-1, 0), one_sided(of(0))]),
            (
                -2,
                vec![
                    apart(0, -2),
                    apart(-1, -1),
                    apart(-2, 0),
                    two_sided(of(0)),
                    one_sided(of(-1)),
                ],
            ),
            (
                -3,
                vec![
                    apart(0, -3),
                    apart(-1, 1),
                    apart(-1, -2),
                    apart(1, -1),
                    apart(-2, -1),
                    apart(-3, 0),
                    two_sided(of(-1)),
                    one_sided(of(1)),
                    one_sided(of(-2)),
                ],
            ),
        ] {
            assert_eq!(cuts(of(surface)).collect::<Vec<_>>(), left, "{surface}");
        }
    }
}
