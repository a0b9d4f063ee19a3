//! A land as a map of the plane: its regions and letters, with the dead spots that the text leaves out.
//!
//! A letter is on two boundaries, and has two lines, one on either side of the way from one boundary to
//! the other. A `2` is a letter whose other copy is alone on the boundary of a dead region. The text
//! says nothing about the places between the boundaries. A walk from letter to letter around such a place, with the
//! place on the left, meets the *line ends* that go into it. A line joins two line ends; more than two meet in dead
//! spots with three lines each. In games with crosses they meet in one place, and a `2` is the end of a line.

use crate::error::DrawingError;
pub(super) use sproutnet_game::sprouts::planar::Corner;
use sproutnet_game::sprouts::{Mid, raw_position};
use sproutnet_game::{Game, Land, Position};
use sproutnet_notation::plane;
use sproutnet_notation::raw::{RawPosition, Spot};

/// The maximum number of line ends that a tree of dead spots joins. More lead to a ring of dead spots.
const MOST_IN_A_TREE: usize = 5;

/// A land drawn on the sphere: spots, the two darts of each line, and the faces.
///
/// Dart 2k and dart 2k + 1 are the two directions of line k; a dart has its face on the left.
#[derive(Clone, Debug, Default)]
pub(super) struct Embedding {
    /// The lives of each spot. Spots with lives come first, in the order of the text.
    pub(super) lives: Vec<u32>,
    /// The spot where each dart begins.
    pub(super) origin: Vec<usize>,
    /// The dart that follows each dart, with the face on the left.
    pub(super) next: Vec<usize>,
    /// The faces. The regions of the text come first, in its order.
    pub(super) faces: Vec<Face>,
    /// The number of regions of the text.
    pub(super) regions: usize,
    /// The darts around each spot, counterclockwise.
    around: Vec<Vec<usize>>,
}

/// A face, as one corner of each of its boundaries.
pub(super) type Face = Vec<Corner>;

impl Embedding {
    /// A drawing of a land.
    ///
    /// # Errors
    /// The land cannot be drawn in the plane.
    pub(super) fn of(game: &dyn Game, mid: Mid, land: &Land) -> Result<Self, DrawingError> {
        let land = game.land(land.as_bytes());
        let raw = raw_position(&land.map_err(|_| DrawingError::NoPictures)?);
        let mut plan = Plan::of(&raw, mid);
        let mirrored = plane::mirrored_regions(&raw).map_err(|_| DrawingError::NotPlanar)?;
        plan.mirror(&mirrored);
        Ok(plan.draw(raw.regions(), mid))
    }

    /// Drawings of all lands of a position.
    ///
    /// # Errors
    /// A land cannot be drawn in the plane.
    pub(super) fn of_all(
        game: &dyn Game,
        mid: Mid,
        position: &Position,
    ) -> Result<Vec<Self>, DrawingError> {
        let lands = position.lands().iter();
        lands.map(|land| Self::of(game, mid, land)).collect()
    }

    /// All darts of the boundary through a dart, in walking order.
    fn cycle(&self, start: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(start), move |&dart| {
            Some(self.next[dart]).filter(|&next| next != start)
        })
    }

    /// The darts along a boundary. An isolated spot has none.
    pub(super) fn darts(&self, corner: Corner) -> impl Iterator<Item = usize> {
        let start = match corner {
            Corner::Isolated(_) => None,
            Corner::Before(dart) => Some(dart),
        };
        start.into_iter().flat_map(|dart| self.cycle(dart))
    }

    /// The lives of the spots that have any; these spots come first.
    pub(super) fn live(&self) -> &[u32] {
        &self.lives[..self.lives.partition_point(|&lives| lives > 0)]
    }

    pub(super) fn lines(&self) -> usize {
        self.origin.len() / 2
    }

    pub(super) fn degree(&self, spot: usize) -> usize {
        self.around[spot].len()
    }

    fn new_spot(&mut self, lives: u32) -> usize {
        self.lives.push(lives);
        self.around.push(Vec::new());
        self.lives.len() - 1
    }

    /// Adds a line. Each of its darts becomes the last one, counterclockwise, around its spot.
    fn line(&mut self, from: usize, to: usize) -> usize {
        let dart = self.origin.len();
        self.origin.extend([from, to]);
        self.around[from].push(dart);
        self.around[to].push(dart + 1);
        dart
    }

    /// Sets the dart that follows each dart: the one clockwise of its twin.
    fn link(&mut self) {
        self.next = vec![0; self.origin.len()];
        for around in &self.around {
            for (i, &dart) in around.iter().enumerate() {
                self.next[dart ^ 1] = around[(i + around.len() - 1) % around.len()];
            }
        }
    }
}

/// The boundaries of a land as items, before the map is drawn. An item is an occurrence of a spot.
#[derive(Default)]
struct Plan {
    /// The items on each boundary, in cyclic order.
    around: Vec<Vec<usize>>,
    /// The boundary of each item.
    boundary: Vec<usize>,
    /// The other copy of a letter. An item without a copy is its own mate.
    mate: Vec<usize>,
    /// The spot of each item.
    spot: Vec<usize>,
    lives: Vec<u32>,
    /// The region of each boundary; `None` for the dead region of a `2`.
    region: Vec<Option<usize>>,
}

impl Plan {
    fn of(raw: &RawPosition, mid: Mid) -> Self {
        let mut plan = Self::default();
        let mut letters: Vec<Option<usize>> = vec![None; raw.letters()];
        let mut mids = Vec::new();
        for region in 0..raw.regions() {
            for boundary in raw.boundaries(region) {
                plan.new_boundary(Some(region));
                for &spot in boundary {
                    let letter = spot.number();
                    if let Some(mate) = letter.and_then(|letter| letters[letter]) {
                        plan.mate_of(mate);
                        continue;
                    }
                    let item = plan.item_of_new_spot(spot.lives());
                    match letter {
                        Some(letter) => letters[letter] = Some(item),
                        // A free end is the only copy, like the end of a line in Sprouts.
                        None if spot == Spot::MID && mid == Mid::Spot => mids.push(item),
                        None => {}
                    }
                }
            }
        }
        for mid in mids {
            plan.new_boundary(None);
            plan.mate_of(mid);
        }
        plan
    }

    fn new_boundary(&mut self, region: Option<usize>) {
        self.around.push(Vec::new());
        self.region.push(region);
    }

    fn item(&mut self, spot: usize) -> usize {
        let item = self.spot.len();
        self.spot.push(spot);
        self.mate.push(item);
        let boundary = self.around.len() - 1;
        self.boundary.push(boundary);
        self.around[boundary].push(item);
        item
    }

    fn item_of_new_spot(&mut self, lives: u32) -> usize {
        self.lives.push(lives);
        self.item(self.lives.len() - 1)
    }

    fn mate_of(&mut self, mate: usize) {
        let item = self.item(self.spot[mate]);
        self.mate[item] = mate;
        self.mate[mate] = item;
    }

    /// Reverses the boundaries of regions.
    fn mirror(&mut self, regions: &[bool]) {
        for (around, region) in self.around.iter_mut().zip(&self.region) {
            if region.is_some_and(|region| regions[region]) {
                around.reverse();
            }
        }
    }

    /// The index of each item on its boundary.
    fn positions(&self) -> Vec<usize> {
        let mut at = vec![0; self.mate.len()];
        for around in &self.around {
            for (i, &item) in around.iter().enumerate() {
                at[item] = i;
            }
        }
        at
    }

    /// Draws the places between the boundaries.
    fn draw(&self, regions: usize, mid: Mid) -> Embedding {
        let mut map = Embedding {
            regions,
            ..Embedding::default()
        };
        for &lives in &self.lives {
            map.new_spot(lives);
        }
        let at = self.positions();
        let isolated = |item: usize| self.lives[self.spot[item]] == 3;
        // The dart that leaves each item through the line end on its left.
        let mut leaving = vec![usize::MAX; self.spot.len()];
        let mut dead_faces = Vec::new();
        let mut met = vec![false; self.spot.len()];
        for start in 0..self.spot.len() {
            if isolated(start) || met[start] {
                continue;
            }
            let mut ends = Vec::new();
            let mut item = start;
            while !std::mem::replace(&mut met[item], true) {
                ends.push(item);
                let mate = self.mate[item];
                let around = &self.around[self.boundary[mate]];
                item = around[(at[mate] + around.len() - 1) % around.len()];
            }
            let spots: Vec<usize> = ends.iter().map(|&item| self.spot[item]).collect();
            let (darts, dead) = map.join(&spots, mid);
            for (&item, dart) in ends.iter().zip(darts) {
                leaving[item] = dart;
            }
            dead_faces.extend(dead);
        }
        map.link();
        map.faces = vec![Face::new(); regions];
        for (around, region) in self.around.iter().zip(&self.region) {
            let corner = match around[0] {
                item if isolated(item) => Corner::Isolated(self.spot[item]),
                item => Corner::Before(leaving[item]),
            };
            match region {
                Some(region) => map.faces[*region].push(corner),
                None => dead_faces.push(corner),
            }
        }
        map.faces
            .extend(dead_faces.into_iter().map(|corner| vec![corner]));
        map
    }
}

impl Embedding {
    /// Joins the line ends at these spots, counterclockwise around a dead place. Returns the dart that
    /// leaves through each end, and the new dead face if there is one.
    fn join(&mut self, spots: &[usize], mid: Mid) -> (Vec<usize>, Option<Corner>) {
        match *spots {
            // Lines meet in a cross, which joins any number of them.
            _ if mid == Mid::FreeEnd && spots.len() != 2 && spots.len() <= MOST_IN_A_TREE => {
                let middle = self.new_spot(0);
                let darts = spots.iter().map(|&spot| self.line(spot, middle)).collect();
                (darts, None)
            }
            [spot] => {
                let dead = self.new_spot(0);
                let dart = self.line(spot, dead);
                let inside = self.line(dead, dead);
                (vec![dart], Some(Corner::Before(inside)))
            }
            [one, other] => {
                let dart = self.line(one, other);
                (vec![dart, dart + 1], None)
            }
            _ if spots.len() <= MOST_IN_A_TREE => {
                let mut darts = Vec::new();
                // The first two ends meet at a dead spot. Each further dead spot takes one more end, the last one takes
                // two.
                let mut dead = self.new_spot(0);
                darts.push(self.line(spots[0], dead));
                for (i, &spot) in spots.iter().enumerate().skip(1) {
                    darts.push(self.line(spot, dead));
                    if i + 2 < spots.len() {
                        let after = self.new_spot(0);
                        self.line(dead, after);
                        dead = after;
                    }
                }
                (darts, None)
            }
            _ => {
                let ring: Vec<usize> = spots.iter().map(|_| self.new_spot(0)).collect();
                let ends = spots.iter().zip(&ring);
                let darts = ends.map(|(&spot, &dead)| self.line(spot, dead)).collect();
                // Counterclockwise at each: outwards, forward along the ring, back along it.
                let mut along = Vec::new();
                for (i, &dead) in ring.iter().enumerate() {
                    let dart = self.origin.len();
                    self.origin.extend([dead, ring[(i + 1) % ring.len()]]);
                    along.push(dart);
                }
                for (i, &dead) in ring.iter().enumerate() {
                    let back = along[(i + ring.len() - 1) % ring.len()] + 1;
                    self.around[dead].extend([along[i], back]);
                }
                (darts, Some(Corner::Before(along[0])))
            }
        }
    }
}
