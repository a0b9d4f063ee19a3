//! `sproutnet draw`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sproutnet_drawing::{Labels, SvgOptions};

use crate::args::SpotLabels;
use crate::commands::answers;
use crate::commands::roots::{self, Refused, Root};
use crate::exit::{BadInput, Exit};

/// Draws positions as SVG, without a coordinator.
pub(crate) fn run(
    positions: &[String],
    output: Option<PathBuf>,
    labels: SpotLabels,
) -> anyhow::Result<Exit> {
    let output = output.filter(|file| file != Path::new("-"));
    let options = SvgOptions {
        labels: match labels {
            SpotLabels::None => Labels::None,
            SpotLabels::Lives => Labels::Lives,
            SpotLabels::Names => Labels::Names,
        },
        ..SvgOptions::default()
    };
    let [position] = positions else {
        return run_all(positions, output.as_deref(), &options);
    };
    if position == "-" || roots::is_range(position) {
        return run_all(positions, output.as_deref(), &options);
    }
    output.as_deref().map_or(Ok(()), check_target)?;
    let svg = drawn(&roots::typed(position)?, &options)?;
    write(output.as_deref(), &svg)?;
    Ok(Exit::Fine)
}

/// Draws several positions: one document after another, or into files of a folder. Returns the worst exit.
fn run_all(
    positions: &[String],
    folder: Option<&Path>,
    options: &SvgOptions,
) -> anyhow::Result<Exit> {
    if let Some(folder) = folder {
        if folder.extension().is_some() && !folder.is_dir() {
            let problem = "several pictures need a folder; name one without an extension";
            return Err(BadInput(format!("{}: {problem}", folder.display())).into());
        }
        let made = std::fs::create_dir_all(folder);
        made.with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut worst = Exit::Fine;
    for (number, root) in (1..).zip(roots::read(positions)?) {
        let svg = root.and_then(|Root { text, line }| {
            drawn(&text, options).map_err(|problem| Refused {
                line,
                input: Some(text),
                problem,
            })
        });
        match svg {
            Ok(svg) => {
                let file = folder.map(|folder| folder.join(format!("{number}.svg")));
                write(file.as_deref(), &svg)?;
            }
            Err(refused) => {
                answers::refuse(false, &refused)?;
                worst = Exit::BadInput;
            }
        }
    }
    Ok(worst)
}

/// The picture of a position.
fn drawn(text: &str, options: &SvgOptions) -> Result<String, BadInput> {
    let (game, position) = roots::parse(text)?;
    let svg = sproutnet_drawing::svg(&*game, &position, options);
    svg.map_err(|error| BadInput(error.to_string()))
}

/// Writes a picture to a file, or to standard output.
fn write(file: Option<&Path>, svg: &str) -> anyhow::Result<()> {
    match file {
        Some(file) => {
            let written = std::fs::write(file, svg);
            written.with_context(|| format!("cannot write {}", file.display()))
        }
        None => Ok(std::io::stdout().lock().write_all(svg.as_bytes())?),
    }
}

/// Refuses a file name with an extension other than `.svg`.
pub(crate) fn check_target(file: &Path) -> Result<(), BadInput> {
    match file.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => Err(BadInput(format!(
            "{}: pictures are written as SVG; name the file {}",
            file.display(),
            file.with_extension("svg").display()
        ))),
        _ => Ok(()),
    }
}
