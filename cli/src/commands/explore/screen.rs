//! A walk on the terminal. Answers and pictures come while keys are read, so that no key waits for a search.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use sproutnet_drawing::Sketch;
use sproutnet_notation::Play;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tonic::Status;

use crate::commands::explore::page::Page;
use crate::commands::explore::walk::{self, View, Walk};
use crate::commands::roots;
use crate::exit::{BadInput, Exit};
use crate::remote::client::{Client, explain};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::canvas::{self, Canvas};
use crate::terminal::keys::{Key, Keys};
use crate::terminal::style::Look;

/// How long the rest of a key's sequence may take. Esc alone is known after that.
const REST_OF_KEY: Duration = Duration::from_millis(60);

/// How long a walk rests in a position before it is searched.
const REST: Duration = Duration::from_millis(150);

/// How far the keys for pages go.
const PAGE: usize = 10;

/// What happens.
enum Event {
    /// Bytes were typed. No bytes are the end.
    Typed(Vec<u8>),
    /// What is known about a position under a convention, and whether nothing more follows.
    Answer(String, Play, Box<Result<View, Status>>, bool),
    /// The picture of a position, or why there is none.
    Picture(String, Result<Sketch, String>),
    Notice(String),
    Resized,
    /// A signal asks for the end.
    Signal(SignalKind),
}

/// Why a walk ends.
enum Leave {
    Key,
    Signal(SignalKind),
}

/// Walks until the user leaves.
pub(super) async fn run(cluster: Cluster, walk: Walk, within: Duration) -> anyhow::Result<Exit> {
    let (sender, mut events) = unbounded_channel();
    let retry = {
        let sender = sender.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| {
            let _ = sender.send(Event::Notice(notice.to_owned()));
        })
    };
    send_signals(&sender)?;
    let canvas = Canvas::take()?;
    {
        let sender = sender.clone();
        canvas::typed(move |bytes| sender.send(Event::Typed(bytes.to_vec())).is_ok());
    }
    let mut desk = Desk {
        walk,
        client: cluster.client(),
        retry,
        within,
        sender,
        asking: None,
        pictures: HashMap::new(),
        notice: None,
    };
    let leave = desk.work(&canvas, &mut events).await;
    let was_asking = desk.stop_asking();
    drop((canvas, desk));
    let code = match leave? {
        Leave::Key => 0,
        Leave::Signal(signal) if signal == SignalKind::interrupt() => 0,
        // The code with which shells report a signal.
        Leave::Signal(signal) => 128 + signal.as_raw_value(),
    };
    if was_asking || code != 0 {
        // Nobody waits for a search that goes on in this process; it leaves the store as it is.
        drop(cluster);
        std::process::exit(code);
    }
    cluster.close().await?;
    Ok(Exit::Fine)
}

/// Sends an event for each signal that matters here.
fn send_signals(sender: &UnboundedSender<Event>) -> io::Result<()> {
    let kinds = [
        SignalKind::window_change(),
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    for kind in kinds {
        let mut signals = signal(kind)?;
        let sender = sender.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                let event = match kind == SignalKind::window_change() {
                    true => Event::Resized,
                    false => Event::Signal(kind),
                };
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
    }
    Ok(())
}

/// The walk, and the work for it.
struct Desk {
    walk: Walk,
    client: Client,
    retry: Retry,
    within: Duration,
    sender: UnboundedSender<Event>,
    /// The question about the position where the walk is.
    asking: Option<JoinHandle<()>>,
    pictures: HashMap<String, Result<Sketch, String>>,
    notice: Option<String>,
}

impl Desk {
    /// Draws, and follows what happens, until something ends the walk.
    async fn work(
        &mut self,
        canvas: &Canvas,
        events: &mut UnboundedReceiver<Event>,
    ) -> io::Result<Leave> {
        let mut keys = Keys::default();
        self.arrive();
        loop {
            self.draw(canvas)?;
            let event = match keys.has_begun() {
                true => tokio::time::timeout(REST_OF_KEY, events.recv()).await.ok(),
                false => Some(events.recv().await),
            };
            let typed = match event {
                None => keys.end().into_iter().collect(),
                Some(Some(Event::Typed(bytes))) if !bytes.is_empty() => keys.read(&bytes),
                // The terminal is gone.
                Some(None | Some(Event::Typed(_))) => return Ok(Leave::Key),
                Some(Some(Event::Signal(kind))) => return Ok(Leave::Signal(kind)),
                Some(Some(event)) => {
                    self.follow(event);
                    continue;
                }
            };
            for key in typed {
                if self.press(key) {
                    return Ok(Leave::Key);
                }
            }
        }
    }

    fn draw(&self, canvas: &Canvas) -> io::Result<()> {
        let here = self.walk.here();
        let goes_on = match &here.view {
            _ if self.asking.is_none() => None,
            None => Some("looking it up …"),
            Some(_) => Some("searching …"),
        };
        let page = Page {
            walk: &self.walk,
            picture: self.pictures.get(&here.position),
            notice: self.notice.as_deref().or(goes_on),
            look: Look::of_stdout(),
        };
        let (columns, rows) = canvas.size();
        canvas.draw(&page.lines(columns, rows))
    }

    fn follow(&mut self, event: Event) {
        match event {
            Event::Answer(position, play, answer, is_last) => {
                if position != self.walk.here().position || play != self.walk.play {
                    return;
                }
                if is_last {
                    self.asking = None;
                }
                match *answer {
                    Ok(view) => {
                        self.notice = None;
                        let here = self.walk.here_mut();
                        here.learn(view);
                        here.is_settled = is_last;
                    }
                    Err(status) => self.notice = Some(explain(&status)),
                }
            }
            Event::Picture(position, picture) => {
                self.pictures.insert(position, picture);
            }
            Event::Notice(notice) => self.notice = Some(notice),
            Event::Typed(_) | Event::Resized | Event::Signal(_) => {}
        }
    }

    /// Does what a key asks for. Tells whether that ends the walk.
    fn press(&mut self, key: Key) -> bool {
        let here = self.walk.here_mut();
        let moves = here.view.as_ref().map_or(0, |view| view.moves.len());
        let last = moves.saturating_sub(1);
        let selected = here.selected;
        let has_moved = match key {
            Key::Up => return self.select(selected.saturating_sub(1)),
            Key::Down => return self.select(last.min(selected + 1)),
            Key::PageUp => return self.select(selected.saturating_sub(PAGE)),
            Key::PageDown => return self.select(last.min(selected + PAGE)),
            Key::Home => return self.select(0),
            Key::End => return self.select(last),
            Key::Right | Key::Enter => self.walk.play_move(selected),
            Key::Left | Key::Backspace => self.walk.back(),
            Key::Letter(b'p') => {
                self.walk.switch(match self.walk.play {
                    Play::Normal => Play::Misere,
                    Play::Misere => Play::Normal,
                });
                true
            }
            Key::Letter(b'q') | Key::Escape | Key::CtrlC => return true,
            Key::Letter(_) => false,
        };
        if has_moved {
            self.arrive();
        }
        false
    }

    fn select(&mut self, place: usize) -> bool {
        self.walk.here_mut().selected = place;
        false
    }

    /// Asks about the position where the walk is now, and has its picture made.
    fn arrive(&mut self) {
        self.stop_asking();
        // That the coordinator is lost is said only once.
        if !self.retry.is_lost() {
            self.notice = None;
        }
        let here = self.walk.here();
        let position = here.position.clone();
        if !here.is_settled {
            self.asking = Some(self.ask(position.clone()));
        }
        if !self.pictures.contains_key(&position) {
            let sender = self.sender.clone();
            tokio::task::spawn_blocking(move || {
                let picture = sketch(&position);
                let _ = sender.send(Event::Picture(position, picture));
            });
        }
    }

    /// Asks first for what is known, then, if the walk rests here, for what a search finds. The coordinator searches for
    /// one question at a time.
    fn ask(&self, position: String) -> JoinHandle<()> {
        let (client, retry, within) = (self.client.clone(), self.retry.clone(), self.within);
        let (play, sender) = (self.walk.play, self.sender.clone());
        tokio::spawn(async move {
            let known = walk::look(&client, &retry, &position, play, Duration::ZERO).await;
            let is_last = !known.as_ref().is_ok_and(|view| view.is_open) || within.is_zero();
            let _ = sender.send(Event::Answer(
                position.clone(),
                play,
                Box::new(known),
                is_last,
            ));
            if is_last {
                return;
            }
            tokio::time::sleep(REST).await;
            let found = walk::look(&client, &retry, &position, play, within).await;
            let _ = sender.send(Event::Answer(position, play, Box::new(found), true));
        })
    }

    /// Leaves a question. Tells whether one was open.
    fn stop_asking(&mut self) -> bool {
        let asking = self.asking.take();
        asking.is_some_and(|asking| {
            asking.abort();
            true
        })
    }
}

/// The picture of a position, or why there is none.
fn sketch(position: &str) -> Result<Sketch, String> {
    let (game, position) = roots::parse(position).map_err(|BadInput(problem)| problem)?;
    Sketch::of(&*game, &position).map_err(|error| error.to_string())
}
