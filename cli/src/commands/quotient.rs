//! `sproutnet quotient`.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};

use anyhow::Context;
use serde::Serialize;
use sproutnet_certificate::theory::QuotientCertificate;
use sproutnet_game as game;
use sproutnet_game::heaps::Heap;
use sproutnet_model::{Generator, Quotient as Listed, ValuePeriod};
use sproutnet_notation::Outcome;
use sproutnet_query as query;
use sproutnet_solver::theory::quotient::{Limits, Presentation, Quotient, TooLarge};
use sproutnet_solver::theory::written;

use crate::args::{Common, Quotient as Asked};
use crate::exit::{BadInput, Exit};
use crate::terminal::text::print_json;

/// The largest heap up to which a quotient may be asked for.
const LARGEST: u32 = 1000;

/// The number of heaps in a line. With a period of up to [`LONGEST_LINE`], a line holds whole periods instead.
const IN_LINE: usize = 10;
const LONGEST_LINE: usize = 24;

/// A misère quotient, as it is printed.
#[derive(Serialize)]
struct Found {
    game: String,
    #[serde(flatten)]
    quotient: Listed,
    /// The largest heap that may be asked for, if larger ones than these may prove a period.
    #[serde(skip)]
    further: Option<u32>,
}

/// The outcome of a sum, from the quotient.
#[derive(Serialize)]
struct Told {
    game: String,
    heaps: Vec<u32>,
    value: String,
    outcome: Outcome,
}

/// Prints the misère quotient of a game of heaps, or the outcome of a sum.
pub(crate) fn run(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    let (game, heap) = game::heap(&asked.rules).map_err(|error| BadInput(error.to_string()))?;
    let sum = asked.of.as_deref().map(|text| sizes(&game, text));
    let sum = sum.transpose()?;
    let limits = Limits {
        elements: asked.most_elements.into(),
        sums: asked.most_sums,
        looks: asked.most_looks,
        ..Limits::default()
    };
    let quotient = Quotient::limited(&*heap, asked.largest, limits);
    let quotient = quotient.or_else(|error| match &sum {
        // The quotient of the heaps below the one that was too much decides sums of them.
        Some(sum) if asked.certificate.is_none() && sum.iter().all(|&size| size < error.size) => {
            Ok(error.smaller)
        }
        _ => Err(refusal(&game, &error)),
    })?;
    if let Some(file) = &asked.certificate {
        let written = std::fs::write(file, certificate(&*heap, &quotient)?.to_string());
        written.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let values = quotient.values.iter().copied();
    let presentation = Presentation::of(&quotient.monoid, values);
    if let Some(sum) = sum {
        let told = told(&game, &quotient, &presentation, sum)?;
        if common.json {
            print_json(&told)?;
        } else {
            println!("{}", told.text());
        }
        return Ok(Exit::Fine);
    }
    // Where any number may be taken, larger heaps have values of their own.
    let can_have_period = heap.reach().is_some_and(|reach| !reach.takes_any);
    let found = Found {
        game,
        quotient: query::quotient(&quotient, &presentation),
        further: (can_have_period && asked.largest < LARGEST).then_some(LARGEST),
    };
    if common.json {
        print_json(&found)?;
    } else {
        let mut output = BufWriter::new(std::io::stdout().lock());
        output.write_all(found.text().as_bytes())?;
    }
    Ok(Exit::Fine)
}

/// Reads a sum such as `5+3+2`, optionally after the name of the game.
fn sizes(game: &str, text: &str) -> Result<Vec<u32>, BadInput> {
    let sum = text.strip_prefix(game);
    let sum = sum.and_then(|rest| rest.strip_prefix(':')).unwrap_or(text);
    let sizes = sum.split('+').map(|size| size.trim().parse().ok());
    sizes.collect::<Option<_>>().ok_or_else(|| {
        BadInput(format!(
            "expected sizes of heaps such as 5+3+2, found `{text}`"
        ))
    })
}

/// The error for a quotient that is too large, with the largest one that is not.
fn refusal(game: &str, TooLarge { size, smaller }: &TooLarge) -> BadInput {
    let order = smaller.monoid.order();
    let largest = size.saturating_sub(1);
    BadInput(format!(
        "the misère quotient of {game} with heaps of {size} is infinite, or too large to be found\n\
         `sproutnet quotient \"{game}\" {largest}` shows that of smaller heaps, which has order {order}\n\
         --most-elements, --most-sums and --most-looks allow larger ones"
    ))
}

/// The certificate of a quotient.
fn certificate(heap: &dyn Heap, quotient: &Quotient) -> Result<QuotientCertificate, BadInput> {
    let code = written::code(heap).ok_or_else(|| {
        BadInput("the rules have no code, so a certificate cannot state them".to_owned())
    })?;
    let monoid = &quotient.monoid;
    let stated = quotient.period.map(|period| period.verified as usize + 1);
    Ok(QuotientCertificate {
        code,
        products: monoid
            .elements()
            .map(|element| monoid.multiples(element).to_vec())
            .collect(),
        lost: monoid.p_portion().collect(),
        values: quotient.values[..stated.unwrap_or(quotient.values.len())].to_vec(),
        period: quotient.period.map(|period| (period.start, period.length)),
    })
}

fn told(
    game: &str,
    quotient: &Quotient,
    presentation: &Presentation,
    heaps: Vec<u32>,
) -> Result<Told, BadInput> {
    let sizes = || heaps.iter().copied();
    let answer = quotient.value_of(sizes()).zip(quotient.outcome(sizes()));
    let Some((value, outcome)) = answer else {
        return Err(BadInput(format!(
            "heaps of up to {} prove no quotient of the whole game: ask for no larger heaps, or name a larger one \
             after the game",
            quotient.values.len() - 1
        )));
    };
    Ok(Told {
        game: game.to_owned(),
        value: presentation.form(value),
        heaps,
        outcome,
    })
}

impl Told {
    fn text(&self) -> String {
        let heaps: Vec<String> = self.heaps.iter().map(u32::to_string).collect();
        let (game, value, outcome) = (&self.game, &self.value, self.outcome);
        format!(
            "{game}, heaps {}: {outcome} under misère play; value {value}",
            heaps.join("+")
        )
    }
}

impl Found {
    fn text(&self) -> String {
        let mut text = self.table();
        let last = self.quotient.values.len() - 1;
        let _ = match &self.quotient.period {
            Some(ValuePeriod {
                from,
                length,
                verified_to,
            }) => writeln!(
                text,
                "\n{}: the misère quotient of the whole game has order {}\n\
                 period {length} from {from} on, proved by heaps up to {verified_to} (Plambeck and Siegel 2008)",
                self.game, self.quotient.order
            ),
            None => {
                let hint = self.further.map_or_else(String::new, |largest| {
                    let game = &self.game;
                    format!("; `sproutnet quotient \"{game}\" {largest}` looks further")
                });
                writeln!(
                    text,
                    "\n{}: the misère quotient of heaps up to {last} has order {}\n\
                     no period is proved by these heaps{hint}",
                    self.game, self.quotient.order
                )
            }
        };
        let generators = self.quotient.generators.iter();
        let generators =
            generators.map(|Generator { name, heap }| format!("{name} is heap {heap}"));
        for (title, list) in [
            ("generators", generators.collect::<Vec<_>>()),
            ("relations", self.quotient.relations.clone()),
            ("lost (P-portion)", self.quotient.p_portion.clone()),
            ("elements", self.quotient.elements.clone()),
        ] {
            let list = if list.is_empty() {
                "none".to_owned()
            } else {
                list.join(", ")
            };
            let _ = writeln!(text, "{title}: {list}");
        }
        text
    }

    /// The values of heaps, in lines of whole periods, or of [`IN_LINE`] heaps.
    fn table(&self) -> String {
        let in_line = self
            .quotient
            .period
            .as_ref()
            .map(|period| period.length as usize);
        let in_line = match in_line.filter(|&length| length <= LONGEST_LINE) {
            Some(length) => length * (IN_LINE / length).max(1),
            None => IN_LINE,
        };
        let widths = self
            .quotient
            .values
            .iter()
            .map(|value| value.chars().count());
        let widest = widths.max().unwrap_or(1);
        let first = (self.quotient.values.len() - 1).to_string().len();
        let mut text = String::new();
        for (line, values) in self.quotient.values.chunks(in_line).enumerate() {
            let _ = write!(text, "{:>first$} |", line * in_line);
            for value in values {
                let _ = write!(text, " {value:>widest$}");
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests;
