//! `sproutnet table`: the start positions, proved here or published.

use std::collections::BTreeSet;

use crate::command::{answered, column, published, run};
use serde_json::Value;
use sproutnet_model::{Proof, references};
use tempfile::tempdir;

#[test]
fn the_table_prefers_what_was_solved_here() {
    let data = tempdir().expect("a folder");
    let table = || run(data.path(), &["table", "--json"]).with_code(0).json();
    let before = table();
    assert!(before.len() > 100);
    for line in &before {
        // Outcomes of up to two spots, under misère play up to three, are evident without a search.
        let is_seen = line["size"].as_u64() <= Some(2 + u64::from(line["play"] == "misere"));
        let citation = line["citation"].as_str();
        let is_certified = citation.is_some_and(|text| Proof::cited(text).is_some());
        let source = match is_seen {
            true => "derived",
            false if is_certified => "atlas",
            false => "literature",
        };
        assert_eq!(line["source"], source, "{line}");
        assert_eq!(citation.is_none(), is_seen, "{line}");
    }
    run(data.path(), &["solve", "0..=4", "--play", "both"]).with_code(0);
    run(data.path(), &["solve", "0*6"]).with_code(0);
    let after = table();
    assert_eq!(answered(&after), answered(&before));
    assert_eq!(answered(&after)[..42], published(20));
    for line in &after {
        let size = line["size"].as_u64().expect("a size");
        let here = size <= 4 || size == 6 && line["play"] == "normal";
        // Outcomes that follow from proved facts count as proved here.
        assert_eq!(line["source"] == "store", here, "{line}");
        let is_cited = line["source"] == "literature" || line["source"] == "atlas";
        assert_eq!(line["citation"].is_null(), !is_cited, "{line}");
    }
    let text = run(data.path(), &["table"]).with_code(0).stdout;
    let row = |start: &str| {
        text.lines()
            .find(|line| line.split_whitespace().next() == Some(start))
    };
    let [four, twelve, large] = ["0*4", "0*12", "0*40"].map(|start| row(start).expect("a row"));
    assert_eq!(four.matches("solved here").count(), 2, "{four}");
    for certificate in ["normal-12", "misere-12"] {
        assert!(twelve.contains(certificate), "{twelve}");
    }
    assert!(large.contains("literature: "), "{large}");
}

#[test]
fn the_table_is_written_in_other_formats() {
    let data = tempdir().expect("a folder");
    let table = |format: &str| {
        let shown = run(data.path(), &["table", "--format", format]).with_code(0);
        shown.stdout
    };
    let json = run(data.path(), &["table", "--json"]).with_code(0);
    assert_eq!(table("json"), json.stdout);
    let text = run(data.path(), &["table"]).with_code(0);
    assert_eq!(table("text"), text.stdout);
    let sizes: BTreeSet<u64> = json
        .json()
        .iter()
        .filter_map(|row| row["size"].as_u64())
        .collect();
    let csv = table("csv");
    let mut lines = csv.lines();
    let columns = "position,size,normal,nimber,normal_source,misere,misere_source";
    assert_eq!(lines.next(), Some(columns));
    assert_eq!(lines.clone().count(), sizes.len());
    let two = lines.nth(2).expect("a row");
    // A loss has nimber 0.
    let ours = "proved here; published: Conway 1967,loss,proved here; published: OEIS A164950";
    assert_eq!(two, format!("0*2,2,loss,0,{ours}"));
    let ours =
        "proved by Sproutnet, certificate normal-7; published: Applegate-Jacobson-Sleator 1991";
    let seven = &format!("0*7,7,loss,0,\"{ours}\",loss,");
    assert!(csv.contains(seven), "{csv}");
    let markdown = table("markdown");
    assert_eq!(markdown.lines().count(), sizes.len() + 2);
    let two = "| 0\\*2 | 2 | loss | 0 | proved here; published: Conway 1967 | loss | proved here; published: ";
    assert!(markdown.contains(two), "{markdown}");
    let latex = table("latex");
    assert_eq!(latex.lines().count(), sizes.len() + 6);
    let seven = &format!("0*7 & 7 & loss & 0 & {ours}~\\cite{{sproutnet,applegate1991}} & loss & ");
    assert!(latex.contains(seven), "{latex}");
    assert!(latex.contains("literature: "), "{latex}");
    let cites = latex.split("\\cite{").skip(1);
    let cited: BTreeSet<&str> = cites
        .flat_map(|rest| rest.split('}').next().expect("a list").split(','))
        .collect();
    assert!(cited.contains("sproutnet") && cited.contains("cizek2026"));
    for key in cited {
        let mut entries = references().iter();
        assert!(entries.any(|entry| entry.key == key), "{key}");
    }
    let both = ["table", "--json", "--format", "csv"];
    let refused = run(data.path(), &both).with_code(2);
    assert!(
        refused.stderr.contains("exclude each other"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_table_of_another_game() {
    let data = tempdir().expect("a folder");
    let rows = run(
        data.path(),
        &["table", "kayles", "--within", "10s", "--json"],
    )
    .with_code(0)
    .json();
    // Under normal play by the period, under misère play by a search of up to 35 pins.
    assert_eq!(rows.len(), 334 + 36);
    let lost = |play| {
        let lost = rows
            .iter()
            .filter(move |row| row["play"] == play && row["outcome"] == "loss");
        lost.map(|row| row["size"].as_u64().expect("a size"))
            .collect::<Vec<u64>>()
    };
    assert_eq!(lost("normal"), [0]);
    assert_eq!(lost("misere"), [1, 4, 9, 12, 20]);
    run(data.path(), &["solve", "kayles:0..=9"]).with_code(0);
    let lines = run(
        data.path(),
        &["table", "kayles", "--within", "10s", "--json"],
    )
    .with_code(0)
    .json();
    let solved: Vec<Value> = lines
        .into_iter()
        .filter(|line| line["source"] == "store")
        .collect();
    assert_eq!(column(&solved, "nimber"), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
    let text = run(data.path(), &["table", "kayles"]).with_code(0).stdout;
    let nine: Vec<&str> = text
        .lines()
        .nth(10)
        .expect("rows")
        .split_whitespace()
        .collect();
    assert_eq!(
        nine.join(" "),
        "kayles:9 win 4 solved here loss proved here"
    );
}
