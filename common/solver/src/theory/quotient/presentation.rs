//! A monoid by generators and relations.
//!
//! Each element is a power product of generators. Its *normal form* is the product of its value of lowest degree, and
//! of these the first in the dictionary. A relation gives an equal product for a product that is no normal form
//! although all its divisors are. The relations bring any product into normal form, since they replace products by
//! earlier ones. So they define the monoid: they are its reduced Gröbner basis.

use std::collections::BTreeSet;
use std::fmt;

use super::monoid::{Element, Monoid};

/// A power product: the exponent of each generator.
type Powers = Vec<u16>;

/// Generators, relations, and a normal form of each element.
#[derive(Clone, Debug)]
pub struct Presentation {
    /// The generators.
    pub generators: Vec<Element>,
    /// The relations that define the monoid.
    pub relations: Vec<Relation>,
    forms: Vec<Powers>,
}

/// A product that is equal to an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    left: Powers,
    right: Powers,
}

impl Presentation {
    /// Takes generators from a list of elements that generate the monoid, and skips products of earlier ones.
    pub fn of(monoid: &Monoid, candidates: impl IntoIterator<Item = Element>) -> Self {
        let mut given = BTreeSet::from([0]);
        let mut generators = Vec::new();
        for candidate in candidates {
            if given.contains(&candidate) {
                continue;
            }
            generators.push(candidate);
            let mut left: Vec<Element> = given.iter().copied().collect();
            while let Some(element) = left.pop() {
                let product = monoid.product(element, candidate);
                if given.insert(product) {
                    left.push(product);
                }
            }
        }
        let mut all = Self {
            forms: vec![Powers::new(); monoid.order()],
            relations: Vec::new(),
            generators,
        };
        all.find_forms(monoid);
        all
    }

    /// Finds the normal forms degree by degree: each is a normal form of the previous degree times a generator.
    fn find_forms(&mut self, monoid: &Monoid) {
        let one: Powers = vec![0; self.generators.len()];
        let mut is_found = vec![false; monoid.order()];
        is_found[0] = true;
        self.forms[0].clone_from(&one);
        let mut degree = vec![(one, 0)];
        while !degree.is_empty() {
            let mut products: Vec<(Powers, Element)> = Vec::new();
            for (powers, value) in &degree {
                for (place, &generator) in self.generators.iter().enumerate() {
                    let mut product = powers.clone();
                    product[place] += 1;
                    products.push((product, monoid.product(*value, generator)));
                }
            }
            // `a` before `b`: more of the first generator comes first.
            products.sort_unstable_by(|one, other| other.cmp(one));
            products.dedup();
            degree.clear();
            for (powers, value) in products {
                if self
                    .relations
                    .iter()
                    .any(|known| divides(&known.left, &powers))
                {
                    continue;
                }
                if std::mem::replace(&mut is_found[usize::from(value)], true) {
                    self.relations.push(Relation {
                        left: powers,
                        right: self.forms[usize::from(value)].clone(),
                    });
                } else {
                    self.forms[usize::from(value)].clone_from(&powers);
                    degree.push((powers, value));
                }
            }
        }
    }

    /// An element in normal form, such as `ab²`; `1` is the identity.
    pub fn form(&self, element: Element) -> String {
        written(&self.forms[usize::from(element)])
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", written(&self.left), written(&self.right))
    }
}

fn divides(one: &[u16], other: &[u16]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// The name of a generator: `a` to `z`, then `a1` and so on.
fn name(place: usize) -> String {
    let letter = char::from(b'a' + (place % 26) as u8);
    match place / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// A power product as text.
fn written(powers: &[u16]) -> String {
    let mut text = String::new();
    for (place, &power) in powers.iter().enumerate().filter(|(_, power)| **power > 0) {
        text += &name(place);
        if power > 1 {
            let digits = power.to_string();
            let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().collect::<Vec<_>>();
            text.extend(
                digits
                    .bytes()
                    .map(|digit| raised[usize::from(digit - b'0')]),
            );
        }
    }
    if text.is_empty() {
        "1".to_owned()
    } else {
        text
    }
}
