//! `sproutnet draw`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sproutnet_drawing::{Labels, SvgOptions};

use crate::args::SpotLabels;
use crate::commands::roots;
use crate::exit::{BadInput, Exit};

/// Draws a position as SVG, without a coordinator.
pub(crate) fn run(
    position: &str,
    output: Option<PathBuf>,
    labels: SpotLabels,
) -> anyhow::Result<Exit> {
    let output = output.filter(|file| file != Path::new("-"));
    output.as_deref().map_or(Ok(()), check_target)?;
    let (game, position) = roots::parse(&roots::typed(position)?)?;
    let options = SvgOptions {
        labels: match labels {
            SpotLabels::None => Labels::None,
            SpotLabels::Lives => Labels::Lives,
            SpotLabels::Names => Labels::Names,
        },
        ..SvgOptions::default()
    };
    let svg = sproutnet_drawing::svg(&*game, &position, &options);
    let svg = svg.map_err(|error| BadInput(error.to_string()))?;
    match output {
        Some(file) => {
            let written = std::fs::write(&file, svg);
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        None => std::io::stdout().lock().write_all(svg.as_bytes())?,
    }
    Ok(Exit::Fine)
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
