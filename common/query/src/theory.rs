//! What theory tells of games of heaps, as data.

use sproutnet_model::{Generator, ProvedPeriod, Quotient as Listed, ValuePeriod};
use sproutnet_solver::theory::period::Period;
use sproutnet_solver::theory::quotient::{Element, Presentation, Quotient};

/// A proved period of nimbers, and the proof in a sentence.
pub fn period(period: &Period) -> ProvedPeriod {
    let Period {
        start: from,
        length,
        saltus,
        verified: verified_to,
        most_left,
    } = *period;
    let compared = verified_to - length;
    if compared < from {
        // Only then does the theorem compare nothing.
        return ProvedPeriod {
            from,
            length,
            saltus,
            verified_to,
            proof: format!("all heaps from {from} on have the same move: it takes the whole heap"),
        };
    }
    let plus = match saltus {
        0 => String::new(),
        saltus => format!(" + {saltus}"),
    };
    // The theorem is about s ≥ 1. If the period begins with 0, it is applied to s = 1.
    let until = match (saltus, most_left, from) {
        (0, 1, 0) => format!("{compared} = k"),
        (0, 1, _) => format!("{compared} = s + k − 1"),
        (0, 2, 0) => format!("{compared} = p + k + 1"),
        (0, 2, _) => format!("{compared} = 2·s + p + k − 1"),
        (0, _, 0) => format!("{compared} = 2·p + k + 2"),
        (0, ..) => format!("{compared} = 3·s + 2·p + k − 1"),
        _ => format!("{compared}, and the conditions of the theorem hold"),
    };
    let theorem = match (saltus, most_left) {
        (0, 1) => "as many as a move can take decide the next",
        (0, 2) => "Guy and Smith 1956",
        (0, _) => "as Guy and Smith 1956, for three heaps",
        _ => "a theorem of arithmetic periods",
    };
    ProvedPeriod {
        from,
        length,
        saltus,
        verified_to,
        proof: format!(
            "G(n + {length}) = G(n){plus} for n from {from} to {until}, hence for all n ≥ {from} ({theorem})"
        ),
    }
}

/// A misère quotient, its elements written by a presentation of its monoid.
pub fn quotient(quotient: &Quotient, presentation: &Presentation) -> Listed {
    let Quotient {
        monoid,
        values,
        period,
    } = quotient;
    let form = |element| presentation.form(element);
    let generator = |&element: &Element| Generator {
        name: form(element),
        heap: values.iter().take_while(|&&value| value != element).count(),
    };
    let relations = presentation.relations.iter();
    Listed {
        whole_game: period.is_some(),
        order: monoid.order(),
        generators: presentation.generators.iter().map(generator).collect(),
        relations: relations.map(ToString::to_string).collect(),
        elements: monoid.elements().map(form).collect(),
        products: monoid
            .elements()
            .map(|element| monoid.multiples(element).to_vec())
            .collect(),
        p_portion: monoid.p_portion().map(form).collect(),
        values: values.iter().copied().map(form).collect(),
        period: period.map(|period| ValuePeriod {
            from: period.start,
            length: period.length,
            verified_to: period.verified,
        }),
    }
}
