//! The real scheduler, and virtual workers around it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use sproutnet_coordinator::scheduler::computation::{Computation, Request};
use sproutnet_coordinator::scheduler::exchange::Told;
use sproutnet_coordinator::scheduler::fleet::{Games, Registration, Totals};
use sproutnet_coordinator::scheduler::job_size::JobSize;
use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::scheduler::{Grant, Scheduler};
use sproutnet_game::{self as game, Lands};
use sproutnet_notation::{LeaseId, SourceId};
use sproutnet_solver::play::{
    Convention, Knowledge, Misere, Normal, Play, Record, Switches, merge,
};
use sproutnet_solver::search::{Found, News, Team, Teamwork};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::clock::{Agenda, MILLISECOND, Time};
use crate::link::{Connections, Link, bytes_of};
use crate::member::{Job, Member};
use crate::run::Run;
use crate::shape::Shape;
use crate::view::Expanded;
use crate::worker::{Costs, Searcher, Task, Word};

/// The maximum lead of one thread over another; at most the time of any message between two.
const STEP: Time = MILLISECOND;

/// The duration of a lease without a renewal, the default of a real cluster.
const LEASE: Duration = Duration::from_secs(30);

/// The parameters of a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) costs: Costs,
    /// The size of a worker's table for each of its threads, in bytes.
    pub(crate) table: usize,
    pub(crate) connections: Connections,
    /// The time of a record from the coordinator to all workers.
    pub(crate) feed: Time,
    /// The time between two renewals of a worker.
    pub(crate) heartbeat: Time,
    pub(crate) job_size: JobSize,
    pub(crate) seed: u64,
}

/// An event. Slots are numbered across all workers.
enum Event {
    /// A slot asks for a job.
    Ask(usize),
    /// A slot has a job.
    Begin(usize, Box<Grant>),
    /// A thread of a slot goes on searching.
    GoOn(usize, usize),
    /// Records of a worker reach the coordinator.
    Take(Vec<Record>),
    /// The report of a slot reaches the coordinator.
    Report(usize, Ended),
    /// Records leave the coordinator for all workers.
    Publish(Vec<Record>),
    /// Records of the feed reach a worker.
    Learn(usize, Arc<[Record]>),
    /// A worker sends its new records.
    Flush(usize),
    /// A worker sends its news.
    Tell(usize),
    /// The news of a worker reach the coordinator.
    Exchange(usize, News),
    /// The news of others reach a worker.
    Hear(usize, Box<Told>),
    /// The heartbeat of a worker reaches the coordinator.
    Heartbeat(usize),
    /// A slot learns that the job of this lease is no longer wanted.
    Unwanted(usize, LeaseId),
}

/// The end of a job.
struct Ended {
    lease: LeaseId,
    found: Found,
    /// The number of lands that its slot expanded since the last report.
    expansions: u64,
}

/// The threads of a worker as a team, and its exchange with other workers.
struct Teamed {
    team: Arc<Team>,
    teamwork: Teamwork,
    cursor: u64,
}

struct Cluster<'a, C> {
    setting: &'a Setting,
    shape: Shape,
    start: Instant,
    agenda: Agenda<Event>,
    scheduler: Scheduler,
    knowledge: Arc<Knowledge>,
    expanded: Expanded,
    /// The slots; those of a worker are consecutive.
    members: Vec<Member<C>>,
    links: Vec<Link>,
    /// One for each worker.
    teamed: Vec<Teamed>,
    /// The records that reached the coordinator.
    told: HashMap<Box<[u8]>, u64>,
    /// The slots that wait for a job, the longest wait first.
    waiting: VecDeque<usize>,
    run: Run,
}

/// Computes an outcome with a fleet of this shape.
pub(crate) fn run(request: &Request, shape: Shape, setting: &Setting) -> anyhow::Result<Run> {
    let switches = Switches::seeded(setting.seed);
    match request.play {
        Play::Normal => run_in(request, shape, setting, &|lands| {
            Normal::new(lands).with(switches)
        }),
        Play::Misere => run_in(request, shape, setting, &|lands| {
            Misere::new(lands).with(switches)
        }),
    }
}

/// The same under one convention. `begin` makes a worker's knowledge from its own table of lands.
fn run_in<C: Convention>(
    request: &Request,
    shape: Shape,
    setting: &Setting,
    begin: &dyn Fn(Arc<Lands>) -> C,
) -> anyhow::Result<Run> {
    let game = game::by_name(request.game).context("no such game")?;
    let knowledge = Arc::<Knowledge>::default();
    let mut scheduler = Scheduler::new(Arc::clone(&knowledge), setting.job_size, LEASE, 1);
    scheduler.add(Computation::new(request.clone(), 0));
    let mut cluster = Cluster {
        setting,
        shape,
        start: Instant::now(),
        agenda: Agenda::new(),
        scheduler,
        knowledge,
        expanded: Expanded::default(),
        members: Vec::new(),
        links: Vec::new(),
        teamed: Vec::new(),
        told: HashMap::new(),
        waiting: VecDeque::new(),
        run: Run::of(shape.all()),
    };
    // The data of a land are shared. Each worker still has to meet a land by itself.
    let common = Arc::new(Lands::new(game));
    for worker in 0..shape.workers {
        let known = begin(Arc::new(Lands::over(Arc::clone(&common))));
        cluster.join(worker, known)?;
    }
    cluster.run()
}

impl<C: Convention> Cluster<'_, C> {
    /// Adds a worker with this knowledge.
    fn join(&mut self, number: usize, known: C) -> anyhow::Result<()> {
        let Shape { slots, threads, .. } = self.shape;
        let registration = Registration {
            name: format!("virtual {number}"),
            peer: String::new(),
            version: String::new(),
            cores: (slots * threads) as u32,
            slots: slots as u32,
            identity: number as u64,
            source: SourceId::OWN,
            games: Games::All,
        };
        let worker = self.scheduler.register(registration, self.start);
        let worker = worker.context("more workers than a coordinator takes")?;
        let costs = self.setting.costs;
        // Workers do not tick in step.
        let hash = |number: usize| xxh3_64_with_seed(&number.to_le_bytes(), self.setting.seed);
        let phase = |number, period: Time| hash(number) % period.max(1);
        let table = self.setting.table * slots * threads;
        let first = Searcher::first(known, &self.expanded, costs, table)?;
        let others = (1..slots * threads).map(|_| first.beside(&self.expanded, costs));
        let others: Vec<Searcher<C>> = others.collect::<Result<_, _>>()?;
        let mut searchers = std::iter::once(first).chain(others);
        for slot in 0..slots {
            let asks = phase(self.members.len(), self.setting.connections.latency);
            self.agenda.plan(asks, Event::Ask(self.members.len()));
            self.members.push(Member {
                searchers: searchers.by_ref().take(threads).collect(),
                told: 0,
                slot: WorkerSlot {
                    worker,
                    number: slot as u32,
                },
                job: None,
            });
        }
        self.links.push(Link::new(&self.setting.connections));
        self.teamed.push(Teamed {
            team: Arc::new(Team::new(slots * threads)),
            teamwork: Teamwork::default(),
            cursor: 0,
        });
        self.agenda
            .plan(phase(number, MILLISECOND), Event::Tell(number));
        let flush = phase(number, self.setting.connections.flush);
        self.agenda.plan(flush, Event::Flush(number));
        let heartbeat = phase(number, self.setting.heartbeat);
        self.agenda.plan(heartbeat, Event::Heartbeat(number));
        Ok(())
    }

    fn run(mut self) -> anyhow::Result<Run> {
        while let Some((now, event)) = self.agenda.next() {
            self.happen(now, event)?;
            if let Some((_, solved)) = self.scheduler.take_reached().pop() {
                self.run.outcome = solved.outcome;
                self.run.time = now;
                break;
            }
        }
        for member in &self.members {
            self.run.expansions += member.expansions();
            self.run.visits += member.searchers.iter().map(Searcher::visits).sum::<u64>();
            if let Some(job) = &member.job {
                let time = self.run.time.saturating_sub(job.since);
                self.run.busy += job.searching as Time * time;
            }
        }
        for worker in 0..self.shape.workers {
            let lands = self.known(worker).lands();
            self.run.distinct = self.expanded.with(lands) as u64;
            let link = &self.links[worker];
            self.run.bytes.0 += link.bytes_up;
            self.run.bytes.1 += link.bytes_down;
            self.run.least = self.run.least.max(link.least.visits());
            self.run.lag = self.run.lag.max(link.lag(self.run.time));
        }
        self.run.least_shared = self.scheduler.exchange().least_work();
        Ok(self.run)
    }

    /// The slots of a worker.
    fn slots_of(&self, worker: usize) -> &[Member<C>] {
        let first = worker * self.shape.slots;
        &self.members[first..first + self.shape.slots]
    }

    /// The knowledge of a worker.
    fn known(&self, worker: usize) -> &C {
        self.slots_of(worker)[0].searchers[0].known()
    }

    /// The clock of the scheduler.
    fn at(&self, now: Time) -> Instant {
        self.start + Duration::from_nanos(now)
    }

    fn happen(&mut self, now: Time, event: Event) -> anyhow::Result<()> {
        let connections = self.setting.connections;
        match event {
            Event::Ask(number) => {
                self.waiting.push_back(number);
                self.hand_out(now)?;
            }
            Event::Begin(number, grant) => {
                let team = Arc::clone(&self.teamed[number / self.shape.slots].team);
                let lease = grant.lease;
                let task = Task::new(*grant, self.shape.threads, team, now);
                self.members[number].job = Some(Job {
                    lease,
                    task: task.clone(),
                    since: now,
                    searching: self.shape.threads,
                    found: None,
                });
                for thread in 0..self.shape.threads {
                    let searcher = &self.members[number].searchers[thread];
                    let said = searcher.search(task.clone(), now + STEP)?;
                    self.hear(number, thread, said)?;
                }
            }
            Event::GoOn(number, thread) => {
                let said = self.members[number].searchers[thread].go_on(now + STEP)?;
                self.hear(number, thread, said)?;
            }
            Event::Take(records) => {
                let mut news = Vec::new();
                for record in records {
                    self.knowledge.learn(&record.key, record.value)?;
                    if self.is_new(&record)? {
                        news.push(record);
                    }
                }
                self.agenda
                    .plan(now + self.setting.feed, Event::Publish(news));
            }
            Event::Report(number, ended) => {
                let at = self.at(now);
                let worker = self.members[number].slot.worker;
                self.run.jobs += 1;
                self.run.solved += u64::from(matches!(ended.found, Found::Solved(_)));
                self.scheduler
                    .report(ended.lease, worker, ended.found, ended.expansions, at);
                self.agenda
                    .plan(now + connections.latency, Event::Ask(number));
                self.hand_out(now)?;
            }
            Event::Publish(mut records) => {
                let bytes = bytes_of(&mut records)?;
                let records: Arc<[Record]> = records.into();
                for (worker, link) in self.links.iter_mut().enumerate() {
                    let arrival = link.feed(bytes, now, &connections);
                    let learn = Event::Learn(worker, Arc::clone(&records));
                    self.agenda.plan(arrival, learn);
                }
            }
            Event::Learn(worker, records) => {
                for Record { key, value, .. } in &*records {
                    self.known(worker).learn(key, *value)?;
                }
            }
            Event::Flush(worker) => {
                self.send_records(worker, now)?;
                let due = self.links[worker].due(now, &connections);
                self.agenda.plan(due, Event::Flush(worker));
            }
            Event::Tell(worker) => self.tell_others(worker, now),
            Event::Exchange(worker, news) => self.exchange(worker, news, now)?,
            Event::Hear(worker, told) => {
                let pause = told.pause.as_nanos() as Time;
                self.hear_others(worker, &told);
                self.agenda.plan(now + pause, Event::Tell(worker));
            }
            Event::Heartbeat(worker) => {
                self.renew(worker, now)?;
                self.agenda
                    .plan(now + self.setting.heartbeat, Event::Heartbeat(worker));
            }
            Event::Unwanted(number, lease) => {
                let job = self.members[number].job.as_ref();
                if let Some(job) = job.filter(|job| job.lease == lease) {
                    self.run.unwanted += 1;
                    job.task.cancel();
                }
            }
        }
        Ok(())
    }

    /// A worker sends its news.
    fn tell_others(&mut self, worker: usize, now: Time) {
        let table = self.members[worker * self.shape.slots].searchers[0].table();
        let Teamed { team, teamwork, .. } = &mut self.teamed[worker];
        let mut news = teamwork.news(team, table);
        // The order has to be the same in each run.
        news.entries.sort_unstable_by_key(|entry| entry.key);
        news.places.sort_unstable_by_key(|place| place.key);
        self.run.exchanged += (news.entries.len() + news.places.len()) as u64;
        let arrival = now + self.setting.connections.latency / 2;
        self.agenda.plan(arrival, Event::Exchange(worker, news));
    }

    /// Passes the news of a worker to the coordinator, and plans the answer.
    fn exchange(&mut self, worker: usize, news: News, now: Time) -> anyhow::Result<()> {
        let (at, cursor) = (self.at(now), self.teamed[worker].cursor);
        let id = self.slots_of(worker)[0].slot.worker;
        let told = self.scheduler.exchange_with(id, cursor, news, at);
        let told = told.ok().context("a worker is forgotten")?;
        let arrival = now + self.links[worker].wait(now, &self.setting.connections);
        self.agenda
            .plan(arrival, Event::Hear(worker, Box::new(told)));
        Ok(())
    }

    /// The news of others reach a worker.
    fn hear_others(&mut self, worker: usize, told: &Told) {
        let table = self.members[worker * self.shape.slots].searchers[0].table();
        let Teamed {
            team,
            teamwork,
            cursor,
        } = &mut self.teamed[worker];
        *cursor = told.cursor;
        table.tell_from(told.least_work);
        teamwork.hear(&told.news, told.starts_over, team, table);
    }

    /// Renews the leases of a worker, and plans the end of its unwanted jobs.
    fn renew(&mut self, worker: usize, now: Time) -> anyhow::Result<()> {
        let at = self.at(now);
        let slots = self.slots_of(worker);
        let id = slots[0].slot.worker;
        let held = slots
            .iter()
            .filter_map(|member| Some(member.job.as_ref()?.lease));
        let held: Vec<LeaseId> = held.collect();
        let renewed = self.scheduler.renew(id, &held, Totals::default(), at);
        let unwanted = renewed.ok().context("a worker is forgotten")?;
        let arrival = now + self.links[worker].wait(now, &self.setting.connections);
        let first = worker * self.shape.slots;
        for number in first..first + self.shape.slots {
            let lease = self.members[number].job.as_ref().map(|job| job.lease);
            if let Some(lease) = lease.filter(|lease| unwanted.contains(lease)) {
                self.agenda.plan(arrival, Event::Unwanted(number, lease));
            }
        }
        Ok(())
    }

    /// Leases jobs to waiting slots while there are any.
    fn hand_out(&mut self, now: Time) -> anyhow::Result<()> {
        let at = self.at(now);
        while let Some(&number) = self.waiting.front() {
            let leased = self.scheduler.lease(self.members[number].slot, at);
            let Some(grant) = leased.ok().context("a worker is forgotten")? else {
                break;
            };
            self.waiting.pop_front();
            let link = &self.links[number / self.shape.slots];
            let arrival = now + link.wait(now, &self.setting.connections);
            self.agenda
                .plan(arrival, Event::Begin(number, Box::new(grant)));
        }
        Ok(())
    }

    /// Takes in the word of a thread after it ran.
    fn hear(&mut self, number: usize, thread: usize, said: (Time, Word)) -> anyhow::Result<()> {
        let (now, word) = said;
        let found = match word {
            Word::Paused => {
                self.agenda.plan(now, Event::GoOn(number, thread));
                return Ok(());
            }
            Word::Ended(found) => found?,
        };
        let member = &mut self.members[number];
        let job = member.job.as_mut().context("a search of no job ended")?;
        self.run.busy += now - job.since;
        job.take(found);
        if job.searching > 0 {
            return Ok(());
        }
        let job = member.job.take().context("it was there")?;
        let all = member.expansions();
        let expansions = all - std::mem::replace(&mut member.told, all);
        let found = job.found.context("the last thread found nothing")?;
        // The records that a finding rests on reach the coordinator before it, except withheld ones.
        let worker = number / self.shape.slots;
        self.send_records(worker, now)?;
        let sent = self.links[worker].acknowledged(now);
        let arrival = sent + self.setting.connections.latency / 2;
        let ended = Ended {
            lease: job.lease,
            found,
            expansions,
        };
        self.agenda.plan(arrival, Event::Report(number, ended));
        Ok(())
    }

    /// Sends the new records of a worker that have at least its least worth.
    fn send_records(&mut self, worker: usize, now: Time) -> anyhow::Result<()> {
        let least = self.links[worker].least;
        let mut records = self.known(worker).take_worthy_records(least);
        if !records.is_empty() {
            let bytes = bytes_of(&mut records)?;
            let arrival = self.links[worker].send(bytes, now, &self.setting.connections);
            self.agenda.plan(arrival, Event::Take(records));
        }
        Ok(())
    }

    /// Whether a record is new to the coordinator.
    fn is_new(&mut self, Record { key, value, .. }: &Record) -> anyhow::Result<bool> {
        let Some(known) = self.told.get_mut(key) else {
            self.told.insert(key.clone(), *value);
            return Ok(true);
        };
        let merged = merge(key, *known, *value)?;
        Ok(std::mem::replace(known, merged) != merged)
    }
}
