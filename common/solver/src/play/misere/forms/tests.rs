use std::time::Duration;

use super::*;
use sproutnet_game as game;

const ENOUGH: usize = 1 << 30;

fn within(time: Duration) -> Limits {
    Limits {
        until: Instant::now() + time,
        bytes: ENOUGH,
    }
}

fn form(text: &str) -> Form {
    let (game, position) = game::parse(text).expect("a position");
    let mut forms = Forms::new(game);
    let tree = forms.of(&position, within(Duration::from_mins(1)));
    forms.trees().form(tree.expect("it is small"))
}

#[test]
fn forms_as_text() {
    for (position, text) in [
        ("!", "0"),
        ("0*1", "0"),
        ("nim:3", "*3"),
        ("nim:1+1", "0"),
        ("nim:12", "*12"),
        ("nim:2+2", "{*2,*3}"),
        ("nim:2+2+1", "{*2,*3}+*1"),
        ("kayles:4", "*1"),
        ("kayles:5", "{*1,*2,*3,{*2,*3}}"),
    ] {
        let form = form(position);
        assert_eq!(form.text, text, "{position}");
        assert_eq!(form.names, [], "{position}");
    }
}

#[test]
fn long_forms_use_names() {
    let Form { text, names } = form("0*5");
    assert!(!names.is_empty());
    for (i, (name, form)) in names.iter().enumerate() {
        assert_eq!(*name, format!("g{}", i + 1));
        assert!(form.starts_with('{') && form.ends_with('}'), "{form}");
        // A name stands for an earlier form.
        let used = form.split(|c: char| !c.is_ascii_alphanumeric());
        let used = used.filter_map(|word| word.strip_prefix('g')?.parse::<usize>().ok());
        assert!(used.clone().all(|used| used <= i), "{name} = {form}");
    }
    assert!(text.contains('g'), "{text}");
}

#[test]
fn limits_are_kept() {
    let (game, position) = game::parse("0*9").expect("a position");
    let mut forms = Forms::new(game);
    let none = within(Duration::ZERO);
    assert_eq!(forms.of(&position, none), Err(Stopped::Time));
    let few = Limits {
        bytes: 1 << 20,
        ..within(Duration::from_mins(1))
    };
    assert_eq!(forms.of(&position, few), Err(Stopped::Memory));
    let (game, large) = game::parse("nim:2000").expect("a position");
    let mut forms = Forms::new(game);
    assert_eq!(forms.of(&large, few), Err(Stopped::Moves));
}
