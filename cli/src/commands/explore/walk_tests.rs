use super::*;
use sproutnet_model::{Known, Standing};

fn view(moves: &[&str]) -> View {
    let verdict = |text: &&str| Verdict {
        canonical: (*text).to_owned(),
        normal: Known::Unknown,
        misere: Known::Unknown,
        nimber: None,
        genus: None,
        verified: Vec::new(),
    };
    View {
        answer: Answer {
            canonical: "0*9".to_owned(),
            game: "sprouts".to_owned(),
            most_moves: 26,
            normal: Standing::open(None),
            misere: Standing::open(None),
            nimber: None,
            genus: None,
            lands: Vec::new(),
        },
        moves: moves.iter().map(verdict).collect(),
        is_open: true,
    }
}

#[test]
fn the_selected_move_stays_selected_in_another_order() {
    let mut walk = Walk::from("0*9".to_owned(), Play::Normal);
    let here = walk.here_mut();
    here.learn(view(&["a", "b", "c"]));
    // Nothing was selected yet: the best move is.
    here.learn(view(&["c", "a", "b"]));
    assert_eq!(here.selected, 0);
    here.selected = 1;
    here.learn(view(&["b", "c", "a"]));
    assert_eq!(here.selected, 2);
    here.learn(view(&["b"]));
    assert_eq!(here.selected, 0);
}

#[test]
fn there_and_back() {
    let mut walk = Walk::from("start".to_owned(), Play::Normal);
    assert!(!walk.play_move(0), "no moves are known");
    walk.here_mut().learn(view(&["a", "b"]));
    assert!(!walk.play_move(2));
    assert!(walk.play_move(1));
    assert_eq!((&*walk.here().position, walk.steps()), ("b", 1));
    assert!(walk.back());
    assert_eq!((&*walk.here().position, walk.here().selected), ("start", 1));
    assert!(!walk.back());
    walk.switch(Play::Normal);
    assert!(walk.here().view.is_some(), "nothing changed");
    walk.switch(Play::Misere);
    assert!(walk.here().view.is_none() && walk.here().selected == 0);
}
