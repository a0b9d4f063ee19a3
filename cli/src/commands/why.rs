//! `sproutnet why`.

use sproutnet_model::{Branch, Branches, Effort, Explanation, Pace};
use sproutnet_notation::ComputationId;

use crate::args::{Common, Plays};
use crate::commands::list::{task, waits};
use crate::commands::named::Named;
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, number, table, text};
use crate::terminal::text::{Show, count, estimated, plain, print, proof_number, time};

/// Shows why a computation is not finished.
pub(crate) async fn run(
    named: String,
    play: Option<Plays>,
    common: Common,
) -> anyhow::Result<Exit> {
    let named = Named::read(&named, play)?;
    named.check(&common)?;
    let asked = ask(&common, |client| async move {
        let list = client.list().await?;
        Ok(match named.find(&list) {
            Ok(found) => Ok(client.explain(ComputationId(found.id)).await?),
            Err(unknown) => Err(unknown),
        })
    });
    let explanation = asked.await??;
    print(common.json, &explanation)?;
    Ok(Exit::Fine)
}

impl Show for Explanation {
    fn lines(&self) -> Vec<String> {
        let parts = [
            standing(self),
            table(self.paces.iter().map(pace), Look::of_stdout()),
            work(&self.effort),
            self.branches.as_ref().map_or_else(Vec::new, branches),
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(&String::new())
    }
}

/// The computation, its numbers and its estimate.
fn standing(explanation: &Explanation) -> Vec<String> {
    let computation = &explanation.computation;
    let progress = &computation.progress;
    let jobs = progress.jobs;
    let mut lines = vec![format!(
        "{}  {} {}: {}, worked on for {}, {} expansions, {jobs} {} out",
        computation.id,
        plain(&computation.position),
        task(computation),
        progress.status.name(),
        time(progress.seconds),
        count(progress.expansions),
        if jobs == 1 { "job" } else { "jobs" },
    )];
    if progress.status.has_ended() {
        return lines;
    }
    let why = computation.waits_for;
    lines.extend(why.map(|why| format!("it waits: {}", waits(why, computation))));
    let (proof, disproof) = (progress.root.proof, progress.root.disproof);
    lines.push(format!(
        "the effort to prove a win is estimated at {}, a loss at {}",
        proof_number(proof),
        proof_number(disproof)
    ));
    lines.push(match progress.estimate {
        Some(estimate) => format!(
            "four in five such computations take {}, by {} smaller starts",
            estimated(estimate),
            estimate.behind
        ),
        None => {
            "no estimate of its time: only starts have one, if enough smaller ones were solved here"
                .to_owned()
        }
    });
    lines
}

fn pace(pace: &Pace) -> Vec<Cell> {
    let (proof, disproof) = (pace.before.proof, pace.before.disproof);
    // Before the first job, nothing is known.
    let is_unknown = (proof, disproof) == (u32::MAX, u32::MAX);
    let then = |number| {
        if is_unknown {
            "-".to_owned()
        } else {
            proof_number(number)
        }
    };
    vec![
        text("the last", time(pace.seconds)),
        number("expansions/s", count(pace.expansions as u64)),
        number("records/s", count(pace.records as u64)),
        number("proof then", then(proof)),
        number("disproof then", then(disproof)),
    ]
}

/// What the reported work brought.
fn work(effort: &Effort) -> Vec<String> {
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let mut lines = Vec::new();
    if let Some(repeated) = effort.repeated() {
        lines.push(format!(
            "{} records arrived since the coordinator started; {} of them were known before",
            count(effort.new_records + effort.repeated_records),
            percent(repeated)
        ));
    }
    if let Some(unwanted) = effort.unwanted() {
        lines.push(format!(
            "{} of the expansions were for jobs that were no longer wanted",
            percent(unwanted)
        ));
    }
    if let Some(yields) = effort.yields() {
        lines.push(format!(
            "judging by this, another worker like these adds at most {} of its own speed",
            percent(yields)
        ));
    }
    lines
}

fn branches(branches: &Branches) -> Vec<String> {
    let open = branches.open.len() as u64 + branches.more;
    if open == 0 {
        return Vec::new();
    }
    let what = match (branches.are_parts, open) {
        (true, 1) => "part is open".to_owned(),
        (true, _) => "parts are open, which are solved one after the other".to_owned(),
        (false, 1) => "move may still win".to_owned(),
        (false, _) => "moves may still win".to_owned(),
    };
    let most = match branches.more {
        0 => "the hardest first".to_owned(),
        _ if branches.open.len() == 1 => "the hardest".to_owned(),
        _ => format!("the {} hardest", branches.open.len()),
    };
    let mut lines = vec![format!("{} {what}; {most}:", count(open))];
    lines.extend(table(branches.open.iter().map(branch), Look::of_stdout()));
    lines
}

fn branch(branch: &Branch) -> Vec<Cell> {
    let position = match &branch.value {
        Some(value) => format!("{} next to {value}", branch.position),
        None => branch.position.clone(),
    };
    vec![
        text("position", position),
        number("proof", proof_number(branch.numbers.proof)),
        number("disproof", proof_number(branch.numbers.disproof)),
        number("jobs", branch.jobs),
    ]
}
