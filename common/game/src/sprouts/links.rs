//! Canonical labelling of a land by its links, the letters that join two boundaries.
//!
//! Links get different colours if the views from their two places differ. Colours are hashes that do not depend on
//! names, order or orientation; a collision causes a tie, never a wrong form. A tie is broken by trying each of the
//! tied links and keeping the smallest form. Two trials with the same form show an automorphism, which makes its
//! further images unnecessary (McKay, *Practical graph isomorphism*, 1981).

use std::cmp::{Ordering, Reverse};

use super::encoding::Writer;
use super::region::{Mark, MarkedRegion, SLOT, Shape};
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::surface::Surface;

/// The canonical bytes of the land made of some regions of a simplified raw position.
pub(super) fn encode(raw: &RawPosition, regions: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut links: Vec<u16> = Vec::new();
    let regions = regions.map(|region| {
        let mut marked = MarkedRegion::default();
        marked.set(raw, region);
        marked.rename(|letter| number_of(letter, &mut links));
        marked
    });
    let mut labelling = LinkLabelling {
        regions: regions.collect(),
        automorphisms: Vec::new(),
    };
    let form = labelling.smallest(vec![0; links.len()]).form;
    let mut writer = Writer::default();
    links.clear();
    for (surface, region) in form {
        writer.surface(surface);
        region.encode(&mut writer, |_, rank| number_of(rank, &mut links));
    }
    writer.into_bytes()
}

/// The number of a name in the order of occurrence.
fn number_of(name: u16, met: &mut Vec<u16>) -> u16 {
    let known = met.iter().position(|&other| other == name);
    known.unwrap_or_else(|| {
        met.push(name);
        met.len() - 1
    }) as u16
}

/// The regions of a land, sorted, with ranks of links in the slots.
type Form = Vec<(Surface, Shape)>;

/// A form, and the ranks of links for it.
struct Leaf {
    form: Form,
    rank: Vec<u16>,
}

/// The search for the smallest form of a land.
struct LinkLabelling {
    regions: Vec<MarkedRegion>,
    /// The automorphisms found, as permutations of links.
    automorphisms: Vec<Vec<u16>>,
}

impl LinkLabelling {
    /// The smallest form that agrees with the colours.
    fn smallest(&mut self, mut colours: Vec<u64>) -> Leaf {
        self.refine(&mut colours);
        let Some(tied) = smallest_tie(&colours) else {
            return self.leaf(&colours);
        };
        let known = self.automorphisms.len();
        let mut best = self.smallest(individualised(&colours, tied[0]));
        for (tried, &link) in tied.iter().enumerate().skip(1) {
            // All automorphisms found below this node fix the links individualised above it.
            if self.maps_to_any(link, &tied[..tried], known) {
                continue;
            }
            let mut leaf = self.any_leaf(individualised(&colours, link));
            if leaf.form != best.form {
                leaf = self.smallest(individualised(&colours, link));
            }
            match leaf.form.cmp(&best.form) {
                Ordering::Less => best = leaf,
                Ordering::Equal => self.automorphisms.push(mapping(&best, &leaf)),
                Ordering::Greater => {}
            }
        }
        best
    }

    /// The form when each tie is broken in favour of the first link.
    fn any_leaf(&mut self, mut colours: Vec<u64>) -> Leaf {
        loop {
            self.refine(&mut colours);
            match smallest_tie(&colours) {
                None => return self.leaf(&colours),
                Some(tied) => colours = individualised(&colours, tied[0]),
            }
        }
    }

    /// Whether the automorphisms after the first `known` ones map the link to one of `others`.
    fn maps_to_any(&self, link: usize, others: &[usize], known: usize) -> bool {
        let mut orbit = vec![link];
        let mut next = 0;
        while next < orbit.len() {
            for automorphism in &self.automorphisms[known..] {
                let image = usize::from(automorphism[orbit[next]]);
                if others.contains(&image) {
                    return true;
                }
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        false
    }

    /// The form when all links have different colours.
    fn leaf(&self, colours: &[u64]) -> Leaf {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_unstable_by_key(|&link| colours[link]);
        let mut rank = vec![0u16; colours.len()];
        for (position, &link) in order.iter().enumerate() {
            rank[link] = position as u16;
        }
        let regions = self.regions.iter();
        let ranked = |region: &MarkedRegion| (region.surface, region.ranked(&rank).shape());
        let mut form: Form = regions.map(ranked).collect();
        form.sort_unstable_by(|(of_a, a), (of_b, b)| {
            let isolated = [Reverse(a.isolated), Reverse(b.isolated)];
            (of_a, &a.marks, isolated[0]).cmp(&(of_b, &b.marks, isolated[1]))
        });
        Leaf { form, rank }
    }

    /// Refines the colours of links until their number stays the same.
    fn refine(&self, colours: &mut [u64]) {
        let mut distinct = count_distinct(colours);
        while distinct < colours.len() {
            let mut seen = vec![0; colours.len()];
            for region in &self.regions {
                look_around(region, colours, &mut seen);
            }
            for (colour, seen) in colours.iter_mut().zip(seen) {
                *colour = mix(colour.wrapping_mul(MULTIPLIER) ^ mix(seen));
            }
            let now = count_distinct(colours);
            if now == distinct {
                break;
            }
            distinct = now;
        }
    }
}

/// The permutation of links between two leaves of the same form.
fn mapping(from: &Leaf, to: &Leaf) -> Vec<u16> {
    let mut by_rank = vec![0u16; to.rank.len()];
    for (link, &rank) in to.rank.iter().enumerate() {
        by_rank[usize::from(rank)] = link as u16;
    }
    from.rank
        .iter()
        .map(|&rank| by_rank[usize::from(rank)])
        .collect()
}

/// The number of colours.
fn count_distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Adds the view of the region to the views of each of its links. The result is the same for the mirror image.
fn look_around(region: &MarkedRegion, colours: &[u64], seen: &mut [u64]) {
    let [one, other] = &region.orientations;
    let [one, other] = [one, other].map(|oriented| {
        let mut total = u64::from(region.isolated);
        // Each link with the hash of its boundary as seen from there.
        let mut views: Vec<(u16, u64)> = Vec::new();
        for (marks, links) in oriented.boundaries() {
            let first = views.len();
            let mut whole = 0u64;
            walk(marks, links, colours, |link, hash| {
                whole = whole.wrapping_add(mix(hash));
                views.extend(link.map(|link| (link, hash)));
            });
            let whole = mix(whole);
            total = total.wrapping_add(whole);
            for view in &mut views[first..] {
                view.1 = mix(view.1 ^ whole);
            }
        }
        (views, total)
    });
    let of_surface = MULTIPLIER.wrapping_mul(region.surface.handles() as u64);
    let both = one.1.wrapping_add(other.1);
    for (views, total) in [one, other] {
        let total = if region.surface.is_orientable() {
            mix(total)
        } else {
            mix(both)
        };
        for (link, hash) in views {
            let seen = &mut seen[usize::from(link)];
            let total = total.wrapping_add(of_surface);
            *seen = seen.wrapping_add(mix(hash.wrapping_add(total)));
        }
    }
}

/// The smallest group of links with one colour; of equal groups, the one with the least colour.
fn smallest_tie(colours: &[u64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|&link| colours[link]);
    order
        .chunk_by(|&a, &b| colours[a] == colours[b])
        .filter(|group| group.len() > 1)
        .min_by_key(|group| group.len())
        .map(<[usize]>::to_vec)
}

/// The colours with a new one for a link.
fn individualised(colours: &[u64], link: usize) -> Vec<u64> {
    let mut colours = colours.to_vec();
    colours[link] = mix(!colours[link]);
    colours
}

/// Calls `visit` at each place of a boundary with the link there and a hash of the walk once around from there.
fn walk(marks: &[Mark], links: &[u16], colours: &[u64], mut visit: impl FnMut(Option<u16>, u64)) {
    let code = |(&mark, &link): (&Mark, &u16)| {
        mix(match mark {
            SLOT => colours[usize::from(link)] ^ MULTIPLIER,
            _ => u64::from(mark) + 1,
        })
    };
    let mut hash = 0u64;
    let mut top = 1u64;
    for (i, place) in marks.iter().zip(links).enumerate() {
        hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(code(place));
        if i > 0 {
            top = top.wrapping_mul(MULTIPLIER);
        }
    }
    for place in marks.iter().zip(links) {
        visit((*place.0 == SLOT).then_some(*place.1), hash);
        let code = code(place);
        let rest = hash.wrapping_sub(code.wrapping_mul(top));
        hash = rest.wrapping_mul(MULTIPLIER).wrapping_add(code);
    }
}

/// An odd number with bits that look random.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64).
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(MULTIPLIER);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
