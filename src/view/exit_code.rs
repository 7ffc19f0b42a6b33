//! Decides the exit code of `plan --exit-code`.

use crate::plan::Verdict;

/// Returns the exit code for sets with these verdicts: 1, then 11, then 10, then 0, the first that applies to any.
pub fn exit_code(verdicts: &[Verdict]) -> u8 {
    let codes: Vec<u8> = verdicts.iter().map(|verdict| of_verdict(*verdict)).collect();
    [1, 11, 10].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}

fn of_verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Unknown => 1,
        Verdict::Blocked | Verdict::Degraded => 11,
        Verdict::Work | Verdict::Moving | Verdict::AwaitingDelete => 10,
        Verdict::InSync | Verdict::NothingToRun | Verdict::Skipped => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::of_verdict;
    use crate::plan::Verdict;

    #[test]
    fn every_verdict_has_the_code_of_the_contract() {
        let with =
            |code| Verdict::ALL.iter().copied().filter(|verdict| of_verdict(*verdict) == code).collect::<Vec<_>>();
        assert_eq!(with(0), [Verdict::InSync, Verdict::NothingToRun, Verdict::Skipped]);
        assert_eq!(with(1), [Verdict::Unknown]);
        assert_eq!(with(10), [Verdict::Work, Verdict::Moving, Verdict::AwaitingDelete]);
        assert_eq!(with(11), [Verdict::Degraded, Verdict::Blocked]);
    }
}
