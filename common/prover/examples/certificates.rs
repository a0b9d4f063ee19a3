//! Proves start positions, verifies the certificates, and prints their sizes and the times.
//!
//! ```sh
//! cargo run --release -p sproutnet-prover --example certificates -- normal|misere FIRST LAST [EFFORT] [CORES]
//! ```
//!
//! Each start position is proved without prior knowledge. `EFFORT` (default 60) is the effort to make the proof
//! smaller, as of `sproutnet prove`. Sizes are reproducible with `CORES` = 1 (the default).

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use sproutnet_certificate::{Options, verify};
use sproutnet_game::{Game, Sprouts};
use sproutnet_prover::{Limits, prove};
use sproutnet_solver::play::Play;
use sproutnet_system::machine;

/// The memory for each proof, in bytes.
const MEMORY: usize = 8 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, default: Option<u64>| -> Result<u64, Box<dyn Error>> {
        match (args.get(place), default) {
            (Some(text), _) => Ok(text.parse()?),
            (None, Some(default)) => Ok(default),
            (None, None) => Err("which plays, and which starts?".into()),
        }
    };
    let play: Play = args.first().ok_or("which play?")?.parse()?;
    let (first, last) = (number(1, None)?, number(2, None)?);
    let limits = Limits {
        cores: usize::try_from(number(4, Some(1))?)?,
        memory: MEMORY,
        effort: number(3, Some(60))?,
        seed: 0,
    };
    let options = Options {
        cores: limits.cores,
        memory: MEMORY,
    };
    println!("| spots | outcome | facts | bytes | proved in | verified in | peak memory |");
    println!("|--:|---|--:|--:|--:|--:|--:|");
    for spots in first..=last {
        let position = Sprouts.parse(&format!("0*{spots}"))?;
        machine::forget_peak_memory();
        let began = Instant::now();
        let proof = prove(Arc::new(Sprouts), &position, play, None, &limits, &|_| ())?;
        let proved = began.elapsed();
        let mut file = Vec::new();
        let header = proof.write(&mut file)?;
        let memory = machine::peak_memory().unwrap_or(0) >> 20;
        let began = Instant::now();
        verify(&file[..], &options)?;
        println!(
            "| {spots} | {} | {} | {} | {proved:.1?} | {:.1?} | {memory} MiB |",
            header.claim.outcome,
            header.facts,
            file.len(),
            began.elapsed(),
        );
    }
    Ok(())
}
