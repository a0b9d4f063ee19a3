//! The atlas: outcomes that Sproutnet proved, with certificates in the folder `atlas` of the repository. The program
//! contains the list, not the certificates.

use std::sync::LazyLock;

use serde::Serialize;
use sproutnet_notation::{Outcome, Play};

const MANIFEST: &str = include_str!("../../../atlas/manifest.tsv");

/// An outcome that Sproutnet proved, and its certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proof {
    /// The name of the certificate.
    pub name: &'static str,
    /// The position's canonical text.
    pub position: &'static str,
    /// The convention.
    pub play: Play,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The nimber, if it is proved.
    pub nimber: Option<u32>,
    /// The position after a winning move that the certificate proves. `None` for a loss, and for starts below two spots.
    pub winning_move: Option<&'static str>,
    /// The number of facts in the certificate.
    pub facts: u64,
    /// The size of its file in bytes.
    pub bytes: u64,
    /// The work of the proof, as text.
    pub effort: &'static str,
    /// The day on which the certificate was made, as YYYY-MM-DD.
    pub date: &'static str,
    /// The version of the program that made it.
    pub version: &'static str,
    /// The SHA-256 of its file, in hexadecimal digits.
    pub sha256: &'static str,
    #[serde(skip)]
    citation: String,
}

impl Proof {
    /// Its citation in answers: `proved by Sproutnet, certificate NAME`.
    pub fn citation(&self) -> &str {
        &self.citation
    }

    /// The name of its file in the folder `atlas`.
    pub fn file(&self) -> String {
        format!("{}.sprout", self.name)
    }

    /// The proof of a citation; `None` for the citation of a publication.
    pub fn cited(citation: &str) -> Option<&'static Self> {
        proofs().iter().find(|proof| proof.citation == citation)
    }

    fn read(line: &'static str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [
            name,
            position,
            play,
            outcome,
            nimber,
            winning_move,
            facts,
            bytes,
            sha256,
            effort,
            date,
            version,
        ] = fields[..]
        else {
            return None;
        };
        Some(Self {
            name,
            position,
            play: play.parse().ok()?,
            outcome: match outcome {
                "win" => Outcome::Win,
                "loss" => Outcome::Loss,
                _ => return None,
            },
            nimber: nimber.parse().ok(),
            winning_move: Some(winning_move).filter(|&of| of != "-"),
            facts: facts.parse().ok()?,
            bytes: bytes.parse().ok()?,
            sha256,
            effort,
            date,
            version,
            citation: format!("proved by Sproutnet, certificate {name}"),
        })
    }
}

/// All of the atlas, in the order of its list.
pub fn proofs() -> &'static [Proof] {
    static PROOFS: LazyLock<Vec<Proof>> =
        LazyLock::new(|| MANIFEST.lines().filter_map(Proof::read).collect());
    &PROOFS
}

#[cfg(test)]
#[path = "atlas_tests.rs"]
mod tests;
