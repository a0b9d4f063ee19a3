//! Chooses the regions of a land to mirror, so that it can be drawn in the plane.
//!
//! In the text of a land each region may have been mirrored by itself. Take the boundaries as vertices,
//! with a cyclic order of items, and the letters as edges: this graph is drawn on a sphere if Euler's
//! formula holds. The search decides on one boundary after the other, each next to earlier ones, and
//! backtracks when the sphere gets a handle.

use super::DrawingError;

/// The numbered items on boundaries, which are cyclic lists of items.
#[derive(Default)]
pub(super) struct Items {
    pub(super) boundary: Vec<usize>,
    /// The other copy of a letter. An item that occurs once is its own mate.
    pub(super) mate: Vec<usize>,
    pub(super) around: Vec<Vec<usize>>,
}

/// The number of items visited before the search gives up.
const MOST_WORK: usize = 30_000_000;

impl Items {
    /// The piece of each boundary, and the number of pieces. Letters link the boundaries of a piece.
    pub(super) fn pieces(&self) -> (Vec<usize>, usize) {
        let mut piece = vec![usize::MAX; self.around.len()];
        let mut pieces = 0;
        for start in 0..self.around.len() {
            if piece[start] != usize::MAX {
                continue;
            }
            let mut open = vec![start];
            while let Some(boundary) = open.pop() {
                if std::mem::replace(&mut piece[boundary], pieces) == usize::MAX {
                    let mates = self.around[boundary].iter().map(|&item| self.mate[item]);
                    let linked = mates.map(|mate| self.boundary[mate]);
                    open.extend(linked.filter(|&other| piece[other] == usize::MAX));
                }
            }
            pieces += 1;
        }
        (piece, pieces)
    }

    /// Mirrors boundaries of one piece until it fits on a sphere. Returns the mirrored ones.
    ///
    /// # Errors
    /// The piece does not fit on a sphere, or the search took too long.
    pub(super) fn flatten(&mut self, piece: &[usize]) -> Result<Vec<usize>, DrawingError> {
        let order = self.order(piece);
        let mut search = Search {
            placed: vec![false; self.around.len()],
            mirrored: Vec::new(),
            work: 0,
            items: self,
        };
        search.place(&order, 0)?;
        Ok(search.mirrored)
    }

    /// The boundaries of a piece, each with as many letters as possible in common with earlier ones.
    fn order(&self, piece: &[usize]) -> Vec<usize> {
        let mut links = vec![0_usize; self.around.len()];
        let mut left = piece.to_vec();
        let mut order = Vec::with_capacity(piece.len());
        while let Some(best) =
            (0..left.len()).max_by_key(|&i| (links[left[i]], std::cmp::Reverse(left[i])))
        {
            let boundary = left.swap_remove(best);
            for &item in &self.around[boundary] {
                links[self.boundary[self.mate[item]]] += 1;
            }
            order.push(boundary);
        }
        order
    }

    /// The place of each item on its boundary.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut at = vec![0; self.mate.len()];
        for around in &self.around {
            for (i, &item) in around.iter().enumerate() {
                at[item] = i;
            }
        }
        at
    }
}

struct Search<'a> {
    items: &'a mut Items,
    placed: Vec<bool>,
    mirrored: Vec<usize>,
    work: usize,
}

impl Search<'_> {
    /// Places the boundaries from `from` on.
    fn place(&mut self, order: &[usize], from: usize) -> Result<(), DrawingError> {
        let Some(&boundary) = order.get(from) else {
            return Ok(());
        };
        self.placed[boundary] = true;
        // The first one need not be mirrored, because all can be mirrored together.
        let can_mirror = from > 0 && self.items.around[boundary].len() > 2;
        for mirror in [false, true].into_iter().take(1 + usize::from(can_mirror)) {
            if mirror {
                self.items.around[boundary].reverse();
                self.mirrored.push(boundary);
            }
            if self.is_flat(&order[..=from])? {
                match self.place(order, from + 1) {
                    Err(DrawingError::NotPlanar) => {}
                    settled => return settled,
                }
            }
        }
        if can_mirror {
            self.mirrored.pop();
            self.items.around[boundary].reverse();
        }
        self.placed[boundary] = false;
        Err(DrawingError::NotPlanar)
    }

    /// Whether the placed boundaries, which are connected, fit on a sphere: V - E + F = 2.
    fn is_flat(&mut self, placed: &[usize]) -> Result<bool, DrawingError> {
        // The letters with both copies on placed boundaries.
        let items = &*self.items;
        let inner = |&item: &usize| {
            items.mate[item] != item && self.placed[items.boundary[items.mate[item]]]
        };
        let around: Vec<Vec<usize>> = placed
            .iter()
            .map(|&boundary| {
                let around = items.around[boundary].iter();
                around.copied().filter(inner).collect()
            })
            .collect();
        let darts: usize = around.iter().map(Vec::len).sum();
        self.work += darts + 1;
        if self.work > MOST_WORK {
            return Err(DrawingError::TooLarge);
        }
        if darts == 0 {
            return Ok(placed.len() == 1);
        }
        let mut before = vec![usize::MAX; items.mate.len()];
        for around in &around {
            for (i, &item) in around.iter().enumerate() {
                before[item] = around[(i + around.len() - 1) % around.len()];
            }
        }
        let mut faces = 0;
        for start in around.iter().flatten() {
            let mut item = *start;
            let mut steps = 0;
            loop {
                let next = std::mem::replace(&mut before[items.mate[item]], usize::MAX);
                if next == usize::MAX {
                    break;
                }
                (item, steps) = (next, steps + 1);
            }
            faces += usize::from(steps > 0);
        }
        Ok(placed.len() + faces == darts / 2 + 2)
    }
}
