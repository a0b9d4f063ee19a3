//! The findings of synthetic workers: the children of a state with estimates, without a search.

use anyhow::Context;
use sproutnet_proto::v1;
use sproutnet_solver::play::{Convention, Knowledge, Outcome, State};
use sproutnet_solver::search::{Children, Numbers, Table, children, numbers_of};

/// The workers' knowledge: only the rules.
pub(crate) struct Jobs {
    knowledge: Knowledge,
    table: Table,
}

impl Jobs {
    /// Knowledge of the rules only.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            knowledge: Knowledge::default(),
            table: Table::new(1 << 16).context("memory for a small table")?,
        })
    }

    /// The outcome of a job's state, if it is known without a search, or else its children.
    pub(crate) fn found(&self, job: &v1::Job) -> anyhow::Result<v1::Finding> {
        let game = self.knowledge.game(&job.game);
        let game = game.with_context(|| format!("a job of the game `{}`", job.game))?;
        let (numbers, children) = match job.play() {
            v1::Play::Misere => self.found_in(&*game.misere, &job.state)?,
            _ => self.found_in(&*game.normal, &job.state)?,
        };
        Ok(v1::Finding {
            lease: job.lease,
            numbers: Some(to_wire(numbers)),
            children,
            visits: 1,
            expansions: 1,
            blocks: Vec::new(),
        })
    }

    fn found_in<C: Convention>(
        &self,
        convention: &C,
        state: &[u8],
    ) -> anyhow::Result<(Numbers, Vec<v1::Entry>)> {
        let solved = |outcome| Ok((Numbers::solved(outcome), Vec::new()));
        let mut state = State::decode(state, convention)?;
        if let Some(outcome) = convention.resolve(&mut state) {
            return solved(outcome);
        }
        let children = match children(convention, &state, &|| false) {
            None => anyhow::bail!("nobody said stop"),
            Some(Children::Decided(outcome)) => return solved(outcome),
            Some(Children::Open(children)) => children,
        };
        let mut told = Vec::new();
        for mut child in children {
            let numbers = numbers_of(convention, &self.table, &mut child);
            if numbers.outcome() != Some(Outcome::Win) {
                told.push(v1::Entry {
                    key: convention.key(&child) as u64,
                    proof: numbers.proof,
                    disproof: numbers.disproof,
                    work: 1,
                });
            }
        }
        let numbers = told.iter().map(|child| Numbers {
            proof: child.proof,
            disproof: child.disproof,
        });
        Ok((Numbers::of_children(numbers), told))
    }
}

fn to_wire(numbers: Numbers) -> v1::Numbers {
    let Numbers { proof, disproof } = numbers;
    v1::Numbers { proof, disproof }
}
