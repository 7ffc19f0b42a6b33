//! Slow start: a failure that meets all calls shows with the first one.

/// How many are tried first.
const SLOW_START_INITIAL_BATCH_SIZE: usize = 1;

/// Cuts a list into pieces of 1, 2, 4, … of it.
///
/// Upstream: pkg/controller/daemon `syncNodes`, and pkg/controller `SlowStartInitialBatchSize` (1.37).
pub fn batches<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    let mut size = SLOW_START_INITIAL_BATCH_SIZE;
    std::iter::from_fn(move || {
        let (batch, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        size *= 2;
        (!batch.is_empty()).then_some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn batches_double() {
        let sizes = |count: usize| batches(&vec![(); count]).map(<[()]>::len).collect::<Vec<_>>();
        assert_eq!(sizes(0), [0_usize; 0]);
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(3), [1, 2]);
        assert_eq!(sizes(10), [1, 2, 4, 3]);
    }
}
