//! A user who starts computations, looks at them, and pauses, cancels and resumes them, while processes are killed and
//! started.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fastrand::Rng;
use serde_json::Value;
use sproutnet_game as game;
use sproutnet_solver::play::Play;

use super::{Commands, eventually};
use crate::command::published;

/// The number of spots of the largest start position in the tests.
const LARGEST: u32 = 20;

/// The priority of computations that only keep workers busy.
const FILLING: i32 = -10;

/// A position to solve, with its expected outcome.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    position: String,
    play: Play,
    nimber: bool,
    outcome: String,
    /// The expected nimber, if it is known.
    known_nimber: Option<u32>,
}

impl Task {
    /// The start position with this number of spots. Its outcome must be published.
    pub(crate) fn start(spots: u32, play: Play) -> Self {
        let position = format!("0*{spots}");
        let found = published(LARGEST).into_iter();
        let mut found = found.filter(|entry| entry.0 == position && entry.1 == play);
        let (_, _, outcome) = found.next().expect("it is published");
        Self::outcome(&position, play, &outcome)
    }

    /// The same task, with the nimber.
    pub(crate) fn with_nimber(self) -> Self {
        Self {
            nimber: true,
            ..self
        }
    }

    /// The sum of two start positions in normal play. The first is a loss, so the second decides the outcome.
    pub(crate) fn sum(lost: u32, decides: u32) -> Self {
        let (lost, decides) = (
            Self::start(lost, Play::Normal),
            Self::start(decides, Play::Normal),
        );
        assert_eq!(lost.outcome, "loss", "{lost:?}");
        Self {
            position: format!("{}+{}", lost.position, decides.position),
            ..decides
        }
    }

    /// A position in normal play with its nimber.
    pub(crate) fn nimber(position: &str, nimber: u32) -> Self {
        let outcome = if nimber == 0 { "loss" } else { "win" };
        Self {
            known_nimber: Some(nimber),
            ..Self::outcome(position, Play::Normal, outcome).with_nimber()
        }
    }

    /// A position with its outcome.
    pub(crate) fn outcome(position: &str, play: Play, outcome: &str) -> Self {
        Self {
            position: position.to_owned(),
            play,
            nimber: false,
            outcome: outcome.to_owned(),
            known_nimber: None,
        }
    }

    fn arguments(&self) -> Vec<&str> {
        let mut arguments = vec!["solve", &self.position, "--play", self.play.name()];
        if self.nimber {
            arguments.push("--nimber");
        }
        arguments
    }

    /// Checks an answer.
    #[track_caller]
    pub(crate) fn check(&self, answer: &Value) {
        assert_eq!(answer["outcome"], self.outcome, "{self:?}: {answer}");
        assert_eq!(answer["play"], self.play.name(), "{self:?}: {answer}");
        if self.play == Play::Normal && (self.nimber || self.outcome == "loss") {
            let nimber = answer["nimber"].as_u64().expect("a nimber");
            assert_eq!(nimber == 0, self.outcome == "loss", "{self:?}: {answer}");
            let is_known = self
                .known_nimber
                .is_none_or(|known| nimber == u64::from(known));
            assert!(is_known, "{self:?}: {answer}");
        }
    }
}

/// The number of listed computations from which the coordinator may have forgotten the oldest ended ones.
const KEPT: usize = 1000;

/// The knowledge of a user about computations, from commands alone.
pub(crate) struct Desk {
    commands: Commands,
    /// The started tasks, by the ids of their computations.
    started: BTreeMap<u64, Task>,
    /// The position and the convention of each id that was ever listed. They never change.
    meaning: BTreeMap<u64, String>,
    /// The ids of the computations that were listed as solved.
    solved: BTreeSet<u64>,
    /// The solved tasks whose computations the coordinator has forgotten since. Their results remain in the store.
    forgotten: Vec<Task>,
    /// The ids of the computations that are too long to be solved.
    fillers: Vec<u64>,
    /// The ids of halted computations, with the last confirmed status: `paused` or `cancelled`.
    halted: BTreeMap<u64, &'static str>,
    random: Rng,
}

impl Desk {
    /// A desk without computations.
    pub(crate) fn new(commands: Commands, random: Rng) -> Self {
        Self {
            commands,
            started: BTreeMap::new(),
            meaning: BTreeMap::new(),
            solved: BTreeSet::new(),
            forgotten: Vec::new(),
            fillers: Vec::new(),
            halted: BTreeMap::new(),
            random,
        }
    }

    /// Starts a computation that must be solved.
    pub(crate) fn start(&mut self, task: Task) {
        let id = self.leave(&task, 0);
        self.started.insert(id, task);
    }

    /// Starts a computation that keeps workers busy when there is no other work.
    pub(crate) fn fill(&mut self, task: &Task) {
        let id = self.leave(task, FILLING);
        self.fillers.push(id);
    }

    /// The number of computations started by [`Self::start`].
    pub(crate) fn started(&self) -> usize {
        self.started.len() + self.forgotten.len()
    }

    /// Starts a computation without waiting for it. Returns its id.
    fn leave(&mut self, task: &Task, priority: i32) -> u64 {
        let priority = priority.to_string();
        let mut arguments = task.arguments();
        arguments.extend(["--detach", "--priority", &priority]);
        let answers = self.commands.ask(&arguments);
        let [answer] = &answers[..] else {
            panic!("one answer is expected: {answers:?}");
        };
        let id = number(answer);
        let canonical = answer["canonical"].as_str().expect("a text");
        self.meet(id, canonical, task.play.name());
        id
    }

    /// Checks the list of computations. Returns the unsolved ones that must be solved.
    pub(crate) fn look(&mut self) -> Vec<Value> {
        let mut list = self.commands.list();
        for listed in &list {
            let id = number(listed);
            let text = |field: &str| listed[field].as_str().expect("a text").to_owned();
            self.meet(id, &text("position"), &text("play"));
            self.check(id, listed);
            if listed["status"] == "solved" {
                self.solved.insert(id);
            }
        }
        let listed: BTreeSet<u64> = list.iter().map(number).collect();
        for id in &self.fillers {
            assert!(listed.contains(id), "{id} is forgotten: {list:?}");
        }
        let gone = |id: &u64| !listed.contains(id);
        for id in self
            .started
            .keys()
            .copied()
            .filter(gone)
            .collect::<Vec<_>>()
        {
            let has_ended = self.solved.contains(&id) || self.halted.get(&id) == Some(&"cancelled");
            assert!(has_ended && list.len() >= KEPT, "{id} is forgotten");
            let task = self.started.remove(&id).expect("it was started");
            if self.solved.contains(&id) {
                self.forgotten.push(task);
            }
            self.halted.remove(&id);
        }
        list.retain(|listed| {
            listed["status"] != "solved" && self.started.contains_key(&number(listed))
        });
        list
    }

    fn meet(&mut self, id: u64, canonical: &str, play: &str) {
        // Versions of the program print some lands of digits differently, so positions are compared.
        let (_, position) = game::parse_stored(canonical).expect("a position");
        let means = format!("{position:?} {play}");
        let before = self.meaning.entry(id).or_insert_with(|| means.clone());
        assert_eq!(*before, means, "the number {id} is given twice");
    }

    fn check(&self, id: u64, listed: &Value) {
        let status = listed["status"].as_str().expect("a text");
        let halted = self.halted.get(&id).copied();
        match (status, self.started.get(&id)) {
            ("solved", Some(task)) => task.check(listed),
            ("failed", _) => panic!("{listed}"),
            (status, _) => {
                let as_wished = halted.is_none_or(|halted| halted == status);
                assert!(as_wished, "it was {halted:?}: {listed}");
            }
        }
    }

    /// Pauses a random computation, or resumes it if it is halted. A misère computation, for which no command waits,
    /// may be cancelled instead.
    pub(crate) fn meddle(&mut self) {
        let ids: Vec<u64> = self.started.keys().copied().collect();
        let Some(&id) = self.random.choice(&ids) else {
            return;
        };
        if self.halted.contains_key(&id) {
            self.resume(id);
        } else if self.started[&id].play == Play::Misere && self.random.bool() {
            self.halt(id, "cancel", "cancelled");
        } else {
            self.halt(id, "pause", "paused");
        }
    }

    /// Cancels the computations that only keep workers busy.
    pub(crate) fn cancel_fillers(&mut self) {
        for id in self.fillers.clone() {
            self.halt(id, "cancel", "cancelled");
        }
    }

    fn halt(&mut self, id: u64, act: &str, then: &'static str) {
        let ended = self.commands.insist(&[act, &id.to_string()]);
        // An ended computation cannot be paused.
        if act == "cancel" || ended.status.code() != Some(2) {
            ended.with_code(0);
            self.halted.insert(id, then);
        }
    }

    fn resume(&mut self, id: u64) {
        // It may run from the time of the request on.
        self.halted.remove(&id);
        let ended = self.commands.insist(&["resume", &id.to_string()]);
        // A computation that was solved before the halt cannot be resumed.
        let code = ended.status.code();
        assert!(matches!(code, Some(0 | 2)), "{ended:#?}");
    }

    /// Resumes all halted computations.
    pub(crate) fn resume_all(&mut self) {
        let halted: Vec<u64> = self.halted.keys().copied().collect();
        for id in halted {
            self.resume(id);
        }
    }

    /// Waits until all computations that must be solved are solved, and checks the outcomes.
    pub(crate) fn see_all_solved(&mut self, limit: Duration) {
        eventually(limit, || {
            let open = self.look();
            if open.is_empty() { Ok(()) } else { Err(open) }
        });
    }

    /// Asks for all solved tasks again: the store knows them, also after restarts.
    pub(crate) fn ask_again(&self) {
        for task in self.started.values().chain(&self.forgotten) {
            self.check_stored(task);
        }
    }

    /// Asks again for a random solved task, if there is one.
    pub(crate) fn ask_again_for_one(&mut self) {
        let open: Vec<u64> = self.look().iter().map(number).collect();
        let solved = self.started.keys().filter(|id| !open.contains(id));
        let solved: Vec<u64> = solved.copied().collect();
        if let Some(id) = self.random.choice(&solved) {
            self.check_stored(&self.started[id]);
        }
    }

    fn check_stored(&self, task: &Task) {
        let answers = self.commands.ask(&task.arguments());
        let [answer] = &answers[..] else {
            panic!("one answer is expected: {answers:?}");
        };
        task.check(answer);
        assert_eq!(answer["source"], "store", "{answer}");
    }
}

fn number(listed: &Value) -> u64 {
    listed["id"].as_u64().expect("a number")
}
