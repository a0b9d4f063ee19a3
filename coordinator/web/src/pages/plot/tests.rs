use super::*;

#[test]
fn every_value_has_a_place_on_its_axis() {
    for scale in [Scale::Linear, Scale::Logarithmic] {
        for values in [
            vec![],
            vec![1.0],
            vec![0.5, 3.0],
            vec![1.0, 10.0],
            vec![999.0, 4e9],
            vec![7.0, 7.0, 7.0],
        ] {
            let axis = Axis::of(scale, values.iter().copied());
            assert!((2..=8).contains(&axis.ticks.len()), "{axis:?}");
            assert!(axis.ticks.is_sorted_by(|a, b| a < b), "{axis:?}");
            for value in values {
                let height = axis.height(value);
                assert!(
                    (-0.01..=HEIGHT + 0.01).contains(&height),
                    "{axis:?} {value}"
                );
            }
        }
    }
    let linear = Axis::of(Scale::Linear, [37.0].into_iter());
    assert_eq!(linear.ticks, [0.0, 10.0, 20.0, 30.0, 40.0]);
    let decades = Axis::of(Scale::Logarithmic, [3.0, 2e4].into_iter());
    assert_eq!(decades.ticks, [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
}

#[test]
fn the_pen_is_lifted_over_gaps() {
    let series = Series {
        name: "a",
        class: "b",
        points: vec![
            (0.0, f64::NAN),
            (1.0, 1.0),
            (2.0, 2.0),
            (3.0, f64::NAN),
            (4.0, 0.0),
        ],
    };
    let axis = Axis::of(Scale::Linear, [2.0].into_iter());
    let way = line(&series, &axis, 4.0, f64::is_finite);
    assert_eq!(way, "M250.0 150.0L500.0 0.0M1000.0 300.0");
}

#[test]
fn values_are_short() {
    for (value, text) in [
        (0.0, "0"),
        (0.5, "0.5"),
        (999.0, "999"),
        (1_000.0, "1k"),
        (1_250.0, "1.2k"),
        (30_000_000.0, "30M"),
        (4e9, "4G"),
    ] {
        assert_eq!(short(value), text);
    }
}
