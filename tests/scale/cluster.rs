//! Synthetic clusters: realistic nodes, and one DaemonSet with 1.1 pods a node.

use std::io::{self, Write};

use serde_json::{Value, json};

/// How a cluster is written.
#[derive(Clone, Copy)]
pub enum Format {
    /// A List, one item in a line.
    Json,
    /// A List as `kubectl get -o yaml` prints it.
    Yaml,
}

const CREATED: &str = "2026-03-01T08:00:00Z";
const NAMESPACE: &str = "monitoring";
const HASH: &str = "64494fcbcd";
const OLD_HASH: &str = "7c9f6d8b5f";

/// Writes a List of this many nodes, the DaemonSet, its two revisions and its pods.
pub fn write(nodes: usize, format: Format, out: &mut impl Write) -> io::Result<()> {
    let pods = nodes + nodes / 10;
    let objects = [daemon_set(nodes), revision(1, OLD_HASH), revision(2, HASH)]
        .into_iter()
        .chain((0..nodes).map(node))
        .chain((0..pods).map(|i| pod(i, i % nodes)));
    match format {
        Format::Json => write_json(objects, out),
        Format::Yaml => write_yaml(objects, out),
    }
}

fn write_json(objects: impl Iterator<Item = Value>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\"apiVersion\":\"v1\",\"items\":[\n")?;
    for (i, object) in objects.enumerate() {
        out.write_all(if i == 0 { b"" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &object)?;
    }
    out.write_all(b"\n],\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"}}\n")
}

fn write_yaml(objects: impl Iterator<Item = Value>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"apiVersion: v1\nitems:\n")?;
    for object in objects {
        let text = serde_saphyr::to_string(&object).map_err(io::Error::other)?;
        for (i, line) in text.lines().enumerate() {
            writeln!(out, "{}{line}", if i == 0 { "- " } else { "  " })?;
        }
    }
    out.write_all(b"kind: List\nmetadata:\n  resourceVersion: \"\"\n")
}

fn uid(kind: u32, i: usize) -> String {
    format!("{kind:08x}-3e51-4a18-81b2-{i:012x}")
}

fn template() -> Value {
    json!({
        "metadata": {"labels": {"app": "node-agent"}},
        "spec": {
            "containers": [container("agent"), container("exporter")],
            "restartPolicy": "Always",
            "serviceAccountName": "node-agent",
            "terminationGracePeriodSeconds": 30,
            "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
        },
    })
}

fn container(name: &str) -> Value {
    json!({
        "args": ["--config=/etc/agent/config.yaml", "--listen=:9100"],
        "env": [{"name": "NODE_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "spec.nodeName"}}}],
        "image": format!("registry.example/{name}:1.1.0"),
        "imagePullPolicy": "IfNotPresent",
        "name": name,
        "ports": [{"containerPort": 9100, "name": "metrics", "protocol": "TCP"}],
        "resources": {"limits": {"memory": "256Mi"}, "requests": {"cpu": "100m", "memory": "128Mi"}},
        "terminationMessagePath": "/dev/termination-log",
        "volumeMounts": [{"mountPath": "/etc/agent", "name": "config", "readOnly": true}],
    })
}

fn daemon_set(nodes: usize) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {
            "annotations": {"deprecated.daemonset.template.generation": "2"},
            "creationTimestamp": CREATED,
            "generation": 2,
            "name": "node-agent",
            "namespace": NAMESPACE,
            "resourceVersion": "100",
            "uid": uid(1, 0),
        },
        "spec": {
            "minReadySeconds": 10,
            "revisionHistoryLimit": 10,
            "selector": {"matchLabels": {"app": "node-agent"}},
            "template": template(),
            "updateStrategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}, "type": "RollingUpdate"},
        },
        "status": {
            "currentNumberScheduled": nodes,
            "desiredNumberScheduled": nodes,
            "numberMisscheduled": 0,
            "numberReady": nodes,
            "observedGeneration": 2,
        },
    })
}

fn revision(number: usize, hash: &str) -> Value {
    let mut template = template();
    template["$patch"] = json!("replace");
    template["spec"]["containers"][0]["image"] = json!(format!("registry.example/agent:1.{}.0", number - 1));
    json!({
        "apiVersion": "apps/v1",
        "data": {"spec": {"template": template}},
        "kind": "ControllerRevision",
        "metadata": {
            "creationTimestamp": CREATED,
            "labels": {"app": "node-agent", "controller-revision-hash": hash},
            "name": format!("node-agent-{hash}"),
            "namespace": NAMESPACE,
            "ownerReferences": [owner()],
            "resourceVersion": "101",
            "uid": uid(2, number),
        },
        "revision": number,
    })
}

fn owner() -> Value {
    json!({
        "apiVersion": "apps/v1",
        "blockOwnerDeletion": true,
        "controller": true,
        "kind": "DaemonSet",
        "name": "node-agent",
        "uid": uid(1, 0),
    })
}

fn node(i: usize) -> Value {
    let name = format!("node-{i:06}");
    let resources = json!({
        "cpu": "16", "ephemeral-storage": "203056560Ki", "hugepages-2Mi": "0", "memory": "64761852Ki", "pods": "110",
    });
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "csi.volume.kubernetes.io/nodeid": format!("{{\"ebs.csi.example\":\"i-{i:017x}\"}}"),
                "node.alpha.kubernetes.io/ttl": "0",
                "volumes.kubernetes.io/controller-managed-attach-detach": "true",
            },
            "creationTimestamp": CREATED,
            "labels": {
                "beta.kubernetes.io/arch": "amd64",
                "beta.kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "node.kubernetes.io/instance-type": "m6i.4xlarge",
                "topology.kubernetes.io/region": "eu-central-1",
                "topology.kubernetes.io/zone": format!("eu-central-1{}", ["a", "b", "c"][i % 3]),
            },
            "name": name,
            "resourceVersion": format!("{}", 1_000_000 + i),
            "uid": uid(3, i),
        },
        "spec": node_spec(i),
        "status": {
            "addresses": [{"address": address(i), "type": "InternalIP"}, {"address": name, "type": "Hostname"}],
            "allocatable": resources,
            "capacity": resources,
            "conditions": node_conditions(),
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "images": (0..12).map(image).collect::<Vec<_>>(),
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": uid(4, i),
                "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.12.40-64.114.amzn2023.x86_64",
                "kubeletVersion": "v1.37.1",
                "machineID": format!("{i:032x}"),
                "operatingSystem": "linux",
                "osImage": "Amazon Linux 2023.8.20260721",
                "systemUUID": uid(5, i),
            },
        },
    })
}

fn node_spec(i: usize) -> Value {
    let cidr = format!("10.{}.{}.0/24", i / 256 % 256, i % 256);
    let taints = match i % 20 {
        0 => json!([{"effect": "NoSchedule", "key": "dedicated", "value": "batch"}]),
        _ => json!([]),
    };
    json!({"podCIDR": cidr, "podCIDRs": [cidr], "providerID": format!("aws:///eu-central-1a/i-{i:017x}"), "taints": taints})
}

fn address(i: usize) -> String {
    format!("10.{}.{}.{}", i / 65_536, i / 256 % 256, i % 256)
}

fn node_conditions() -> Vec<Value> {
    let conditions = [
        ("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
        ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ];
    let condition = |(type_, status, reason, message): (&str, &str, &str, &str)| {
        json!({
            "lastHeartbeatTime": "2026-03-02T08:59:30Z",
            "lastTransitionTime": CREATED,
            "message": message,
            "reason": reason,
            "status": status,
            "type": type_,
        })
    };
    conditions.map(condition).to_vec()
}

fn image(i: usize) -> Value {
    json!({
        "names": [
            format!("registry.example/platform/image-{i}@sha256:{:064x}", i * 7919),
            format!("registry.example/platform/image-{i}:2.{i}.0"),
        ],
        "sizeBytes": 12_000_000 + i * 1_234_567,
    })
}

fn pod(i: usize, node: usize) -> Value {
    let ready = if i.is_multiple_of(50) { "False" } else { "True" };
    let hash = if i.is_multiple_of(3) { OLD_HASH } else { HASH };
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "creationTimestamp": CREATED,
            "generateName": "node-agent-",
            "labels": {"app": "node-agent", "controller-revision-hash": hash, "pod-template-generation": "2"},
            "name": format!("node-agent-{i:06}"),
            "namespace": NAMESPACE,
            "ownerReferences": [owner()],
            "resourceVersion": format!("{}", 2_000_000 + i),
            "uid": uid(6, i),
        },
        "spec": pod_spec(&format!("node-{node:06}")),
        "status": {
            "conditions": pod_conditions(ready),
            "containerStatuses": [container_status("agent", ready == "True"), container_status("exporter", true)],
            "hostIP": address(node),
            "phase": "Running",
            "podIP": address(i),
            "qosClass": "Burstable",
            "startTime": CREATED,
        },
    })
}

fn pod_spec(node: &str) -> Value {
    let field = json!({"key": "metadata.name", "operator": "In", "values": [node]});
    let toleration = |key: &str, effect: &str| json!({"effect": effect, "key": format!("node.kubernetes.io/{key}"), "operator": "Exists"});
    json!({
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchFields": [field]}],
        }}},
        "containers": [container("agent"), container("exporter")],
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": true,
        "nodeName": node,
        "priority": 0,
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "serviceAccountName": "node-agent",
        "terminationGracePeriodSeconds": 30,
        "tolerations": [
            toleration("not-ready", "NoExecute"),
            toleration("unreachable", "NoExecute"),
            toleration("disk-pressure", "NoSchedule"),
            toleration("memory-pressure", "NoSchedule"),
            toleration("pid-pressure", "NoSchedule"),
            toleration("unschedulable", "NoSchedule"),
        ],
        "volumes": [{"configMap": {"defaultMode": 420, "name": "node-agent"}, "name": "config"}],
    })
}

fn pod_conditions(ready: &str) -> Value {
    let condition = |type_: &str, status: &str| json!({"lastProbeTime": null, "lastTransitionTime": CREATED, "status": status, "type": type_});
    json!([
        condition("PodReadyToStartContainers", "True"),
        condition("Initialized", "True"),
        condition("Ready", ready),
        condition("ContainersReady", ready),
        condition("PodScheduled", "True"),
    ])
}

fn container_status(name: &str, ready: bool) -> Value {
    json!({
        "containerID": format!("containerd://{:064x}", name.len()),
        "image": format!("registry.example/{name}:1.1.0"),
        "imageID": format!("registry.example/{name}@sha256:{:064x}", name.len()),
        "lastState": {},
        "name": name,
        "ready": ready,
        "restartCount": 0,
        "started": true,
        "state": {"running": {"startedAt": CREATED}},
    })
}
