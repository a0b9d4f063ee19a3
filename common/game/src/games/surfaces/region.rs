//! Regions of surfaces, with the equivalences that leave the game tree unchanged (`docs/surfaces.md`).

use sproutnet_notation::raw::Spot;

/// A compact connected surface without boundary: a sphere with so many handles, or, below 0, crosscaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Surface(pub(super) i8);

impl Surface {
    pub(super) const SPHERE: Self = Self(0);
    pub(super) const PROJECTIVE_PLANE: Self = Self(-1);

    /// The most handles or crosscaps that can be written.
    pub(super) const MOST: i8 = 60;

    pub(super) fn is_orientable(self) -> bool {
        self.0 >= 0
    }

    /// The Euler genus: 2 for each handle, 1 for each crosscap.
    fn euler_genus(self) -> i8 {
        if self.is_orientable() {
            2 * self.0
        } else {
            -self.0
        }
    }

    /// The surfaces of an Euler genus, of which there are at most two, and none below 0.
    fn of_euler_genus(genus: i8) -> impl Iterator<Item = Self> {
        let orientable = (genus >= 0 && genus % 2 == 0).then_some(Self(genus / 2));
        let other = (genus > 0).then_some(Self(-genus));
        orientable.into_iter().chain(other)
    }

    /// The pairs whose connected sum is this surface: what a closed curve that separates it leaves.
    pub(super) fn parts(self) -> impl Iterator<Item = (Self, Self)> {
        let genus = self.euler_genus();
        let pairs = (0..=genus).flat_map(move |one| {
            let others = move || Self::of_euler_genus(genus - one);
            Self::of_euler_genus(one).flat_map(move |one| others().map(move |other| (one, other)))
        });
        pairs.filter(move |(one, other)| {
            (one.is_orientable() && other.is_orientable()) == self.is_orientable()
        })
    }

    /// What a closed curve with two sides leaves that does not separate the surface.
    pub(super) fn cut_two_sided(self) -> impl Iterator<Item = Self> {
        let left = Self::of_euler_genus(self.euler_genus() - 2);
        left.filter(move |left| left.is_orientable() || !self.is_orientable())
    }

    /// What a closed curve with one side leaves.
    pub(super) fn cut_one_sided(self) -> impl Iterator<Item = Self> {
        let genus = match self.is_orientable() {
            true => -1,
            false => self.euler_genus() - 1,
        };
        Self::of_euler_genus(genus)
    }
}

/// A boundary: the spots met while walking along it.
pub(super) type Boundary = Vec<Spot>;

/// A region. Its boundaries have one orientation if the surface has, and each any orientation if it has none.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) surface: Surface,
    pub(super) boundaries: Vec<Boundary>,
}

impl Region {
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> {
        self.boundaries.iter().flatten().copied()
    }

    /// Drops dead spots, all but one of neighbouring copies of a letter, and empty boundaries. Boundaries do not matter in
    /// a region with two or three lives, nor does the surface, which with four lives matters little.
    fn simplify(&mut self) {
        for boundary in &mut self.boundaries {
            boundary.retain(|&spot| spot != Spot::DEAD);
            boundary.dedup_by(|one, other| one == other && one.number().is_some());
            if let [first, .., last] = boundary[..]
                && first == last
                && first.number().is_some()
            {
                boundary.pop();
            }
        }
        self.boundaries.retain(|boundary| !boundary.is_empty());
        let mut spots: Boundary = self.spots().collect();
        spots.sort_unstable();
        spots.dedup_by(|one, other| {
            let is_pair = one == other && one.number().is_some();
            if is_pair {
                *other = Spot::MID;
            }
            is_pair
        });
        match lives(spots.iter()) {
            0..2 => self.boundaries.clear(),
            2..4 => {
                spots.sort_unstable();
                (self.surface, self.boundaries) = (Surface::SPHERE, vec![spots]);
            }
            4 if self.surface != Surface::SPHERE => self.surface = Surface::PROJECTIVE_PLANE,
            _ => {}
        }
    }
}

fn lives<'a>(spots: impl Iterator<Item = &'a Spot>) -> u32 {
    spots.map(|spot| spot.lives()).sum()
}

/// The lives of regions: a letter has one, however often it is met.
pub(super) fn lives_of(regions: &[Region]) -> u32 {
    let mut spots: Vec<Spot> = regions.iter().flat_map(Region::spots).collect();
    spots.sort_unstable();
    spots.dedup_by(|one, other| one == other && one.number().is_some());
    lives(spots.iter())
}

/// One above the largest number of a letter.
pub(super) fn letters(regions: &[Region]) -> usize {
    let spots = regions.iter().flat_map(Region::spots);
    let numbers = spots.filter_map(Spot::number);
    numbers.max().map_or(0, |largest| largest + 1)
}

/// Simplifies regions, and drops those without a move. A letter that is left once becomes a [`Spot::MID`].
pub(super) fn simplify(regions: &mut Vec<Region>) {
    regions.iter_mut().for_each(Region::simplify);
    regions.retain(|region| !region.boundaries.is_empty());
    let mut copies = vec![0; letters(regions)];
    for number in regions
        .iter()
        .flat_map(Region::spots)
        .filter_map(Spot::number)
    {
        copies[number] += 1;
    }
    for spot in regions
        .iter_mut()
        .flat_map(|region| region.boundaries.iter_mut().flatten())
    {
        if spot.number().is_some_and(|number| copies[number] == 1) {
            *spot = Spot::MID;
        }
    }
}

/// Splits simplified regions into lands: those that share a letter belong together.
pub(super) fn lands(mut regions: Vec<Region>) -> Vec<Vec<Region>> {
    let mut lands = Vec::new();
    while let Some(first) = regions.pop() {
        let mut land = vec![first];
        let mut next = 0;
        while next < land.len() {
            let letters: Vec<Spot> = land[next]
                .spots()
                .filter(|spot| spot.number().is_some())
                .collect();
            let is_linked =
                |region: &mut Region| region.spots().any(|spot| letters.contains(&spot));
            land.extend(regions.extract_if(.., is_linked));
            next += 1;
        }
        lands.push(land);
    }
    lands
}
