package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (w *world) makeNodes() {
	count := pick(w.dice, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8)
	if w.chance(0.03) {
		count = 0
	}
	if w.chance(w.crowd) {
		count = w.between(20, 30)
	}
	if w.chance(w.burst) {
		count = w.between(248, 320)
	}
	for i := range count {
		w.state.Nodes = append(w.state.Nodes, w.node(fmt.Sprintf("node-%d", i)))
	}
}

func (w *world) node(name string) *v1.Node {
	d := w.dice
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"zone": pick(d, "a", "a", "b")}}}
	if w.chance(0.3) {
		node.Labels["disk"] = pick(d, "ssd", "ssd", "hdd", "")
	}
	if w.chance(0.4) {
		node.Labels["cores"] = pick(d, "4", "8", "8", "16", "007", "+9", "-5", "9_0", "0x10", "abc", "", "9223372036854775808")
	}
	if w.chance(0.02) {
		node.Labels = nil
	}
	for w.chance(w.taint) {
		node.Spec.Taints = append(node.Spec.Taints, w.nodeTaint())
	}
	// The controller looks at neither of the next two.
	if w.chance(0.05) {
		node.Spec.Unschedulable = true
	}
	if w.chance(0.01) {
		deleted := w.ago(10)
		node.DeletionTimestamp = &deleted
	}
	return node
}

var (
	conditionTaints = []string{v1.TaintNodeNotReady, v1.TaintNodeUnreachable, v1.TaintNodeDiskPressure, v1.TaintNodeMemoryPressure,
		v1.TaintNodePIDPressure, v1.TaintNodeUnschedulable, v1.TaintNodeNetworkUnavailable, v1.TaintNodeOutOfService}
	taintValues = []string{"", "", "gpu", "950", "900", "-5", "0950", "high"}
)

func (w *world) nodeTaint() v1.Taint {
	d := w.dice
	effect := pick(d, v1.TaintEffectNoSchedule, v1.TaintEffectNoSchedule, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute,
		v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule)
	if w.chance(0.03) {
		effect = pick[v1.TaintEffect](d, "", "noschedule", "Never")
	}
	taint := v1.Taint{Key: pick(d, "dedicated", "dedicated", "level"), Value: pick(d, taintValues...), Effect: effect}
	if w.chance(0.5) {
		taint = v1.Taint{Key: pick(d, conditionTaints...), Effect: effect}
	}
	if w.chance(0.1) {
		added := w.ago(60)
		taint.TimeAdded = &added
	}
	return taint
}

// constrain limits where the pods of a template may run.
func (w *world) constrain(spec *v1.PodSpec) {
	d := w.dice
	if w.chance(w.constraint / 5) {
		spec.NodeName = pick(d, "node-0", "node-1", "node-9")
	}
	if w.chance(w.constraint) {
		spec.NodeSelector = pick(d,
			map[string]string{"zone": "a"},
			map[string]string{"zone": "a", "disk": "ssd"},
			map[string]string{"disk": ""},
			map[string]string{"zone": "nowhere"},
			map[string]string{"no key": "no value!"})
	}
	if w.chance(w.constraint) {
		spec.Affinity = w.affinity()
	}
	if w.chance(w.constraint / 2) {
		spec.HostNetwork = true
	}
	for w.chance(w.constraint * 1.5) {
		spec.Tolerations = append(spec.Tolerations, w.toleration())
	}
}

func (w *world) affinity() *v1.Affinity {
	if w.chance(0.05) {
		return pick(w.dice, &v1.Affinity{}, &v1.Affinity{NodeAffinity: &v1.NodeAffinity{}},
			&v1.Affinity{PodAntiAffinity: &v1.PodAntiAffinity{}})
	}
	required := &v1.NodeSelector{}
	affinity := &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	for range pick(w.dice, 0, 1, 1, 1, 1, 2, 2, 3) {
		var term v1.NodeSelectorTerm
		for range pick(w.dice, 0, 1, 1, 1, 2) {
			term.MatchExpressions = append(term.MatchExpressions, w.labelRequirement())
		}
		for w.chance(0.2) {
			term.MatchFields = append(term.MatchFields, w.fieldRequirement())
		}
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, term)
	}
	if w.chance(0.1) {
		affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []v1.PreferredSchedulingTerm{
			{Weight: 1, Preference: v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{w.labelRequirement()}}}}
	}
	return affinity
}

func requirement(key string, operator v1.NodeSelectorOperator, values ...string) v1.NodeSelectorRequirement {
	return v1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values}
}

func (w *world) labelRequirement() v1.NodeSelectorRequirement {
	d := w.dice
	if w.chance(0.2) { // those that do not parse
		return pick(d,
			requirement("zone", v1.NodeSelectorOpIn),
			requirement("zone", v1.NodeSelectorOpNotIn),
			requirement("zone", v1.NodeSelectorOpExists, "a"),
			requirement("zone", v1.NodeSelectorOpDoesNotExist, "a"),
			requirement("zone", "in", "a"),
			requirement("zone", ""),
			requirement("no key", v1.NodeSelectorOpExists),
			requirement("Prefix.io/zone", v1.NodeSelectorOpDoesNotExist),
			requirement("zone", v1.NodeSelectorOpNotIn, "no value!"),
			requirement("zone", v1.NodeSelectorOpIn, "a", "-b"),
			requirement("cores", v1.NodeSelectorOpGt, "4", "8"),
			requirement("cores", v1.NodeSelectorOpGt),
			requirement("cores", v1.NodeSelectorOpGt, "-5"),
			requirement("cores", v1.NodeSelectorOpLt, "abc"),
			requirement("cores", v1.NodeSelectorOpLt, "9223372036854775808"))
	}
	return pick(d,
		requirement("zone", v1.NodeSelectorOpIn, "a"),
		requirement("zone", v1.NodeSelectorOpIn, "b", "c"),
		requirement("zone", v1.NodeSelectorOpNotIn, "b"),
		requirement("disk", v1.NodeSelectorOpNotIn, "hdd", ""),
		requirement("disk", v1.NodeSelectorOpIn, ""),
		requirement("disk", v1.NodeSelectorOpExists),
		requirement("disk", v1.NodeSelectorOpDoesNotExist),
		requirement("example.com/zone", v1.NodeSelectorOpDoesNotExist),
		requirement("cores", v1.NodeSelectorOpGt, pick(d, "5", "005", "4", "7", "0")),
		requirement("cores", v1.NodeSelectorOpLt, pick(d, "8", "10", "16", "9223372036854775807")))
}

func (w *world) fieldRequirement() v1.NodeSelectorRequirement {
	d := w.dice
	return pick(d,
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn, pick(d, "node-0", "node-1", "node-9")),
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpNotIn, pick(d, "node-0", "node-1")),
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn, "node-0", "node-1"),
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpNotIn, "node-0", "node-1"),
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpExists),
		requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn),
		requirement("metadata.namespace", v1.NodeSelectorOpIn, pick(d, "", "node-0")),
		requirement("metadata.namespace", v1.NodeSelectorOpNotIn, pick(d, "", "node-0")))
}

func (w *world) toleration() v1.Toleration {
	d := w.dice
	toleration := v1.Toleration{
		Key:      pick(d, "dedicated", "dedicated", "level", v1.TaintNodeNotReady, v1.TaintNodeUnreachable, v1.TaintNodeNetworkUnavailable, ""),
		Operator: pick(d, v1.TolerationOpExists, v1.TolerationOpExists, v1.TolerationOpEqual, v1.TolerationOpEqual, ""),
		Effect:   pick(d, "", v1.TaintEffectNoSchedule, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule),
	}
	if toleration.Operator != v1.TolerationOpExists || w.chance(0.05) {
		toleration.Value = pick(d, taintValues...)
	}
	if w.chance(0.08) {
		toleration.Operator = pick[v1.TolerationOperator](d, "Gt", "Lt", "exists", "equal")
		toleration.Value = pick(d, "900", "", "950")
	}
	if w.chance(0.1) {
		seconds := int64(30)
		toleration.TolerationSeconds = &seconds
	}
	return toleration
}
