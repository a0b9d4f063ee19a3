use super::*;

fn texts(argument: &str) -> Result<Vec<String>, String> {
    let roots = read(&[argument.to_owned()]).map_err(|error| error.0)?;
    roots.map(|root| root.map_err(|error| error.0)).collect()
}

#[test]
fn ranges_and_positions() {
    assert_eq!(
        texts("0..=2"),
        Ok(vec!["!".into(), "0*1".into(), "0*2".into()])
    );
    assert_eq!(
        texts("kayles:1..3"),
        Ok(vec!["kayles:1".into(), "kayles:2".into()])
    );
    assert_eq!(texts("0*3.1a1a"), Ok(vec!["0*3.1a1a".into()]));
    assert_eq!(texts("5..5"), Ok(vec![]));
    for bad in [
        "0..x",
        "..=3",
        "chess:0..3",
        "0*3.",
        "0..=99999",
        "0..=400",
        "3..1",
    ] {
        assert!(texts(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_caret_stands_under_the_place() {
    let error = texts("0*3.x-").expect_err("not a position");
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(
        lines[1].chars().nth(lines[2].find('^').expect("a caret")),
        Some('-')
    );
}
