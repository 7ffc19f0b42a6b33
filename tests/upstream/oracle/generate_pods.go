package main

import (
	"fmt"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	extensions "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// mood is what most pods of a state have in common.
type mood struct {
	missing float64 // chance of a node without pods
	current float64 // chance of a pod of the current version
	ready   float64 // chance of a ready pod
}

func (w *world) makePods() {
	m := mood{
		missing: pick(w.dice, 0, 0, 0, 0.1, 0.1, 0.4, 0.95),
		current: pick(w.dice, 0, 0, 0.3, 0.5, 0.8, 1),
		ready:   pick(w.dice, 0.4, 0.9, 1, 1),
	}
	for _, node := range w.state.Nodes {
		w.podsOn(node.Name, m)
	}
	for i := 0; w.chance(w.ghost); i++ {
		w.podsOn(fmt.Sprintf("gone-%d", i), mood{current: m.current, ready: m.ready})
	}
}

func (w *world) podsOn(node string, m mood) {
	if w.chance(m.missing) {
		return
	}
	count := 1
	if w.chance(w.double) {
		count = pick(w.dice, 2, 2, 2, 2, 3, 4)
	}
	if count == 2 && w.chance(0.6) { // a surge in progress
		old := w.pod(node, w.someVersion(0), w.chance(m.ready))
		old.CreationTimestamp = w.ago(7200)
		fresh := w.pod(node, w.current(), w.chance(0.5))
		fresh.CreationTimestamp = w.ago(40)
		return
	}
	failed := count > 1 && w.chance(w.oddPod)
	for range count {
		pod := w.pod(node, w.someVersion(m.current), w.chance(m.ready))
		if failed {
			pod.Status.Phase = v1.PodFailed
		}
	}
}

func (w *world) someVersion(current float64) version {
	if w.chance(current) {
		return w.current()
	}
	return pick(w.dice, w.versions...)
}

// pod adds a pod of the DaemonSet.
func (w *world) pod(node string, v version, ready bool) *v1.Pod {
	name := w.unused(setName + "-")
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID("uid-" + name),
			CreationTimestamp: w.ago(pick(w.dice, 60, 3600, 3600, 7200, w.between(1, 9999))),
			Labels: map[string]string{
				"app":                               "agent",
				apps.DefaultDaemonSetUniqueLabelKey: v.hash,
				extensions.DaemonSetTemplateGenerationKey: v.generation,
			},
			OwnerReferences: []metav1.OwnerReference{controllerRef(setName, setUID)},
		},
		Spec:   v1.PodSpec{Containers: []v1.Container{}, NodeName: node},
		Status: v1.PodStatus{Phase: v1.PodRunning},
	}
	if w.chance(0.3) {
		delete(pod.Labels, extensions.DaemonSetTemplateGenerationKey)
	}
	pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodReady, Status: v1.ConditionFalse, LastTransitionTime: w.ago(100)}}
	if ready {
		pod.Status.Conditions[0].Status = v1.ConditionTrue
		pod.Status.Conditions[0].LastTransitionTime = w.ago(pick(w.dice, 3600, 3600, w.boundary()))
	}
	w.oddHealth(pod)
	w.oddLabels(pod, v)
	w.oddBinding(pod)
	if w.chance(w.oddClaim) {
		w.oddOwner(pod)
	}
	w.state.Pods = append(w.state.Pods, pod)
	return pod
}

// boundary is a number of seconds about which availability changes.
func (w *world) boundary() int {
	return max(0, int(w.ds.Spec.MinReadySeconds)+w.between(-1, 1))
}

func (w *world) oddHealth(pod *v1.Pod) {
	d := w.dice
	if w.chance(w.oddPod * 2) {
		pod.Status.Phase = pick(d, v1.PodFailed, v1.PodFailed, v1.PodSucceeded, v1.PodUnknown, v1.PodPending, "")
	}
	if w.chance(w.oddPod * 2) {
		deleted := w.ago(pick(d, -30, 5, 3600))
		pod.DeletionTimestamp = &deleted
	}
	if w.chance(w.oddPod) {
		pod.Status.Conditions[0].LastTransitionTime = metav1.Time{}
	}
	if w.chance(w.oddPod) {
		condition := func(kind v1.PodConditionType) v1.PodCondition {
			return v1.PodCondition{Type: kind, LastTransitionTime: w.ago(w.boundary()),
				Status: pick(d, v1.ConditionTrue, v1.ConditionFalse, v1.ConditionUnknown, "true")}
		}
		pod.Status.Conditions = pick(d,
			nil,
			[]v1.PodCondition{condition(v1.PodReady), condition(v1.PodReady)},
			[]v1.PodCondition{condition(v1.PodScheduled), condition(v1.PodReady)},
			[]v1.PodCondition{condition(v1.ContainersReady)})
	}
}

func (w *world) oddLabels(pod *v1.Pod, v version) {
	if w.chance(w.oddPod) {
		pod.Labels[apps.DefaultDaemonSetUniqueLabelKey] = pick(w.dice, "", "hunknown", w.current().hash)
	}
	if w.chance(w.oddPod / 2) {
		delete(pod.Labels, apps.DefaultDaemonSetUniqueLabelKey)
	}
	if w.chance(w.oddPod) {
		pod.Labels[extensions.DaemonSetTemplateGenerationKey] = pick(w.dice, "0"+v.generation, "", "abc", w.current().generation, "-1")
	}
}

// oddBinding makes some pods wait for the scheduler, pinned to their node in
// one way or another.
func (w *world) oddBinding(pod *v1.Pod) {
	node := pod.Spec.NodeName
	if w.chance(w.oddPod * 2) {
		pod.Spec.Affinity = pinned(requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn, node))
		pod.Spec.NodeName = ""
		if w.chance(0.8) {
			pod.Status = v1.PodStatus{Phase: v1.PodPending}
		}
	}
	if !w.chance(w.oddPod) {
		return
	}
	name := metav1.ObjectNameField
	pod.Spec.Affinity = pick(w.dice,
		nil,
		&v1.Affinity{},
		&v1.Affinity{NodeAffinity: &v1.NodeAffinity{}},
		pinned(),
		pinned(requirement(name, v1.NodeSelectorOpIn, "")),
		pinned(requirement(name, v1.NodeSelectorOpIn)),
		pinned(requirement(name, v1.NodeSelectorOpIn, node, "node-0")),
		pinned(requirement(name, v1.NodeSelectorOpNotIn, node)),
		pinned(requirement(name, v1.NodeSelectorOpNotIn, "node-0"), requirement(name, v1.NodeSelectorOpIn, node)),
		pinned(requirement("metadata.uid", v1.NodeSelectorOpIn, "node-0"), requirement(name, v1.NodeSelectorOpIn, node)),
		pinned(requirement(name, v1.NodeSelectorOpIn, "node-0")))
	if w.chance(0.3) && pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil {
		if required := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
			first := v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{requirement("zone", v1.NodeSelectorOpIn, "a")}}
			required.NodeSelectorTerms = append([]v1.NodeSelectorTerm{first}, required.NodeSelectorTerms...)
		}
	}
	if w.chance(0.7) {
		pod.Spec.NodeName = ""
	}
}

// pinned is an affinity with one term of these fields, or with no term.
func pinned(fields ...v1.NodeSelectorRequirement) *v1.Affinity {
	required := &v1.NodeSelector{}
	if len(fields) > 0 {
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, v1.NodeSelectorTerm{MatchFields: fields})
	}
	return &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
}

// oddOwner changes who owns the pod, or whether it should be owned.
func (w *world) oddOwner(pod *v1.Pod) {
	own := &pod.OwnerReferences[0]
	no := false
	switch w.IntN(13) {
	case 0, 1:
		pod.OwnerReferences = nil
	case 2:
		*own = controllerRef("other", "uid-other")
	case 3:
		own.Name = "renamed"
	case 4:
		own.Kind = "ReplicaSet"
	case 5:
		own.Controller = pick(w.dice, nil, &no)
	case 6:
		own.UID = "uid-former"
	case 7:
		pod.Labels["app"] = "elsewhere"
	case 8:
		pod.Labels["canary"] = "yes"
	case 9:
		own.APIVersion = "extensions/v1beta1"
	case 10:
		own.Controller = nil
		pod.OwnerReferences = append(pod.OwnerReferences, controllerRef("other", "uid-other"))
	case 11:
		other := controllerRef("other", "uid-other")
		other.Controller = &no
		pod.OwnerReferences = []metav1.OwnerReference{other, *own}
	default:
		pod.Labels["app"] = "elsewhere"
		pod.OwnerReferences = nil
	}
}
