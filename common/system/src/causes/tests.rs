use super::*;

#[derive(Debug, thiserror::Error)]
#[error("{text}")]
struct Layer {
    text: &'static str,
    source: Option<Box<Layer>>,
}

#[test]
fn each_cause_once() {
    let layer = |text, source| Layer {
        text,
        source: Some(Box::new(source)),
    };
    let lowest = Layer {
        text: "no route",
        source: None,
    };
    let error = layer("lost: no route", layer("no route", lowest));
    assert_eq!(with_causes(&error), "lost: no route");
    let error = layer("lost", layer("closed", error));
    assert_eq!(with_causes(&error), "lost: closed: lost: no route");
    assert_eq!(
        append_causes("away".to_owned(), &error),
        "away: closed: lost: no route"
    );
    assert_eq!(chain(&error).count(), 5);
}
