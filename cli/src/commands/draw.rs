//! `sproutnet draw`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sproutnet_drawing::{Drawing, Labels, SvgOptions};

use crate::args::SpotLabels;
use crate::commands::roots;
use crate::exit::{BadInput, Exit};

/// Draws a position, without a coordinator.
pub(crate) fn run(
    position: &str,
    output: Option<PathBuf>,
    labels: SpotLabels,
) -> anyhow::Result<Exit> {
    let position = roots::parse_sprouts(position, "drawn")?;
    let drawing = Drawing::of(&position).map_err(|error| BadInput(error.to_string()))?;
    let options = SvgOptions {
        labels: match labels {
            SpotLabels::None => Labels::None,
            SpotLabels::Lives => Labels::Lives,
            SpotLabels::Names => Labels::Names,
        },
        ..SvgOptions::default()
    };
    let svg = drawing.svg(&options);
    match output {
        Some(file) if file != Path::new("-") => {
            let written = std::fs::write(&file, svg);
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        _ => std::io::stdout().lock().write_all(svg.as_bytes())?,
    }
    Ok(Exit::Fine)
}
