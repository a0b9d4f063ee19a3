use super::*;

#[test]
fn families_have_a_number_that_stands_alone() {
    for (text, member) in [
        ("cram:3xN", "cram:3x7"),
        ("cram:NxN", "cram:7x7"),
        ("0*N", "0*7"),
        (
            "node-kayles:cycle(N)*path(2)",
            "node-kayles:cycle(7)*path(2)",
        ),
        ("octal(0.77):N+N", "octal(0.77):7+7"),
    ] {
        let family = Family::read(text).expect(text);
        assert_eq!((family.text(), &*family.member(7)), (text, member));
    }
    for text in ["kayles", "octal(0.77)", "0*5", "NIM", "graph:DN{N2", ""] {
        assert_eq!(Family::read(text), None, "{text}");
    }
}
