//! Finite commutative monoids with a set of elements that are lost.

/// An element of a monoid. 0 is the identity.
pub type Element = u16;

/// The identity.
pub const IDENTITY: Element = 0;

/// A finite commutative monoid, and its P-portion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monoid {
    order: usize,
    /// The product of x and y is at `x * order + y`.
    products: Vec<Element>,
    /// The P-portion: the values of the sums that the player to move loses.
    lost: Elements,
}

impl Monoid {
    /// The quotient of no heaps: the sum without a move is won.
    pub fn trivial() -> Self {
        Self {
            order: 1,
            products: vec![IDENTITY],
            lost: Elements::none(1),
        }
    }

    /// The monoid with this table of products, row by row, and this P-portion.
    pub(super) fn new(products: Vec<Element>, lost: Elements) -> Self {
        let order = products.len().isqrt();
        Self {
            order,
            products,
            lost,
        }
    }

    /// The number of elements.
    pub fn order(&self) -> usize {
        self.order
    }

    /// All elements, the identity first.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..self.order).map(|element| element as Element)
    }

    /// The product, which is the value of two sums together.
    pub fn product(&self, one: Element, other: Element) -> Element {
        self.multiples(one)[usize::from(other)]
    }

    /// The products of an element and each element.
    pub fn multiples(&self, one: Element) -> &[Element] {
        &self.products[usize::from(one) * self.order..][..self.order]
    }

    /// Whether the player to move loses sums of this value.
    pub fn is_lost(&self, element: Element) -> bool {
        self.lost.contains(element)
    }

    /// The P-portion, ascending.
    pub fn p_portion(&self) -> impl Iterator<Item = Element> {
        self.elements().filter(|&element| self.is_lost(element))
    }

    /// The elements q such that q·e is lost for one of these elements e.
    pub(super) fn lost_beside(&self, values: impl IntoIterator<Item = Element>) -> Elements {
        let mut beside = Elements::none(self.order);
        for value in values {
            let products = self.multiples(value);
            for q in self.elements() {
                if self.is_lost(products[usize::from(q)]) {
                    beside.insert(q);
                }
            }
        }
        beside
    }

    /// The preimage of a set under multiplication by e: the elements q such that q·e is in it.
    pub(super) fn preimage(&self, value: Element, set: &Elements) -> Elements {
        let mut preimage = Elements::none(self.order);
        let products = self.multiples(value);
        for q in self.elements() {
            if set.contains(products[usize::from(q)]) {
                preimage.insert(q);
            }
        }
        preimage
    }
}

/// A set of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Elements(Box<[u64]>);

impl Elements {
    /// The empty set, in a monoid of order `order`.
    pub(super) fn none(order: usize) -> Self {
        Self(vec![0; order.div_ceil(64)].into())
    }

    pub(super) fn insert(&mut self, element: Element) {
        self.0[usize::from(element) / 64] |= 1 << (element % 64);
    }

    pub(super) fn contains(&self, element: Element) -> bool {
        self.0[usize::from(element) / 64] >> (element % 64) & 1 == 1
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        let mut words = self.0.iter().zip(&other.0);
        words.all(|(word, other)| word & !other == 0)
    }

    /// The elements, ascending.
    pub(super) fn each(&self) -> impl Iterator<Item = Element> {
        let all = (0..self.0.len() * 64).map(|element| element as Element);
        all.filter(|&element| self.contains(element))
    }
}
