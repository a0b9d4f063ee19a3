//! The starts with some number of spots, as tables and as pages.

use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::SvgOptions;
use sproutnet_game::{Sprouts, parse};
use sproutnet_model::{Proof, Published, Source, TableEntry, keys_of, proofs, published};
use sproutnet_query::start_size;
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_system::figures::count;

use super::StaticSite;
use crate::pages::tables::{self, Outcomes};
use crate::pages::{layout, words};

/// The maximum number of spots of a start that the browser looks up.
const SMALL: u32 = 12;

/// What is published and what the atlas proves about starts.
pub(super) struct Starts {
    outcomes: [Outcomes; 2],
    /// The number of starts.
    end: u32,
}

/// What is known of a start under a convention.
struct Known {
    published: Option<Published>,
    proof: Option<&'static Proof>,
}

/// The file with the page of a start.
pub(super) fn file(spots: u32) -> String {
    format!("starts/{spots}.html")
}

fn known(spots: u32, play: Play) -> Known {
    let is_it =
        |proof: &&Proof| proof.play == play && start_size("sprouts", proof.position) == Some(spots);
    Known {
        published: published(play).find(|known| known.spots == spots),
        proof: proofs().iter().find(is_it),
    }
}

impl Known {
    fn outcome(&self) -> Option<Outcome> {
        let published = self.published.map(|known| known.outcome);
        self.proof.map(|proof| proof.outcome).or(published)
    }

    /// The entry of the tables.
    fn entry(&self, spots: u32, play: Play) -> Option<TableEntry> {
        let (source, citation) = match (self.proof, self.published) {
            (Some(proof), _) => (Source::Atlas, proof.citation()),
            (None, Some(known)) => (Source::Literature, known.citation),
            (None, None) => return None,
        };
        Some(TableEntry {
            position: Sprouts::start(spots),
            size: spots,
            play,
            outcome: self.outcome()?,
            nimber: self.proof.and_then(|proof| proof.nimber),
            source,
            citation: Some(citation.to_owned()),
            verified: false,
        })
    }

    /// Who published it first, with a link to the publication.
    fn publication(&self, root: &str) -> Markup {
        html! {
            @match self.published {
                Some(known) => @match keys_of(known.citation).first() {
                    Some(key) => a href=(format!("{root}references.html#{key}")) { (known.citation) },
                    None => (known.citation),
                },
                None if self.proof.is_some() => "first proved by Sproutnet",
                None => "–",
            }
        }
    }
}

impl Starts {
    /// All starts whose outcome is known, and those below.
    pub(super) fn known() -> Self {
        let listed = Play::ALL
            .into_iter()
            .flat_map(|play| published(play).map(|known| known.spots));
        let proved = proofs()
            .iter()
            .filter_map(|proof| start_size("sprouts", proof.position));
        let end = listed.chain(proved).max().map_or(0, |last| last + 1);
        let of_play =
            |play| (0..end).filter_map(move |spots| known(spots, play).entry(spots, play));
        let entries = Play::ALL.into_iter().flat_map(of_play).collect();
        Self {
            outcomes: tables::of(entries, &[]),
            end,
        }
    }

    /// The numbers of spots: those of the pages.
    pub(super) fn iter(&self) -> std::ops::Range<u32> {
        0..self.end
    }

    /// The tables, and a list with sources.
    pub(super) fn tables(&self) -> Markup {
        let page = |text: &str| match start_size("sprouts", text) {
            Some(spots) if spots < self.end => file(spots),
            _ => "#list".to_owned(),
        };
        let columns = [
            ("Start", ""),
            ("Normal play", ""),
            ("Published", ""),
            ("Certificate", ""),
            ("Misère play", ""),
            ("Published", ""),
            ("Certificate", ""),
        ];
        let rows = self.iter().map(|spots| {
            let [normal, misere] = Play::ALL.map(|play| known(spots, play));
            [
                html! { a.position href=(file(spots)) { (Sprouts::start(spots)) } },
                outcome(&normal),
                normal.publication(""),
                certificate(&normal),
                outcome(&misere),
                misere.publication(""),
                certificate(&misere),
            ]
        });
        html! {
            section #tables aria-labelledby="tables-title" {
                h2 #tables-title { "Start positions" }
                p.lead {
                    "Each cell is a start with that many spots. It shows the outcome for the player to move, if both \
                     players play perfectly."
                }
                (tables::without_progress(&self.outcomes, &page))
            }
            (layout::section("list", "Who published them, and what proves them", false, &layout::table(
                "The outcomes of start positions, with their publications and certificates", columns, rows)))
        }
    }

    /// The page of a start.
    pub(super) fn page(&self, spots: u32, site: &StaticSite<'_>) -> Markup {
        let text = Sprouts::start(spots);
        let root = "../";
        // The style is in the file of styles: the policy of the pages allows no other.
        let look = SvgOptions {
            style: false,
            ..SvgOptions::default()
        };
        let picture = parse(&text)
            .ok()
            .filter(|_| spots > 0)
            .and_then(|(game, position)| sproutnet_drawing::svg(&*game, &position, &look).ok());
        let content = html! {
            div.seen {
                section.about aria-labelledby="start-title" {
                    h1 #start-title { span.position { (text) } }
                    @for play in Play::ALL { (verdict(&known(spots, play), play, site, root)) }
                    @if site.engine.is_some() && spots <= SMALL {
                        p { a href=(format!("{root}look-up.html#{text}")) { "Let your browser find out, and see the moves" } }
                        @if spots > 0 { p { a href=(format!("{root}play.html#/board?spots={spots}")) { "Play it" } } }
                    }
                    nav.pager aria-label="Starts" {
                        @if spots > 0 { a rel="prev" href=(format!("{}.html", spots - 1)) { "One spot less" } }
                        @if spots + 1 < self.end { a rel="next" href=(format!("{}.html", spots + 1)) { "One spot more" } }
                    }
                }
                @if let Some(picture) = picture { figure.drawing { (PreEscaped(picture)) } }
            }
        };
        site.page(&format!("{text}: who wins?"), root, &[], &content)
    }
}

fn outcome(known: &Known) -> Markup {
    html! {
        @match known.outcome() {
            Some(outcome) => span class=(format!("badge {outcome}")) { (outcome) },
            None => "unknown",
        }
    }
}

fn certificate(known: &Known) -> Markup {
    html! {
        @match known.proof {
            Some(proof) => a href=(format!("certificates.html#{}", proof.name)) { (proof.name) },
            None => "–",
        }
    }
}

fn verdict(known: &Known, play: Play, site: &StaticSite<'_>, root: &str) -> Markup {
    let class = known.outcome().map_or("", Outcome::name);
    html! {
        div class=(format!("verdict {class}").trim_end()) {
            p.lead {
                "Under " (words::play(play)) " play, "
                @match known.outcome() {
                    Some(outcome) => { "the player to move " strong { @match outcome { Outcome::Win => "wins", Outcome::Loss => "loses" } } "." }
                    None => { "the outcome is " strong { "unknown" } "." }
                }
            }
            @if known.published.is_some() {
                p.source { "Published: " (known.publication(root)) "." }
            } @else if known.proof.is_some() {
                p.source { "It was first proved by Sproutnet." }
            }
            @if let Some(proof) = known.proof {
                p.source {
                    "Certificate " (site.named(proof, root)) " with " (count(proof.facts)) " facts, SHA-256 "
                    code { (proof.sha256) } ". "
                    a href=(format!("{root}certificates.html#{}", proof.name)) { "Check it" }
                }
            }
        }
    }
}
