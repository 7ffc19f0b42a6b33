package main

import (
	"fmt"
	"strconv"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// makeVersions invents the templates that the DaemonSet had. Their hashes hold
// letters that the controller's own never do, so that none can be equal to the
// one of a revision yet to be made.
func (w *world) makeVersions() {
	count := pick(w.dice, 1, 2, 2, 2, 3, 3, 4, 5)
	for i := range count {
		w.versions = append(w.versions, version{
			image:      fmt.Sprintf("agent:v%d", i+1),
			hash:       w.unused("h"),
			generation: strconv.Itoa(i + 1),
		})
	}
}

func (w *world) current() version { return w.versions[len(w.versions)-1] }

func (w *world) makeDaemonSet() {
	d := w.dice
	limit := pick(d, int32(10), 10, 10, 2, 1, 0)
	generation := int64(len(w.versions)) + int64(w.IntN(2))
	w.ds = &apps.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: setName, UID: setUID,
			Generation:  generation,
			Annotations: map[string]string{apps.DeprecatedTemplateGeneration: w.current().generation},
		},
		Spec: apps.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
			Template: v1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}},
				Spec:       v1.PodSpec{Containers: []v1.Container{{Name: "agent", Image: w.current().image}}},
			},
			MinReadySeconds:      pick(d, int32(0), 0, 0, 10, 30),
			RevisionHistoryLimit: &limit,
		},
		Status: apps.DaemonSetStatus{ObservedGeneration: generation},
	}
	ds := w.ds
	if w.chance(0.2) {
		ds.Spec.Template.Labels["tier"] = "node"
	}
	if w.chance(w.oddSet) {
		ds.Spec.Template.Labels = nil
	}
	if w.chance(0.1) {
		ds.Spec.Template.Annotations = map[string]string{"note": "a <b> & c"}
	}
	if w.chance(0.04) {
		ds.Status.ObservedGeneration = generation - int64(w.between(1, 2))
	}
	if w.chance(w.oddSet) {
		ds.Status.ObservedGeneration = 0
	}
	if w.chance(w.oddSet) {
		deleted := w.ago(5)
		ds.DeletionTimestamp = &deleted
	}
	if w.chance(w.oddSet) {
		delete(ds.Annotations, apps.DeprecatedTemplateGeneration)
		ds.Annotations["other"] = "annotation"
	}
	if w.chance(w.oddSet * 2) {
		ds.Annotations[apps.DeprecatedTemplateGeneration] = pick(d, "abc", "00"+w.current().generation, "+"+w.current().generation, "", "-1", "9223372036854775808")
	}
	if w.chance(w.oddSet) {
		ds.Spec.RevisionHistoryLimit = nil
	}
	if w.chance(w.oddSet) {
		count := int32(w.IntN(3))
		ds.Status.CollisionCount = &count
	}
	ds.Spec.UpdateStrategy = w.strategy()
	if w.chance(w.oddSelector) {
		ds.Spec.Selector = w.selector()
	}
	w.constrain(&ds.Spec.Template.Spec)
	w.state.DaemonSets = append(w.state.DaemonSets, ds)
}

func (w *world) strategy() apps.DaemonSetUpdateStrategy {
	d := w.dice
	number := func(n int) *intstr.IntOrString { value := intstr.FromInt32(int32(n)); return &value }
	text := func(s string) *intstr.IntOrString { value := intstr.FromString(s); return &value }
	some := func() *intstr.IntOrString {
		return pick(d, number(1), number(1), number(2), number(3), text("10%"), text("25%"), text("34%"), text("50%"), text("100%"))
	}
	odd := func() *intstr.IntOrString {
		return pick(d, nil, number(0), text("0%"), text("abc"), text("5"), text("%"), text("-10%"), number(-1), text("150%"), text("2.5%"), text("007%"), number(1000))
	}

	strategy := apps.DaemonSetUpdateStrategy{Type: apps.RollingUpdateDaemonSetStrategyType}
	switch {
	case w.chance(w.onDelete):
		strategy.Type = apps.OnDeleteDaemonSetStrategyType
		if w.chance(0.1) {
			strategy.RollingUpdate = &apps.RollingUpdateDaemonSet{MaxUnavailable: some(), MaxSurge: some()}
		}
	case w.chance(w.oddStrategy):
		strategy.Type = pick(d, apps.RollingUpdateDaemonSetStrategyType, apps.RollingUpdateDaemonSetStrategyType,
			apps.RollingUpdateDaemonSetStrategyType, "Recreate", "")
		if w.chance(0.9) {
			strategy.RollingUpdate = &apps.RollingUpdateDaemonSet{
				MaxUnavailable: pick(d, odd(), odd(), some()),
				MaxSurge:       pick(d, odd(), odd(), some(), nil),
			}
		}
	case w.chance(w.surge):
		strategy.RollingUpdate = &apps.RollingUpdateDaemonSet{MaxUnavailable: pick(d, number(0), number(0), text("0%")), MaxSurge: some()}
	default:
		strategy.RollingUpdate = &apps.RollingUpdateDaemonSet{MaxUnavailable: some(), MaxSurge: pick(d, nil, number(0), number(0), text("0%"))}
	}
	return strategy
}

// selector is anything but the plain one; most of them match the template.
func (w *world) selector() *metav1.LabelSelector {
	d := w.dice
	requirement := func(key string, operator metav1.LabelSelectorOperator, values ...string) metav1.LabelSelectorRequirement {
		return metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: values}
	}
	good := func() metav1.LabelSelectorRequirement {
		return pick(d,
			requirement("app", metav1.LabelSelectorOpIn, "agent", "other"),
			requirement("app", metav1.LabelSelectorOpExists),
			requirement("app", metav1.LabelSelectorOpNotIn, "other"),
			requirement("canary", metav1.LabelSelectorOpNotIn, "yes"),
			requirement("canary", metav1.LabelSelectorOpDoesNotExist))
	}
	bad := func() metav1.LabelSelectorRequirement {
		return pick(d,
			requirement("app", metav1.LabelSelectorOpIn),
			requirement("app", metav1.LabelSelectorOpNotIn),
			requirement("app", metav1.LabelSelectorOpExists, "agent"),
			requirement("app", metav1.LabelSelectorOpDoesNotExist, "agent"),
			requirement("app", "in", "agent"),
			requirement("app", "Gt", "1"),
			requirement("no key", metav1.LabelSelectorOpExists),
			requirement("app", metav1.LabelSelectorOpIn, "no value!"))
	}
	switch w.IntN(12) {
	case 0:
		return nil
	case 1:
		return &metav1.LabelSelector{}
	case 2:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{bad()}}
	case 3:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}, MatchExpressions: []metav1.LabelSelectorRequirement{good(), bad()}}
	case 4:
		return &metav1.LabelSelector{MatchLabels: map[string]string{pick(d, "no key", "app"): pick(d, "agent", "no value!")}}
	case 5:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "elsewhere"}}
	case 6, 7, 8:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}, MatchExpressions: []metav1.LabelSelectorRequirement{good()}}
	default:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{good(), good()}}
	}
}
