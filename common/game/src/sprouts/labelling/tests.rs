//! Records identify lands by their canonical bytes, so these must never change within one version of the
//! encoding.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::super::Sprouts;
use crate::{Game, Generator, OptionSink};

/// The lands received, by their bytes.
#[derive(Default)]
struct Met(BTreeSet<Vec<u8>>);

impl OptionSink for Met {
    fn land(&mut self, canonical: &[u8], _length: u32) {
        self.0.insert(canonical.to_vec());
    }

    fn end(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn start(spots: u32) -> Vec<u8> {
    let start = Sprouts.parse(&Sprouts::start(spots));
    start.expect("a start").lands()[0].as_bytes().to_vec()
}

/// The lands of all options.
fn lands_of_options(generator: &dyn Generator, land: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut met = Met::default();
    assert!(generator.each_option(land, &mut met).is_continue());
    met.0
}

/// A hash of the bytes of all these lands.
fn fingerprint<'a>(lands: impl Iterator<Item = &'a Vec<u8>>) -> u64 {
    lands.fold(0, |all: u64, land| {
        let mixed = all.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ xxh3_64(land)
    })
}

/// The spots of a start, the number of lands reached from it, and the hash of their bytes.
const LANDS_OF_STARTS: [(u32, usize, u64); 3] = [
    (3, 124, 0xaa6b_19cf_3ecc_70a9),
    (4, 1186, 0x5c4e_4cdc_7e68_7529),
    (5, 13340, 0x85f3_ea0f_0cda_81a0),
];

#[test]
fn bytes_of_all_lands_of_few_spots_stay_what_they_are() {
    let generator = Sprouts.generator();
    let found = LANDS_OF_STARTS.map(|(spots, ..)| {
        let mut met = BTreeSet::from([start(spots)]);
        let mut waiting: Vec<Vec<u8>> = met.iter().cloned().collect();
        while let Some(land) = waiting.pop() {
            for land in lands_of_options(&*generator, &land) {
                if met.insert(land.clone()) {
                    waiting.push(land);
                }
            }
        }
        (spots, met.len(), fingerprint(met.iter()))
    });
    assert_eq!(found, LANDS_OF_STARTS, "{found:#x?}");
}

/// The spots of a start, and a hash of the bytes of all lands of options in games from it.
const LANDS_OF_GAMES: [(u32, u64); 5] = [
    (8, 0xd97a_e2a9_78c9_828f),
    (12, 0xaa5c_ca8e_bb72_8a1d),
    (18, 0x0822_c294_54a2_9ac0),
    (25, 0x7f98_ab2a_6925_96c1),
    (30, 0x8a9c_4fec_7b35_6771),
];

#[test]
fn bytes_of_lands_in_long_games_stay_what_they_are() {
    let generator = Sprouts.generator();
    let found = LANDS_OF_GAMES.map(|(spots, _)| {
        let mut state = u64::from(spots);
        let mut all = 0;
        for _ in 0..4 {
            let mut land = start(spots);
            loop {
                let met = lands_of_options(&*generator, &land);
                all ^= fingerprint(met.iter()).rotate_left(met.len() as u32);
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // The longest of four, so that the game does not break into small lands at once.
                let chosen = (0..4).filter_map(|i| {
                    let place = (state >> (12 * i + 16)) as usize % met.len().max(1);
                    met.iter().nth(place)
                });
                match chosen.max_by_key(|land| land.len()) {
                    Some(chosen) => land = chosen.clone(),
                    None => break,
                }
            }
        }
        (spots, all)
    });
    assert_eq!(found, LANDS_OF_GAMES, "{found:#x?}");
}
