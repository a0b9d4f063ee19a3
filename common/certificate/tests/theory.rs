//! Certificates of theory, and damaged or forged ones. `checkers/python/check_theory.py`, which shares nothing with this checker,
//! accepts and refuses the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use sproutnet_certificate::theory::{Theory, verify};

/// The certificates of the tests.
const ALL: [&str; 9] = [
    "kayles.period",
    "bash.period",
    "nim.period",
    "lasker.period",
    "hexadecimal.period",
    "three-heaps.period",
    "taking.quotient",
    "nim.quotient",
    "kayles.quotient",
];

/// One change each: a certificate, a text in it, what stands there instead, and why it is refused.
const FORGED: [(&str, &str, &str, &str); 50] = [
    // The text.
    (
        "bash.period",
        "sproutnet-period 1",
        "sproutnet-period 2",
        "line 1: expected `sproutnet-period 1`",
    ),
    (
        "bash.period",
        "sproutnet-period 1",
        "sproutnet-quotient 1",
        "line 3: expected nothing after the start of the period",
    ),
    ("bash.period", "end\n", "end", "line 6: the file ends"),
    ("bash.period", "end\n", "", "line 6: the file ends"),
    (
        "bash.period",
        "end\n",
        "end\n\n",
        "line 7: expected nothing after `end`",
    ),
    ("bash.period", "end\n", "fin\n", "line 6: expected `end`"),
    (
        "bash.period",
        "code 0.333\n",
        "code 0.333\r\n",
        "line 2: expected printable ASCII",
    ),
    ("bash.period", "code 0.333\n", "", "line 2: expected `code`"),
    (
        "bash.period",
        "nimbers 8",
        "nimbers 08",
        "line 4: expected a number up to",
    ),
    (
        "bash.period",
        "nimbers 8",
        "nimbers +8",
        "line 4: expected a number up to",
    ),
    (
        "bash.period",
        "nimbers 8",
        "nimbers 9",
        "line 5: expected 9 numbers, found 8",
    ),
    (
        "bash.period",
        "nimbers 8",
        "nimbers 99999999999",
        "line 4: expected a number up to",
    ),
    (
        "bash.period",
        "0 1 2 3 0 1 2 3",
        "0 1 2 3  0 1 2 3",
        "line 5: expected a number",
    ),
    (
        "bash.period",
        "0 1 2 3 0 1 2 3",
        "0 1 2 3\n0 1 2 3",
        "line 5: expected 8 numbers, found 4",
    ),
    // The code.
    (
        "bash.period",
        "code 0.333",
        "code 1.333",
        "line 2: `1.333` is not a code",
    ),
    (
        "bash.period",
        "code 0.333",
        "code 0333",
        "line 2: `0333` is not a code",
    ),
    (
        "bash.period",
        "code 0.333",
        "code 0.",
        "line 2: `0.` is not a code",
    ),
    (
        "bash.period",
        "code 0.333",
        "code 0.33G",
        "line 2: `0.33G` is not a code",
    ),
    (
        "nim.period",
        "code 0.3...",
        "code 0.7...",
        "line 2: `0.7...` is not a code",
    ),
    // A period without saltus.
    (
        "bash.period",
        "code 0.333",
        "code 0.33",
        "heap 3: the nimber is not 3: no option has 0",
    ),
    (
        "bash.period",
        "code 0.333",
        "code 0.3333",
        "9 nimbers are needed to prove the period, and 8 are stated",
    ),
    (
        "bash.period",
        "code 0.333",
        "code 0.3...",
        "moves that take any number of tokens leave no such period",
    ),
    (
        "kayles.period",
        "period 12 from 71",
        "period 12 from 72",
        "the nimbers repeat from an earlier heap on",
    ),
    (
        "bash.period",
        "period 4 from 0",
        "period 3 from 0",
        "heap 3: the nimber is 3, by the period it would be 0",
    ),
    (
        "bash.period",
        "period 4 from 0",
        "period 0 from 0",
        "line 3: a period of length 0",
    ),
    (
        "bash.period",
        "period 4 from 0",
        "period 4 from 9",
        "do not reach the end of the second period",
    ),
    (
        "bash.period",
        "0 1 2 3 0 1 2 3",
        "0 1 2 4 0 1 2 4",
        "heap 3: the nimber is not 4: no option has 3",
    ),
    (
        "bash.period",
        "0 1 2 3 0 1 2 3",
        "0 1 2 2 0 1 2 2",
        "heap 3: the nimber is not 2, which an option has",
    ),
    (
        "kayles.period",
        "period 12 from 71",
        "period 24 from 71",
        "the nimbers have a shorter period",
    ),
    (
        "kayles.period",
        "period 12 from 71",
        "period 12 from 70",
        "heap 82: the nimber is",
    ),
    (
        "hexadecimal.period",
        "code 0.F",
        "code 0.E",
        "heap 1: the nimber is not 1: no option has 0",
    ),
    // An arithmetic period.
    (
        "nim.period",
        "saltus 1",
        "saltus 0",
        "heap 1: the nimber is 1, by the period it would be 0",
    ),
    (
        "nim.period",
        "0 1 2 3",
        "0 1 2 4",
        "heap 3: the nimber is 4, by the period it would be 3",
    ),
    (
        "nim.period",
        "code 0.3...",
        "code 0.3333",
        "no theorem of arithmetic periods is about such codes",
    ),
    (
        "lasker.period",
        "period 4 from 1 saltus 4",
        "period 8 from 1 saltus 8",
        "the nimbers have a shorter period",
    ),
    (
        "lasker.period",
        "code 4.3...",
        "code 0.3...",
        "heap 3: the nimber is not 4: no option has 3",
    ),
    (
        "three-heaps.period",
        "period 3 from 1 saltus 1",
        "period 6 from 1 saltus 2",
        "the nimbers have a shorter period",
    ),
    (
        "three-heaps.period",
        "code 0.8",
        "code 0.8...",
        "line 2: `0.8...` is not a code",
    ),
    // A quotient.
    (
        "taking.quotient",
        "code 0.3\n",
        "code 0.33\n",
        "5 values are needed to prove the period, and 4 are stated",
    ),
    (
        "taking.quotient",
        "period 2 from 0",
        "period 1 from 0",
        "heap 1: the value is not that of the heap one period before",
    ),
    (
        "taking.quotient",
        "lost 1\n1\n",
        "lost 1\n0\n",
        "the empty sum is lost",
    ),
    (
        "taking.quotient",
        "lost 1\n1\n",
        "lost 0\n",
        "is not lost, and has no lost option",
    ),
    (
        "taking.quotient",
        "0 1\n1 0\n",
        "1 0\n0 1\n",
        "0 times 0 is not 0",
    ),
    (
        "taking.quotient",
        "0 1\n1 0\n",
        "0 1\n0 0\n",
        "0 and 1 do not commute",
    ),
    (
        "taking.quotient",
        "0 1 0 1\n",
        "0 1 1 1\n",
        "heap 2: the value is not that of the heap one period before",
    ),
    (
        "nim.quotient",
        "lost 2\n1 4\n",
        "lost 2\n4 1\n",
        "line 12: the lost elements are not in ascending order",
    ),
    (
        "nim.quotient",
        "lost 2\n1 4\n",
        "lost 1\n1\n",
        "is not lost, and has no lost option",
    ),
    (
        "nim.quotient",
        "values 4\n0 1 2 3\n",
        "values 2\n0 1\n",
        "an element is not the value of any sum",
    ),
    (
        "nim.quotient",
        "values 4\n0 1 2 3\n",
        "values 4\n0 1 2 2\n",
        "its option of value 2 are lost",
    ),
    (
        "nim.quotient",
        "2 3 4 5 2 3\n",
        "2 3 4 5 2 4\n",
        "depend on their order",
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/theory")
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect(name)
}

/// The forged certificates, and why each is refused.
fn forged() -> Vec<(String, &'static str)> {
    let forge = |&(name, from, to, why): &(&str, &str, &str, &'static str)| {
        let text = read(name);
        assert_eq!(text.matches(from).count(), 1, "{name}: `{from}`");
        (text.replace(from, to), why)
    };
    FORGED.iter().map(forge).collect()
}

#[test]
fn certificates_are_accepted_and_written_again() {
    for name in ALL {
        let text = read(name);
        let again = match verify(text.as_bytes(), 2).expect(name) {
            Theory::Period(period) => period.to_string(),
            Theory::Quotient(quotient) => quotient.to_string(),
        };
        assert_eq!(again, text, "{name}");
    }
}

#[test]
fn forged_certificates_are_refused_with_the_reason() {
    for (text, why) in forged() {
        let error = verify(text.as_bytes(), 1).expect_err(&text);
        assert!(error.is_refusal(), "{error}");
        assert!(error.to_string().contains(why), "{error}\n{why}\n{text}");
    }
}

#[test]
fn what_no_theorem_proves_is_refused() {
    // The nimbers of these games do grow by the saltus with each period as far as they go, but too few are stated, or the
    // theorem does not cover the code.
    let of_three = (0..30u32).map(|size| size.saturating_sub(1) / 3);
    let of_six = (0..60u32).map(|size| [0, 1, 2, 0, 1, 2][size as usize % 6] + size / 6 * 3);
    for (code, start, nimbers, why) in [
        (
            "0.3...",
            "1 from 0 saltus 1",
            vec![0, 1, 2],
            "too few nimbers are stated",
        ),
        (
            "0.8",
            "3 from 1 saltus 1",
            of_three.clone().take(11).collect(),
            "too few nimbers are stated",
        ),
        (
            "8.3...",
            "1 from 0 saltus 1",
            vec![0, 1, 2, 3],
            "no theorem of arithmetic periods is about such codes",
        ),
        (
            "0.3F",
            "6 from 0 saltus 3",
            of_six.collect(),
            "the saltus 3 is no power of two",
        ),
    ] {
        let list: Vec<String> = nimbers.iter().map(ToString::to_string).collect();
        let lines: Vec<String> = list.chunks(20).map(|line| line.join(" ")).collect();
        let text = format!(
            "sproutnet-period 1\ncode {code}\nperiod {start}\nnimbers {}\n{}\nend\n",
            nimbers.len(),
            lines.join("\n")
        );
        let error = verify(text.as_bytes(), 1).expect_err(code).to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn every_digit_of_a_certificate_counts() {
    // Another digit in place of any one is refused, unless the claim is as true.
    let mut true_claims = Vec::new();
    for name in [
        "bash.period",
        "nim.period",
        "taking.quotient",
        "nim.quotient",
    ] {
        let text = read(name);
        for (at, digit) in text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| byte.is_ascii_digit())
        {
            for other in (b'0'..=b'9').filter(|&other| other != digit) {
                let mut forged = text.clone().into_bytes();
                forged[at] = other;
                if verify(&forged[..], 1).is_ok() {
                    let line = text[..at].lines().count();
                    true_claims.push((name, line, char::from(other)));
                }
            }
        }
    }
    // Values that repeat from 0 on repeat from 1 on. With code 8.3..., a heap of three may also be split into three of one
    // token, which are like one token.
    assert_eq!(
        true_claims,
        [("taking.quotient", 3, '1'), ("nim.quotient", 2, '8')]
    );
}

#[test]
fn the_second_checker_accepts_and_refuses_the_same() {
    let directory = env::temp_dir().join(format!("sproutnet-{}-theory", process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    let mut files: Vec<(PathBuf, bool)> =
        ALL.iter().map(|name| (folder().join(name), true)).collect();
    for (place, (text, _)) in forged().into_iter().enumerate() {
        let file = directory.join(place.to_string());
        fs::write(&file, text).expect("a temporary directory");
        files.push((file, false));
    }
    let output = Command::new("python3")
        .arg(folder().join("../../../../checkers/python/check_theory.py"))
        .args(files.iter().map(|(file, _)| file))
        .output()
        .expect("python3 starts");
    let (accepted, refused) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(1), "{refused}");
    for (file, is_accepted) in &files {
        let name = file.display();
        let is_in = |text: &str, start: String| text.lines().any(|line| line.starts_with(&start));
        assert_eq!(
            is_in(&accepted, format!("{name}: ")),
            *is_accepted,
            "{name}"
        );
        assert_eq!(
            is_in(&refused, format!("error: {name}: ")),
            !is_accepted,
            "{name}"
        );
    }
    assert_eq!(refused.lines().count(), FORGED.len(), "{refused}");
    fs::remove_dir_all(&directory).expect("a temporary directory");
}
