//! `sproutnet sequence`.

mod family;
mod plot;

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use sproutnet_certificate::theory::PeriodCertificate;
use sproutnet_game as game;
use sproutnet_game::heaps::Heap;
use sproutnet_model::ProvedPeriod;
use sproutnet_query as query;
use sproutnet_solver::theory::period::Period;
use sproutnet_solver::theory::sequence::{self, FURTHEST, Sequence};
use sproutnet_solver::theory::written;

use crate::args::{self, Common, Sequence as Asked, SequenceFormat as Format};
use crate::commands::{draw, roots};
use crate::exit::{BadInput, Exit};
use crate::terminal::formats::{self, Cell};
use crate::terminal::text::{count, time};

/// The largest heap whose nimber is printed.
const LARGEST: u32 = 10_000_000;

/// The ranges that are proposed if no period is found.
const FURTHER: [u32; 4] = [20_000, 200_000, 2_000_000, LARGEST];

/// The number of nimbers in a line. With a period of up to [`LONGEST_LINE`], a line holds whole periods instead.
const IN_LINE: u32 = 20;
const LONGEST_LINE: u32 = 40;

/// The nimbers of the heaps in a range, or of the positions of a family.
#[derive(Serialize)]
struct Heaps {
    game: String,
    first: u32,
    nimbers: Vec<u32>,
    /// The number of nimbers that were computed, for heaps from 0 on. Others follow from the period, if it is proved.
    computed: usize,
    period: Option<ProvedPeriod>,
    /// Why larger ones are missing; `None` if all are there.
    stopped: Option<String>,
    /// What is said if no period is proved.
    #[serde(skip)]
    remark: String,
    /// The name of the argument: `heap` or `N`.
    #[serde(skip)]
    argument: &'static str,
}

/// Prints the nimbers of heaps and their period if it is proved, or the nimbers of a family.
pub(crate) async fn run(asked: Asked, common: Common) -> anyhow::Result<Exit> {
    let format = args::format(asked.format, Format::Text, Format::Json, &common)?;
    let output = asked
        .output
        .as_deref()
        .filter(|file| *file != Path::new("-"));
    if let (Some(file), Format::Svg) = (output, format) {
        draw::check_target(file)?;
    }
    let heaps = match asked.family() {
        Some(family) if asked.certificate.is_none() => {
            family::solve(&family, &asked, &common).await?
        }
        Some(_) => {
            let problem = "certificates state periods of heaps; a family has none";
            return Err(BadInput(problem.to_owned()).into());
        }
        None => of_heaps(&asked)?,
    };
    if !heaps.nimbers.is_empty() {
        heaps.write(format, output)?;
    }
    match &heaps.stopped {
        Some(why) => {
            eprintln!("{}: {why}", heaps.game);
            Ok(Exit::Unknown)
        }
        None if asked.certificate.is_some() && heaps.period.is_none() => {
            eprintln!(
                "{}: no certificate is written: no period is proved",
                heaps.game
            );
            Ok(Exit::Unknown)
        }
        None => Ok(Exit::Fine),
    }
}

/// The nimbers of heaps. Writes the certificate that is asked for.
fn of_heaps(asked: &Asked) -> anyhow::Result<Heaps> {
    let (first, last) = range(asked.range.as_deref().unwrap_or("0-100"))?;
    let (game, heap) = game::heap(&asked.rules).map_err(|error| BadInput(error.to_string()))?;
    let terms = last as usize + 1;
    // A deadline beyond the clock's range is no deadline.
    let until = asked
        .deadline
        .and_then(|time| Instant::now().checked_add(time));
    let found = Sequence::looking(&*heap, terms, FURTHEST, asked.most_options, until);
    let is_late = until.is_some_and(|until| Instant::now() >= until);
    let end = found.nimbers.len().min(last as usize + 1);
    if let (Some(file), Some(period)) = (&asked.certificate, &found.period) {
        let certificate = certificate(&*heap, &found, period)?;
        let written = std::fs::write(file, certificate.to_string());
        written.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let stopped = (end <= last as usize).then(|| {
        let place = match end.checked_sub(1) {
            Some(last) => format!("after heap {}", count(last as u64)),
            None => "before the first heap".to_owned(),
        };
        let (why, option) = match asked.deadline.filter(|_| is_late) {
            Some(allowed) => {
                let allowed = time(allowed.as_secs_f64());
                (format!("the time limit of {allowed} is over"), "--deadline")
            }
            None => {
                let most = count(asked.most_options);
                let why = format!("larger heaps take more than {most} options");
                (why, "--most-options")
            }
        };
        format!("stopped {place}: {why}, and no period is proved; {option} allows more")
    });
    Ok(Heaps {
        remark: remark(&game, &*heap, found.nimbers.len(), stopped.is_some()),
        game,
        first,
        nimbers: found
            .nimbers
            .get(first as usize..end)
            .unwrap_or_default()
            .to_vec(),
        computed: found.computed,
        period: found.period.map(|period| query::period(&period)),
        stopped,
        argument: "heap",
    })
}

/// What is said of nimbers that prove no period.
fn remark(game: &str, heap: &dyn Heap, computed: usize, is_stopped: bool) -> String {
    let heaps = count(computed as u64);
    if !sequence::can_have_period(heap) {
        return format!(
            "{game}: no theorem of periods applies; the first {heaps} heaps were computed"
        );
    }
    let further = FURTHER
        .iter()
        .find(|&&last| !is_stopped && last as usize >= computed);
    let hint = further.map_or_else(String::new, |last| {
        format!("; `sproutnet sequence \"{game}\" 0-{last}` looks further")
    });
    format!("{game}: no period is proved by the first {heaps} heaps{hint}")
}

/// The certificate of a proved period.
fn certificate(
    heap: &dyn Heap,
    found: &Sequence,
    period: &Period,
) -> Result<PeriodCertificate, BadInput> {
    let code = written::code(heap).ok_or_else(|| {
        BadInput("the rules have no code, so a certificate cannot state them".to_owned())
    })?;
    let stated = 0..=period.stated();
    Ok(PeriodCertificate {
        code,
        start: period.start,
        length: period.length,
        saltus: period.saltus,
        nimbers: stated.map_while(|size| found.nimber(size)).collect(),
    })
}

/// Reads the range `A-B`, `A..B` or `A..=B`; `B` alone is `0-B`.
fn range(text: &str) -> Result<(u32, u32), BadInput> {
    let (first, last) = roots::ends(text).unwrap_or(("0", text));
    let number = |text: &str| {
        text.trim()
            .parse::<u32>()
            .ok()
            .filter(|&size| size <= LARGEST)
    };
    let ends = number(first).zip(number(last));
    ends.filter(|(first, last)| first <= last).ok_or_else(|| {
        let most = count(LARGEST.into());
        BadInput(format!(
            "expected a range of heaps up to {most} such as 0-1000, found `{text}`"
        ))
    })
}

impl Heaps {
    /// Writes the nimbers in a format, to a file or to standard output.
    fn write(&self, format: Format, output: Option<&Path>) -> anyhow::Result<()> {
        let text = match format {
            Format::Text => self.text(),
            Format::Csv => joined(&formats::csv(&self.columns(), &self.rows())),
            Format::Latex => self.latex(),
            Format::Markdown => self.markdown(),
            Format::Json => serde_json::to_string(self)? + "\n",
            Format::Bfile => self.bfile(),
            Format::Svg => plot::svg(self),
        };
        match output {
            Some(file) => {
                let written = std::fs::write(file, text);
                written.with_context(|| format!("cannot write {}", file.display()))?;
            }
            None => BufWriter::new(std::io::stdout().lock()).write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// The columns of the formats with one row for each nimber.
    fn columns(&self) -> [&'static str; 2] {
        [self.argument, "nimber"]
    }

    fn last(&self) -> u32 {
        self.first + self.nimbers.len() as u32 - 1
    }

    fn sizes(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.first..).zip(self.nimbers.iter().copied())
    }

    fn text(&self) -> String {
        let period = self.period.as_ref();
        let in_line = period.map_or(IN_LINE, |period| period.length);
        let in_line = match in_line {
            1..=LONGEST_LINE => in_line * (IN_LINE / in_line).max(1),
            _ => IN_LINE,
        };
        let largest = self
            .nimbers
            .iter()
            .max()
            .map_or(1, |nimber| nimber.to_string().len());
        let width = self.last().to_string().len();
        let mut text = String::new();
        for (size, nimber) in self.sizes() {
            if size % in_line == 0 || size == self.first {
                let line = size - size % in_line;
                let skipped = " ".repeat((size - line) as usize * (largest + 1));
                let _ = write!(text, "{line:>width$} | {skipped}");
            }
            let end = if (size + 1) % in_line == 0 || size == self.last() {
                '\n'
            } else {
                ' '
            };
            let _ = write!(text, "{nimber:>largest$}{end}");
        }
        text.push('\n');
        text.push_str(&self.summary());
        text.push('\n');
        if self.period.is_some() && self.computed <= self.last() as usize {
            let _ = writeln!(
                text,
                "heaps up to {} were computed; larger ones follow from the period",
                count(self.computed as u64 - 1)
            );
        }
        text
    }

    /// The period and its proof.
    fn summary(&self) -> String {
        let game = &self.game;
        match &self.period {
            Some(ProvedPeriod {
                length,
                from,
                saltus,
                proof,
                ..
            }) => {
                let kind = match saltus {
                    0 => format!("period {length}"),
                    saltus => format!("arithmetic period {length} with saltus {saltus}"),
                };
                format!("{game}: {kind} from {from} on, proved: {proof}")
            }
            None => self.remark.clone(),
        }
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let row =
            |(size, nimber): (u32, u32)| vec![size.to_string().into(), nimber.to_string().into()];
        self.sizes().map(row).collect()
    }

    /// A table, after the period as a comment.
    fn latex(&self) -> String {
        let table = joined(&formats::latex(&self.columns(), &self.rows()));
        format!("% {}\n{table}", self.summary())
    }

    /// A b-file of the On-Line Encyclopedia of Integer Sequences: a line `n a(n)` for each nimber, after a comment.
    fn bfile(&self) -> String {
        let lines = self
            .sizes()
            .map(|(size, nimber)| format!("{size} {nimber}\n"));
        let lines: String = lines.collect();
        format!("# {}\n{lines}", self.summary())
    }

    /// A table, followed by the period.
    fn markdown(&self) -> String {
        let table = joined(&formats::markdown(&self.columns(), &self.rows()));
        format!("{table}\n{}\n", formats::in_markdown(&self.summary()))
    }
}

/// Joins lines, each with a line break.
fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;
