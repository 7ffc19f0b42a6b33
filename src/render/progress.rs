//! The line of progress that is written over on a terminal.

use crate::plan::StatusNumbers;

use super::line::{clean, truncate};

/// Columns of the bar, without its ends.
const BAR: usize = 20;

/// Returns one line: name, a bar of the nodes that are updated, and the text, cut to the width of the terminal.
pub fn progress_line(name: &str, status: &StatusNumbers, text: &str, width: usize) -> String {
    // The last column stays free: some terminals break the line behind it.
    truncate(&clean(&format!("{name} {} {text}", bar(status))), width.saturating_sub(1))
}

/// Returns a bar of the nodes that are updated.
pub(super) fn bar(status: &StatusNumbers) -> String {
    let [updated, desired] = [status.updated_number_scheduled, status.desired_number_scheduled]
        .map(|number| usize::try_from(number).unwrap_or_default());
    let filled = (updated * BAR).checked_div(desired).unwrap_or(BAR).min(BAR);
    format!("[{}{}]", "#".repeat(filled), "·".repeat(BAR - filled))
}

#[cfg(test)]
mod tests {
    use super::progress_line;
    use crate::plan::StatusNumbers;

    #[test]
    fn the_bar_shows_what_is_updated() {
        let at = |updated, desired| {
            let status = StatusNumbers {
                updated_number_scheduled: updated,
                desired_number_scheduled: desired,
                ..StatusNumbers::default()
            };
            progress_line("agent", &status, "waiting", 60)
        };
        assert_eq!(at(0, 4), "agent [····················] waiting");
        assert_eq!(at(3, 4), "agent [###############·····] waiting");
        assert_eq!(at(0, 0), "agent [####################] waiting");
        assert_eq!(progress_line("agent", &StatusNumbers::default(), "waiting", 20).chars().count(), 19);
    }
}
