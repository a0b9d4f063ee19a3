//! A land as a map of the plane: its regions and letters, with the dead spots that the text leaves out.
//!
//! The text says what is met on the boundaries of regions. A letter is met on two boundaries, and has
//! two lines, one on either side of the way from the one boundary to the other; a `2` is a letter whose
//! other copy is alone on a boundary of its own, in a dead region. What the text does not say lies
//! between the boundaries: walking on from letter to letter around such a place, always keeping it on
//! the left, meets the *line ends* that go into it. Two line ends there are joined by a line; more meet
//! in dead spots, three lines each.

use super::DrawingError;
use super::mirror::Items;
use sproutnet_game::Land;
use sproutnet_game::sprouts::raw_position;
use sproutnet_notation::raw::{RawPosition, Spot};

/// More line ends than these that meet in one place are led to a ring of dead spots.
const MOST_IN_A_TREE: usize = 5;

/// A land drawn on the sphere: spots, the two darts of each line, and the faces.
///
/// Dart 2k and dart 2k + 1 are the two directions of line k; a dart has its face on the left.
#[derive(Clone, Debug, Default)]
pub(super) struct Embedding {
    /// The lives of each spot: those with lives first, in the order in which the text names them.
    pub(super) lives: Vec<u32>,
    /// Where each dart begins.
    pub(super) origin: Vec<usize>,
    /// The dart that follows when one walks on with the face on the left.
    pub(super) next: Vec<usize>,
    /// The faces; those that are regions of the text first, in its order.
    pub(super) faces: Vec<Face>,
    /// How many faces are regions of the text.
    pub(super) regions: usize,
    /// The darts around each spot, counterclockwise.
    around: Vec<Vec<usize>>,
}

/// A face: one corner of each of its boundaries.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) boundaries: Vec<Corner>,
}

/// A boundary, by one of its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    /// An isolated spot.
    Isolated(usize),
    /// The corner in front of a dart.
    Before(usize),
}

impl Embedding {
    /// A drawing of a land.
    ///
    /// # Errors
    /// The land cannot be drawn in the plane, as a text may say, or is too large to find out.
    pub(super) fn of(land: &Land) -> Result<Self, DrawingError> {
        let raw = raw_position(land);
        let mut plan = Plan::of(&raw);
        plan.flatten()?;
        Ok(plan.draw(raw.regions()))
    }

    /// All darts of the boundary through a dart, in walking order.
    pub(super) fn cycle(&self, start: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(start), move |&dart| {
            Some(self.next[dart]).filter(|&next| next != start)
        })
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.origin.len() / 2
    }

    /// How many lines meet in a spot.
    pub(super) fn degree(&self, spot: usize) -> usize {
        self.around[spot].len()
    }

    fn new_spot(&mut self, lives: u32) -> usize {
        self.lives.push(lives);
        self.around.push(Vec::new());
        self.lives.len() - 1
    }

    /// A line; its darts are the next counterclockwise around their spots.
    fn line(&mut self, from: usize, to: usize) -> usize {
        let dart = self.origin.len();
        self.origin.extend([from, to]);
        self.around[from].push(dart);
        self.around[to].push(dart + 1);
        dart
    }

    /// What follows each dart: the dart clockwise of its twin.
    fn link(&mut self) {
        self.next = vec![0; self.origin.len()];
        for around in &self.around {
            for (i, &dart) in around.iter().enumerate() {
                self.next[dart ^ 1] = around[(i + around.len() - 1) % around.len()];
            }
        }
    }
}

/// What is met where, before it is drawn.
struct Plan {
    items: Items,
    /// The spot of each item.
    spot: Vec<usize>,
    /// The lives of each spot.
    lives: Vec<u32>,
    /// The region of each boundary; none for those of a `2` alone.
    region: Vec<Option<usize>>,
}

impl Plan {
    fn of(raw: &RawPosition) -> Self {
        let mut plan = Self {
            items: Items {
                boundary: Vec::new(),
                mate: Vec::new(),
                around: Vec::new(),
            },
            spot: Vec::new(),
            lives: Vec::new(),
            region: Vec::new(),
        };
        let mut letters: Vec<Option<usize>> = vec![None; raw.letters()];
        let mut mids = Vec::new();
        for region in 0..raw.regions() {
            for boundary in raw.boundaries(region) {
                plan.boundary(Some(region));
                for &spot in boundary {
                    let letter = spot.number();
                    if let Some(mate) = letter.and_then(|letter| letters[letter]) {
                        plan.mate_of(mate);
                        continue;
                    }
                    let item = plan.item_of_new_spot(spot.lives());
                    match letter {
                        Some(letter) => letters[letter] = Some(item),
                        None if spot == Spot::MID => mids.push(item),
                        None => {}
                    }
                }
            }
        }
        for mid in mids {
            plan.boundary(None);
            plan.mate_of(mid);
        }
        plan
    }

    fn boundary(&mut self, region: Option<usize>) {
        self.items.around.push(Vec::new());
        self.region.push(region);
    }

    fn item(&mut self, spot: usize) -> usize {
        let item = self.spot.len();
        self.spot.push(spot);
        self.items.mate.push(item);
        let boundary = self.items.around.len() - 1;
        self.items.boundary.push(boundary);
        self.items.around[boundary].push(item);
        item
    }

    fn item_of_new_spot(&mut self, lives: u32) -> usize {
        self.lives.push(lives);
        self.item(self.lives.len() - 1)
    }

    fn mate_of(&mut self, mate: usize) {
        let item = self.item(self.spot[mate]);
        self.items.mate[item] = mate;
        self.items.mate[mate] = item;
    }

    /// Mirrors regions so that the land fits on a sphere.
    fn flatten(&mut self) -> Result<(), DrawingError> {
        let (piece_of, pieces) = self.items.pieces();
        let mut boundaries_of: Vec<Vec<usize>> = vec![Vec::new(); pieces];
        for (boundary, &piece) in piece_of.iter().enumerate() {
            boundaries_of[piece].push(boundary);
        }
        let regions = self
            .region
            .iter()
            .flatten()
            .max()
            .map_or(0, |most| most + 1);
        // Pieces and regions, linked by boundaries, are a tree.
        if self.region.iter().flatten().count() + 1 != pieces + regions {
            return Err(DrawingError::NotPlanar);
        }
        let mut mirrored = vec![false; self.region.len()];
        for piece in &boundaries_of {
            for boundary in self.items.flatten(piece)? {
                mirrored[boundary] = true;
            }
        }
        // All boundaries of a region are mirrored or none; a piece can be mirrored as a whole.
        let mut region_is: Vec<Option<bool>> = vec![None; regions];
        let mut met = vec![false; pieces];
        let mut open = vec![0];
        met[0] = true;
        while let Some(piece) = open.pop() {
            let linked = |&&boundary: &&usize| {
                self.region[boundary].is_some_and(|region| region_is[region].is_some())
            };
            let known = boundaries_of[piece].iter().find(linked);
            let turn = known.is_some_and(|&boundary| {
                self.region[boundary].and_then(|region| region_is[region])
                    != Some(mirrored[boundary])
            });
            for &boundary in &boundaries_of[piece] {
                mirrored[boundary] ^= turn;
                if turn {
                    self.items.around[boundary].reverse();
                }
                let Some(region) = self.region[boundary] else {
                    continue;
                };
                region_is[region] = Some(mirrored[boundary]);
                for (other, &its) in self.region.iter().enumerate() {
                    if its == Some(region) && !std::mem::replace(&mut met[piece_of[other]], true) {
                        open.push(piece_of[other]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Draws what is between the boundaries.
    fn draw(&self, regions: usize) -> Embedding {
        let mut map = Embedding {
            regions,
            ..Embedding::default()
        };
        for &lives in &self.lives {
            map.new_spot(lives);
        }
        let items = &self.items;
        let at = items.positions();
        let isolated = |item: usize| self.lives[self.spot[item]] == 3;
        // The dart that leaves through the line end on the left of each item.
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
                let mate = items.mate[item];
                let around = &items.around[items.boundary[mate]];
                item = around[(at[mate] + around.len() - 1) % around.len()];
            }
            let spots: Vec<usize> = ends.iter().map(|&item| self.spot[item]).collect();
            let (darts, dead) = map.join(&spots);
            for (&item, dart) in ends.iter().zip(darts) {
                leaving[item] = dart;
            }
            dead_faces.extend(dead);
        }
        map.link();
        map.faces = vec![
            Face {
                boundaries: Vec::new()
            };
            regions
        ];
        for (around, region) in items.around.iter().zip(&self.region) {
            let corner = match around[0] {
                item if isolated(item) => Corner::Isolated(self.spot[item]),
                item => Corner::Before(leaving[item]),
            };
            match region {
                Some(region) => map.faces[*region].boundaries.push(corner),
                None => dead_faces.push(corner),
            }
        }
        let faces = dead_faces.into_iter().map(|corner| Face {
            boundaries: vec![corner],
        });
        map.faces.extend(faces);
        map
    }
}

impl Embedding {
    /// Joins line ends at these spots, met counterclockwise around a dead place. Returns the dart that
    /// leaves through each end, and the dead face that arises.
    fn join(&mut self, spots: &[usize]) -> (Vec<usize>, Option<Corner>) {
        match *spots {
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
                // The two ends first met, then one more at each dead spot, the last two at the last.
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
                // Counterclockwise at each: outwards, on along the ring, back along it.
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
