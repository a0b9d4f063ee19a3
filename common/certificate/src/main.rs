//! `sproutnet-certificate FILE…`: the checker as a program of its own.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::iter::successors;
use std::process::ExitCode;
use std::thread::available_parallelism;

use sproutnet_certificate::theory::{self, Theory};
use sproutnet_certificate::{Options, verify};

/// The limit on memory, in bytes: enough for two million facts.
const MEMORY: usize = 4 << 30;

// Exit codes, the same as those of `sproutnet verify`.
const FAULT: u8 = 1;
const BAD_INPUT: u8 = 2;
const REFUSED: u8 = 4;

fn main() -> ExitCode {
    let files: Vec<String> = env::args().skip(1).collect();
    if files.is_empty() || files.iter().any(|file| file.starts_with('-')) {
        eprintln!("usage: sproutnet-certificate FILE...");
        return ExitCode::from(BAD_INPUT);
    }
    let worst = files.iter().map(|file| check(file)).max();
    ExitCode::from(worst.unwrap_or(0))
}

/// Checks one file, prints the proved claim, and returns the exit code.
fn check(name: &str) -> u8 {
    let options = Options {
        cores: available_parallelism().map_or(1, usize::from),
        memory: MEMORY,
    };
    let file = File::open(name).map(BufReader::new);
    let Ok(mut file) = file.inspect_err(|error| eprintln!("{name}: {error}")) else {
        return BAD_INPUT;
    };
    if file
        .fill_buf()
        .is_ok_and(|bytes| bytes.first() == Some(&theory::FIRST))
    {
        return check_theory(name, file, options.cores);
    }
    match verify(file, &options) {
        Ok(verified) => {
            let claim = &verified.header.claim;
            let (position, play, outcome) = (&claim.position, claim.play, claim.outcome);
            let facts = verified.header.facts;
            println!("{position} {play} {outcome}: proved by {facts} facts");
            0
        }
        Err(error) => {
            eprintln!("{name}: {}", chain(&error));
            if error.is_refusal() { REFUSED } else { FAULT }
        }
    }
}

/// Checks a certificate of theory.
fn check_theory(name: &str, file: impl Read, cores: usize) -> u8 {
    match theory::verify(file, cores) {
        Ok(Theory::Period(of)) => {
            let (length, start, saltus) = (of.length, of.start, of.saltus);
            println!(
                "{}: period {length} from {start} with saltus {saltus}",
                of.code
            );
            0
        }
        Ok(Theory::Quotient(of)) => {
            let last = of.values.len() - 1;
            let game = match of.period {
                Some(_) => "the whole game".to_owned(),
                None => format!("heaps up to {last}"),
            };
            println!(
                "{}: misere quotient of order {} of {game}",
                of.code,
                of.products.len()
            );
            0
        }
        Err(error) => {
            eprintln!("{name}: {}", chain(&error));
            if error.is_refusal() { REFUSED } else { FAULT }
        }
    }
}

/// An error and its causes.
fn chain(error: &dyn Error) -> String {
    let causes = successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
