use super::*;

#[test]
fn pages_follow_each_other_to_the_end() {
    let list: Vec<usize> = (0..450).collect();
    let (mut offset, mut met) = (Some(0), Vec::new());
    while let Some(from) = offset {
        let wanted = Wanted {
            offset: Some(from),
            limit: None,
        };
        let page = wanted.of(list.clone()).expect("a page");
        assert_eq!((page.total, page.offset), (450, from));
        met.extend(page.items);
        offset = page.next;
    }
    assert_eq!(met, list);
}

#[test]
fn pages_beyond_the_end_are_empty_and_sizes_are_bounded() {
    let far = Wanted {
        offset: Some(GREATEST as usize),
        limit: Some(MOST),
    };
    let page = far.of(vec![1, 2]).expect("a page");
    assert_eq!((page.items.len(), page.next), (0, None));
    let too_far = Wanted {
        offset: Some(GREATEST as usize + 1),
        limit: None,
    };
    assert!(too_far.of(vec![1]).is_err());
    for limit in [0, MOST + 1] {
        let limit = Some(limit);
        let wanted = Wanted {
            limit,
            ..Wanted::default()
        };
        assert!(wanted.of(vec![1]).is_err());
    }
}
