//! Status: the seven numbers.
//!
//! Mirrors `updateDaemonSetStatus` of `pkg/controller/daemon/daemon_controller.go`.

use crate::api::DaemonSet;
use crate::plan::StatusNumbers;
use crate::reconcile::place::PlacedNode;

/// Counts over the nodes that exist. Of several pods on a node only the first in the controller's order counts.
///
/// Upstream: pkg/controller/daemon `updateDaemonSetStatus` (1.37).
pub fn status_numbers(nodes: &[PlacedNode<'_>]) -> StatusNumbers {
    let mut status = StatusNumbers::default();
    for node in nodes.iter().filter(|node| node.node.is_some()) {
        let first = node.daemon_pods.first();
        if !node.should_run() {
            status.number_misscheduled += i64::from(first.is_some());
            continue;
        }
        status.desired_number_scheduled += 1;
        let Some(daemon_pod) = first else { continue };
        status.current_number_scheduled += 1;
        status.number_ready += i64::from(daemon_pod.is_ready);
        status.number_available += i64::from(daemon_pod.is_available);
        status.updated_number_scheduled += i64::from(daemon_pod.is_updated);
    }
    status.number_unavailable = status.desired_number_scheduled - status.number_available;
    status
}

/// Returns the numbers that `.status` holds.
pub fn reported_numbers(daemon_set: &DaemonSet) -> StatusNumbers {
    let status = &daemon_set.status;
    StatusNumbers {
        desired_number_scheduled: status.desired_number_scheduled.into(),
        current_number_scheduled: status.current_number_scheduled.into(),
        number_ready: status.number_ready.into(),
        updated_number_scheduled: status.updated_number_scheduled.into(),
        number_available: status.number_available.into(),
        number_misscheduled: status.number_misscheduled.into(),
        number_unavailable: status.number_unavailable.into(),
    }
}
