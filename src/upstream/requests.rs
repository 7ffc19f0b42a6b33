//! What a pod requests in total, as the scheduler counts it.
//!
//! Mirrors component-helpers `resource/helpers.go`.

use crate::api::{Pod, ResourceList};

/// Returns the requests of a pod: the larger of what its containers ask for together and what its init containers ask for one
/// after the other, plus its overhead. Init containers that go on running count among the containers.
///
/// Unlike upstream, requests of the pod as a whole (`spec.resources`) and resizes under way do not count.
///
/// Upstream: component-helpers resource `PodRequests` (1.37).
pub fn pod_requests(pod: &Pod) -> ResourceList {
    let mut total = ResourceList::new();
    for container in &pod.spec.containers {
        add(&mut total, &container.requests);
    }
    let mut sidecars = ResourceList::new();
    let mut starting = ResourceList::new();
    for container in &pod.spec.init_containers {
        if container.is_sidecar {
            add(&mut sidecars, &container.requests);
            raise(&mut starting, &sidecars);
        } else {
            let mut needed = sidecars.clone();
            add(&mut needed, &container.requests);
            raise(&mut starting, &needed);
        }
    }
    add(&mut total, &sidecars);
    raise(&mut total, &starting);
    add(&mut total, &pod.spec.overhead);
    total
}

/// Adds each amount of `more`.
pub fn add(total: &mut ResourceList, more: &ResourceList) {
    for (name, amount) in more {
        let sum = total.entry(name.clone()).or_default();
        *sum = sum.plus(*amount);
    }
}

/// Raises each amount to at least that of `floor`.
fn raise(total: &mut ResourceList, floor: &ResourceList) {
    for (name, amount) in floor {
        let value = total.entry(name.clone()).or_default();
        *value = (*value).max(*amount);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn requests_of(spec: Value) -> Vec<String> {
        let pod: Pod = serde_json::from_value(json!({ "spec": spec })).expect("a pod");
        pod_requests(&pod).iter().map(|(name, amount)| format!("{name}={amount}")).collect()
    }

    fn container(cpu: &str) -> Value {
        json!({ "name": "c", "resources": { "requests": { "cpu": cpu } } })
    }

    #[test]
    fn containers_add_up_and_overhead_comes_on_top() {
        let spec = json!({ "containers": [container("100m"), container("50m")], "overhead": { "cpu": "10m", "memory": "1Mi" } });
        assert_eq!(requests_of(spec), ["cpu=160m", "memory=1Mi"]);
    }

    #[test]
    fn init_containers_count_by_the_largest() {
        let spec =
            json!({ "containers": [container("100m")], "initContainers": [container("300m"), container("200m")] });
        assert_eq!(requests_of(spec), ["cpu=300m"]);
    }

    #[test]
    fn sidecars_run_beside_containers_and_later_init_containers() {
        let sidecar = json!({ "name": "s", "restartPolicy": "Always", "resources": { "requests": { "cpu": "50m" } } });
        let spec = json!({ "containers": [container("100m")], "initContainers": [container("140m"), sidecar, container("120m")] });
        assert_eq!(requests_of(spec), ["cpu=170m"]);
    }
}
