use super::*;

#[test]
fn every_paragraph_is_a_term() {
    let paragraphs = TEXT.trim().split("\n\n").skip(1).count();
    let names: Vec<_> = terms().map(|(name, _)| name).collect();
    assert_eq!(names.len(), paragraphs, "{names:?}");
    assert!(names.contains(&"Dead spot") && names.len() > 20);
    assert!(terms().all(|(_, meaning)| meaning.ends_with('.')));
}

#[test]
fn places_have_names() {
    assert_eq!(id("Dead spot"), "dead-spot");
    assert_eq!(id("Proof number, disproof number"), "proof-number");
}

#[test]
fn stress_and_code() {
    let html = inline("a *b* **c** `d*e` <f>").into_string();
    assert_eq!(
        html,
        "a <em>b</em> <strong>c</strong> <code>d*e</code> &lt;f&gt;"
    );
}
