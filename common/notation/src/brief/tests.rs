use super::{AROUND, brief, with_caret};

#[test]
fn the_caret_stands_under_what_is_wrong() {
    assert_eq!(with_caret("0*x", Some(3)), "0*x\n  ^");
    assert_eq!(with_caret("0*x", None), "0*x");
    let long = "0.".repeat(60);
    let shown = with_caret(&long, Some(101));
    let (text, below) = shown.split_once('\n').expect("two lines");
    assert!(text.starts_with('…') && text.chars().count() < 70);
    assert_eq!(below.chars().count(), AROUND + 2);
}

#[test]
fn a_message_is_at_most_a_line() {
    assert_eq!(brief("short\nand two"), "short\nand two");
    let long = brief(&format!("found `{}`: too long", "é".repeat(1 << 20)));
    assert_eq!(long.chars().count(), super::LONGEST);
    assert!(long.starts_with("found `éé") && long.ends_with("éé`: too long"));
    assert!(long.contains("é…é"));
}
