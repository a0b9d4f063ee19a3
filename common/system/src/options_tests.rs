use super::*;

#[test]
fn what_people_write_is_read_and_nonsense_is_not() {
    assert_eq!("4".parse(), Ok(Cores(4)));
    assert_eq!("0".parse(), Ok(Nice(0)));
    assert_eq!("90".parse(), Ok(Time(Duration::from_secs(90))));
    assert_eq!("1.5s".parse(), Ok(Time(Duration::from_millis(1500))));
    assert_eq!("0".parse(), Ok(Time(Duration::ZERO)));
    assert_eq!("mill".parse(), Ok(Name("mill".to_owned())));
    assert_eq!("256MiB".parse(), Ok(Size(256 << 20)));
    for bad in ["", "-1", "1025", "many", "0"] {
        assert!(bad.parse::<Cores>().is_err(), "{bad}");
    }
    for bad in ["", "-1", "20", "nice"] {
        assert!(bad.parse::<Nice>().is_err(), "{bad}");
    }
    for bad in ["", "s", "-1s", "inf", "NaN", "5 weeks"] {
        assert!(bad.parse::<Time>().is_err(), "{bad}");
    }
    for bad in ["", "-1", "10%", "much"] {
        assert!(bad.parse::<Size>().is_err(), "{bad}");
    }
    assert!(String::new().parse::<Name>().is_err());
    assert!("x".repeat(257).parse::<Name>().is_err());
    let error = "all".parse::<Cores>().expect_err("no number");
    assert!(error.to_string().ends_with("found `all`"), "{error}");
}

#[test]
fn defaults_come_from_the_machine() {
    assert!(Cores::default().0 >= 1);
    assert!(!Name::default().0.is_empty());
}

#[test]
fn an_amount_a_day_is_read() {
    for (text, bytes) in [
        ("100GB", Some(100 << 30)),
        ("2 tb", Some(2 << 40)),
        ("1", Some(1)),
        ("0", None),
        ("0GB", None),
        ("unlimited", None),
    ] {
        assert_eq!(text.parse(), Ok(DailySize(bytes)), "{text}");
    }
    for bad in ["", "-1", "100GB/day", "50%", "off", "99999999T"] {
        assert!(bad.parse::<DailySize>().is_err(), "{bad}");
    }
    assert_eq!("100GB".parse(), Ok(DailySize::default()));
}

#[test]
fn amounts_are_read_and_written() {
    for (text, memory, written) in [
        ("512MiB", Memory::Bytes(512 << 20), "512MiB"),
        ("2g", Memory::Bytes(2 << 30), "2GiB"),
        ("64 MB", Memory::Bytes(64 << 20), "64MiB"),
        ("1000", Memory::Bytes(1000), "1000"),
        ("0", Memory::Bytes(0), "0"),
        ("50%", Memory::Share(50), "50%"),
        ("100 %", Memory::Share(100), "100%"),
    ] {
        let read: Memory = text.parse().expect(text);
        assert_eq!((read, read.to_string().as_str()), (memory, written));
    }
    for bad in [
        "",
        "MiB",
        "-1",
        "1.5G",
        "9999999999999G",
        "5 bananas",
        "0%",
        "101%",
        "%",
        "-5%",
    ] {
        assert!(bad.parse::<Memory>().is_err(), "{bad}");
    }
}

#[test]
fn a_share_is_of_the_machine() {
    let all = Memory::Share(100).bytes().expect("a machine with memory");
    let half = Memory::Share(50).bytes().expect("a machine with memory");
    assert!(half > 0 && half.abs_diff(all / 2) <= 1, "{half} of {all}");
}
