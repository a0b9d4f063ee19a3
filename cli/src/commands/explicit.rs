//! `sproutnet explicit`.

use std::io::Read;
use std::path::Path;

use serde::Serialize;
use sproutnet_game::explicit::file::{self, Named};

use crate::args::Common;
use crate::commands::verify;
use crate::exit::{BadInput, Exit};
use crate::terminal::text::{plain, print_json, print_lines};

/// The maximum length of a file, in bytes.
const LONGEST: u64 = 16 << 20;

/// A position of the file.
#[derive(Serialize)]
struct Written<'a> {
    name: &'a str,
    canonical: &'a str,
}

/// Writes positions of a file as explicit games, one a line.
pub(crate) fn run(path: &Path, names: &[String], common: &Common) -> anyhow::Result<Exit> {
    let wrong = |problem: String| BadInput(format!("{}: {problem}", path.display()));
    let text = read(path).map_err(|error| wrong(error.to_string()))?;
    let positions = file::read(&text).map_err(|error| wrong(error.to_string()))?;
    let of_name = |name: &String| {
        let position = positions.iter().find(|position| position.name == *name);
        position.ok_or_else(|| wrong(format!("no line names `{}`", plain(name))))
    };
    let asked: Vec<&Named> = match names {
        [] => positions.first().into_iter().collect(),
        names => names.iter().map(of_name).collect::<Result<_, _>>()?,
    };
    if asked.is_empty() {
        return Err(wrong("no line names a position".to_owned()).into());
    }
    for Named { name, text } in asked {
        if common.json {
            print_json(&Written {
                name,
                canonical: text,
            })?;
        } else {
            print_lines(std::slice::from_ref(text))?;
        }
    }
    Ok(Exit::Fine)
}

fn read(path: &Path) -> anyhow::Result<String> {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(verify::open(path)?)
    };
    let mut text = String::new();
    input.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(BadInput(format!("the file has more than {LONGEST} bytes")).into());
    }
    Ok(text)
}
