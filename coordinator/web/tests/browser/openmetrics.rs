//! A strict reader of the counters, gauges and histograms of OpenMetrics text.

use std::collections::{BTreeMap, BTreeSet};

/// Labels with their values.
pub(crate) type Labels = BTreeMap<String, String>;

/// All metrics of a text.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    families: BTreeMap<String, Family>,
}

#[derive(Debug)]
struct Family {
    kind: String,
    help: bool,
    samples: Vec<(String, Labels, f64)>,
}

impl Metrics {
    /// Reads a text. The error names the wrong line, and the reason.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut metrics = Self::default();
        let Some(body) = text.strip_suffix("# EOF\n") else {
            return Err("it does not end with # EOF".to_owned());
        };
        let mut last = String::new();
        for line in body.lines() {
            let read = metrics.read_line(line, &mut last);
            read.map_err(|problem| format!("{problem}: `{line}`"))?;
        }
        for (name, family) in &metrics.families {
            family.check(name)?;
        }
        Ok(metrics)
    }

    fn read_line(&mut self, line: &str, last: &mut String) -> Result<(), String> {
        if let Some(told) = line.strip_prefix("# ") {
            let mut words = told.splitn(3, ' ');
            let (what, name) = (words.next(), words.next().ok_or("no name")?);
            let text = words.next().ok_or("no text")?;
            if last != name && self.families.contains_key(name) {
                return Err("a family in two places".to_owned());
            }
            name.clone_into(last);
            let family = self.families.entry(name.to_owned()).or_insert(Family {
                kind: String::new(),
                help: false,
                samples: Vec::new(),
            });
            match what {
                Some("HELP") if !family.help => family.help = true,
                Some("TYPE") if family.kind.is_empty() => text.clone_into(&mut family.kind),
                _ => return Err("told twice, or of an unknown kind".to_owned()),
            }
            return Ok(());
        }
        let end = line.find(['{', ' ']).ok_or("no value")?;
        let (name, rest) = line.split_at(end);
        check_name(name)?;
        let (labels, value) = match rest.strip_prefix('{') {
            Some(labels) => read_labels(labels)?,
            None => (Labels::new(), rest),
        };
        let value = value.strip_prefix(' ').ok_or("no space before the value")?;
        let value: f64 = value.parse().map_err(|_| "the value is no number")?;
        let family = self.families.get_mut(last).ok_or("no family")?;
        let suffix = name.strip_prefix(&**last).ok_or("of another family")?;
        let fits = match &*family.kind {
            "counter" => suffix == "_total",
            "gauge" => suffix.is_empty(),
            "histogram" => ["_bucket", "_sum", "_count"].contains(&suffix),
            _ => false,
        };
        if !fits {
            return Err(format!("not a sample of a {}", family.kind));
        }
        family.samples.push((suffix.to_owned(), labels, value));
        Ok(())
    }

    /// The names of all families.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.families.keys().map(String::as_str).collect()
    }

    /// The kind of a family.
    pub(crate) fn kind(&self, name: &str) -> &str {
        &self.families[name].kind
    }

    /// All samples of a family, with their labels.
    pub(crate) fn samples(&self, name: &str) -> Vec<(&Labels, f64)> {
        let samples = self.families[name].samples.iter();
        samples.map(|(_, labels, value)| (labels, *value)).collect()
    }

    /// The value of a family of one sample.
    pub(crate) fn value(&self, name: &str) -> f64 {
        match self.samples(name)[..] {
            [(_, value)] => value,
            ref samples => panic!("{name} has several samples: {samples:?}"),
        }
    }

    /// The number of events that a histogram counted.
    pub(crate) fn count(&self, name: &str) -> f64 {
        let mut samples = self.families[name].samples.iter();
        let count = samples.find(|(suffix, ..)| suffix == "_count");
        count.expect("a histogram").2
    }
}

impl Family {
    fn check(&self, name: &str) -> Result<(), String> {
        if self.kind.is_empty() || !self.help {
            return Err(format!("{name} has no type, or no help"));
        }
        let mut seen = BTreeSet::new();
        for (suffix, labels, value) in &self.samples {
            if !seen.insert((suffix, labels)) {
                return Err(format!("{name}{suffix} is there twice: {labels:?}"));
            }
            if self.kind != "gauge" && (value.is_nan() || *value < 0.0) {
                return Err(format!("{name}{suffix} is {value}"));
            }
        }
        if self.kind == "histogram" {
            return self.check_buckets(name);
        }
        Ok(())
    }

    fn check_buckets(&self, name: &str) -> Result<(), String> {
        let mut before = (f64::NEG_INFINITY, 0.0);
        let buckets = self
            .samples
            .iter()
            .filter(|(suffix, ..)| suffix == "_bucket");
        for (_, labels, count) in buckets {
            let bound = match labels.get("le").map(String::as_str) {
                Some("+Inf") => f64::INFINITY,
                Some(bound) => bound.parse().map_err(|_| format!("{name}: {bound}"))?,
                None => return Err(format!("{name} has a bucket without a bound")),
            };
            if bound <= before.0 || *count < before.1 {
                return Err(format!("the buckets of {name} do not ascend"));
            }
            before = (bound, *count);
        }
        let count = self.samples.iter().find(|(suffix, ..)| suffix == "_count");
        match count {
            Some((.., count)) if before == (f64::INFINITY, *count) => Ok(()),
            _ => Err(format!("the last bucket of {name} is not all")),
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let good =
        name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    good.then_some(())
        .ok_or_else(|| format!("`{name}` is no name"))
}

/// Labels up to the closing brace, and the rest of the text.
fn read_labels(mut text: &str) -> Result<(Labels, &str), String> {
    let mut labels = Labels::new();
    loop {
        let (name, rest) = text.split_once("=\"").ok_or("a label without a value")?;
        check_name(name)?;
        let mut value = String::new();
        let mut chars = rest.char_indices();
        let end = loop {
            match chars.next().ok_or("a label that does not end")? {
                (at, '"') => break at,
                (_, '\\') => value.push(match chars.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, c @ ('"' | '\\'))) => c,
                    _ => return Err("an unknown escape".to_owned()),
                }),
                (_, c) => value.push(c),
            }
        };
        if labels.insert(name.to_owned(), value).is_some() {
            return Err(format!("the label {name} twice"));
        }
        text = &rest[end + 1..];
        if let Some(rest) = text.strip_prefix('}') {
            return Ok((labels, rest));
        }
        text = text.strip_prefix(',').ok_or("no comma between labels")?;
    }
}
