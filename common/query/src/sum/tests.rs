//! Sums of lands of all kinds.

use super::*;

fn land(
    outcome: Known,
    nimber: Option<u32>,
    source: Source,
    citation: &str,
) -> (Verdict, Standing) {
    let verdict = Verdict {
        canonical: "0*5".to_owned(),
        normal: outcome,
        misere: Known::Unknown,
        nimber,
        genus: None,
        verified: Vec::new(),
    };
    let standing = Standing {
        citation: (!citation.is_empty()).then(|| citation.to_owned()),
        ..Standing::known(outcome, source)
    };
    (verdict, standing)
}

fn win(nimber: Option<u32>) -> (Verdict, Standing) {
    land(Known::Win, nimber, Source::Derived, "")
}

fn loss() -> (Verdict, Standing) {
    land(Known::Loss, Some(0), Source::Derived, "")
}

fn told(lands: &[(Verdict, Standing)]) -> Option<(Known, Option<u32>)> {
    sum(lands).map(|(standing, nimber)| (standing.outcome, nimber))
}

#[test]
fn nimbers_add_up() {
    let unknown = || land(Known::Unknown, None, Source::Derived, "");
    for (lands, expected) in [
        // Less than two lands are no sum.
        (vec![], None),
        (vec![win(Some(1))], None),
        (vec![loss()], None),
        (vec![loss(), loss()], Some((Known::Loss, Some(0)))),
        (
            vec![win(Some(1)), win(Some(3))],
            Some((Known::Win, Some(2))),
        ),
        (
            vec![win(Some(3)), win(Some(3))],
            Some((Known::Loss, Some(0))),
        ),
        // A win beside losses is won; beside another win it may be lost.
        (vec![win(None), loss()], Some((Known::Win, None))),
        (vec![win(None), win(Some(1))], None),
        (vec![win(None), win(None)], None),
        (vec![unknown(), loss()], None),
    ] {
        assert_eq!(told(&lands), expected, "{lands:?}");
    }
}

#[test]
fn the_least_firm_source_is_named_and_each_citation_once() {
    let atlas = || land(Known::Loss, Some(0), Source::Atlas, "certificate normal-12");
    let literature = || land(Known::Loss, Some(0), Source::Literature, "GLOP");
    for (lands, source, citation) in [
        (vec![loss(), loss()], Source::Derived, ""),
        (
            vec![atlas(), loss(), atlas()],
            Source::Atlas,
            " (certificate normal-12)",
        ),
        (
            vec![literature(), atlas(), loss()],
            Source::Literature,
            " (GLOP; certificate normal-12)",
        ),
    ] {
        let (standing, _) = sum(&lands).expect("known");
        let citation = format!("the nimbers of its lands{citation}");
        assert_eq!(standing.source, Some(source), "{lands:?}");
        assert_eq!(standing.citation, Some(citation), "{lands:?}");
    }
}
