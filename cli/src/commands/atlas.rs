//! `sproutnet atlas`: the proofs of Sproutnet that have a certificate in its repository.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};
use sproutnet_model::{Proof, proofs};

use crate::args::{AtlasAct, Common, Verify};
use crate::commands::verify;
use crate::exit::{BadInput, Exit};
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::{Show, bytes, count, named_values, or_dash, print};

impl Row for Proof {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("certificate", self.name),
            text("position", self.position),
            text("play", self.play),
            text("outcome", self.outcome),
            text("nimber", or_dash(self.nimber)),
            number("facts", count(self.facts)),
            number("size", bytes(self.bytes)),
            number("effort", self.effort),
            text("date", self.date),
        ]
    }
}

impl Show for Proof {
    fn lines(&self) -> Vec<String> {
        named_values([
            ("certificate", self.name.to_owned()),
            ("position", self.position.to_owned()),
            ("play", self.play.to_string()),
            ("outcome", self.outcome.to_string()),
            ("nimber", or_dash(self.nimber)),
            ("facts", count(self.facts)),
            ("file", format!("atlas/{}", self.file())),
            ("size", bytes(self.bytes)),
            ("SHA-256", self.sha256.to_owned()),
            ("effort", self.effort.to_string()),
            ("date", self.date.to_owned()),
            ("check it", format!("sproutnet atlas verify {}", self.name)),
        ])
    }
}

/// Lists the atlas, shows certificates of it, or checks them.
pub(crate) async fn run(
    shown: Vec<String>,
    act: Option<AtlasAct>,
    common: Common,
) -> anyhow::Result<Exit> {
    if !shown.is_empty() {
        for proof in chosen(&shown)? {
            print(common.json, proof)?;
        }
        return Ok(Exit::Fine);
    }
    let Some(AtlasAct::Verify {
        names,
        atlas,
        cores,
        memory,
    }) = act
    else {
        let mut rows = Rows::new(common.json, &[14, 8, 6, 7, 6, 9, 9, 8]);
        for proof in proofs() {
            rows.print(proof)?;
        }
        return Ok(Exit::Fine);
    };
    let chosen = chosen(&names)?;
    let mut files = Vec::new();
    let mut exit = Exit::Fine;
    for proof in chosen {
        let file = atlas.join(proof.file());
        if !file.exists() {
            let problem = "there is no such file; --atlas names the folder of the certificates";
            return Err(BadInput(format!("{}: {problem}", file.display())).into());
        }
        let found = checksum(&file)?;
        if found == proof.sha256 {
            files.push(file.to_string_lossy().into_owned());
        } else {
            let (file, listed) = (file.display(), proof.sha256);
            eprintln!("error: {file}: its SHA-256 is {found}, but the atlas lists {listed}");
            exit = Exit::Refused;
        }
    }
    match files.len() {
        1 => eprintln!("one file has the SHA-256 that the atlas lists; now its facts are checked"),
        some => eprintln!(
            "{some} files have the SHA-256 that the atlas lists; now their facts are checked"
        ),
    }
    let verify = Verify {
        files,
        cores,
        memory,
    };
    Ok(exit.max(verify::run(verify, common).await?))
}

/// The proofs with these names; all proofs if there are no names.
fn chosen(names: &[String]) -> Result<Vec<&'static Proof>, BadInput> {
    if names.is_empty() {
        return Ok(proofs().iter().collect());
    }
    let named = |name: &String| {
        let found = proofs().iter().find(|proof| proof.name == name);
        let problem = || {
            BadInput(format!(
                "the atlas has no certificate {name}; `sproutnet atlas` lists all"
            ))
        };
        found.ok_or_else(problem)
    };
    names.iter().map(named).collect()
}

/// The SHA-256 of a file, in hexadecimal digits.
fn checksum(path: &Path) -> anyhow::Result<String> {
    let opened = verify::open(path).with_context(|| path.display().to_string());
    let mut digest = Sha256::new();
    let mut file = opened?;
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part)? {
            0 => break,
            read => digest.update(&part[..read]),
        }
    }
    Ok(digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
