package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	extensions "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// scene builds the small states of the tests: a DaemonSet "web" with template
// generation 2, whose revision "new" is the second, after "old".
type scene struct {
	state    *State
	ds       *apps.DaemonSet
	old, new *apps.ControllerRevision
}

var sceneNow = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func before(seconds int) metav1.Time {
	return metav1.NewTime(sceneNow.Add(-time.Duration(seconds) * time.Second))
}

func newScene() *scene {
	limit := int32(10)
	s := &scene{state: &State{}}
	s.ds = &apps.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web", UID: "web-uid", Generation: 2,
			Annotations: map[string]string{apps.DeprecatedTemplateGeneration: "2"},
		},
		Spec: apps.DaemonSetSpec{
			Selector:             &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template:             v1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}}},
			RevisionHistoryLimit: &limit,
		},
		Status: apps.DaemonSetStatus{ObservedGeneration: 2},
	}
	s.unavailable(intstr.FromInt32(1))
	s.state.DaemonSets = []*apps.DaemonSet{s.ds}
	s.old = s.revision("web-old", 1, "old")
	s.old.Data.Raw = []byte(`{"spec":{"template":{"$patch":"replace"}}}`)
	s.new = s.revision("web-new", 2, "new")
	return s
}

// revision adds one; without data of its own it gets the template's when the
// scene is played.
func (s *scene) revision(name string, number int64, hash string) *apps.ControllerRevision {
	revision := &apps.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name),
			Labels:          map[string]string{"app": "web", apps.DefaultDaemonSetUniqueLabelKey: hash},
			OwnerReferences: []metav1.OwnerReference{controllerRef("web", "web-uid")},
		},
		Revision: number,
	}
	s.state.ControllerRevisions = append(s.state.ControllerRevisions, revision)
	return revision
}

func (s *scene) unavailable(n intstr.IntOrString) {
	s.ds.Spec.UpdateStrategy = apps.DaemonSetUpdateStrategy{
		Type: apps.RollingUpdateDaemonSetStrategyType, RollingUpdate: &apps.RollingUpdateDaemonSet{MaxUnavailable: &n}}
}

func (s *scene) surge(n intstr.IntOrString) {
	zero := intstr.FromInt32(0)
	s.ds.Spec.UpdateStrategy = apps.DaemonSetUpdateStrategy{
		Type: apps.RollingUpdateDaemonSetStrategyType, RollingUpdate: &apps.RollingUpdateDaemonSet{MaxUnavailable: &zero, MaxSurge: &n}}
}

func (s *scene) nodes(count int) {
	for i := range count {
		s.node(fmt.Sprintf("n%d", i+1))
	}
}

// node adds a node with taints like "dedicated=gpu:NoSchedule".
func (s *scene) node(name string, taints ...string) *v1.Node {
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	for _, taint := range taints {
		rest, effect, _ := strings.Cut(taint, ":")
		key, value, _ := strings.Cut(rest, "=")
		node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: key, Value: value, Effect: v1.TaintEffect(effect)})
	}
	s.state.Nodes = append(s.state.Nodes, node)
	return node
}

type trait func(*v1.Pod)

// pod adds a pod that is bound, of the current revision and long available,
// unless the traits say otherwise.
func (s *scene) pod(name, node string, traits ...trait) *v1.Pod {
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name), CreationTimestamp: before(1000),
			Labels:          map[string]string{"app": "web", apps.DefaultDaemonSetUniqueLabelKey: "new"},
			OwnerReferences: []metav1.OwnerReference{controllerRef("web", "web-uid")},
		},
		Spec: v1.PodSpec{NodeName: node},
		Status: v1.PodStatus{Phase: v1.PodRunning, Conditions: []v1.PodCondition{
			{Type: v1.PodReady, Status: v1.ConditionTrue, LastTransitionTime: before(900)}}},
	}
	for _, set := range traits {
		set(pod)
	}
	s.state.Pods = append(s.state.Pods, pod)
	return pod
}

// podPerNode adds a pod to each of the first nodes.
func (s *scene) podPerNode(count int, traits ...trait) {
	for i := range count {
		s.pod(fmt.Sprintf("p%d", i+1), fmt.Sprintf("n%d", i+1), traits...)
	}
}

func old(pod *v1.Pod)       { pod.Labels[apps.DefaultDaemonSetUniqueLabelKey] = "old" }
func unready(pod *v1.Pod)   { pod.Status.Conditions[0].Status = v1.ConditionFalse }
func failed(pod *v1.Pod)    { pod.Status.Phase = v1.PodFailed; unready(pod) }
func succeeded(pod *v1.Pod) { pod.Status.Phase = v1.PodSucceeded; unready(pod) }
func deleting(pod *v1.Pod)  { now := before(1); pod.DeletionTimestamp = &now }
func orphan(pod *v1.Pod)    { pod.OwnerReferences = nil }
func pending(pod *v1.Pod)   { pod.Status = v1.PodStatus{Phase: v1.PodPending} }
func young(pod *v1.Pod)     { pod.CreationTimestamp = before(10) }
func foreign(pod *v1.Pod) {
	pod.OwnerReferences = []metav1.OwnerReference{controllerRef("other", "other-uid")}
}

func readyFor(seconds int) trait {
	return func(pod *v1.Pod) { pod.Status.Conditions[0].LastTransitionTime = before(seconds) }
}

func labelled(key, value string) trait {
	return func(pod *v1.Pod) { pod.Labels[key] = value }
}

func generation(value string) trait {
	return labelled(extensions.DaemonSetTemplateGenerationKey, value)
}

// unbound pins the pod to its node instead of binding it.
func unbound(pod *v1.Pod) {
	pod.Spec.Affinity = pinned(requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn, pod.Spec.NodeName))
	pod.Spec.NodeName = ""
}

// fillRevisions gives the revisions without data that of the template.
func (s *scene) fillRevisions(t *testing.T) {
	t.Helper()
	for _, revision := range s.state.ControllerRevisions {
		if revision.Data.Raw == nil {
			data, err := getPatch(s.ds)
			if err != nil {
				t.Fatal(err)
			}
			revision.Data = runtime.RawExtension{Raw: data}
		}
	}
}

// play asks the oracle, about the state as it would come from outside.
func (s *scene) play(t *testing.T) Answer {
	t.Helper()
	s.fillRevisions(t)
	return newOracle().answer(roundTrip(t, s.state), s.ds, sceneNow, 0)
}

// told puts the decisions of an answer into one line, like
//
//	manage +n1 -p1; rollout -p2, 1 of p3 p4
//
// with + for creates and - for deletes, and without the steps that do nothing.
func told(answer Answer) string {
	var parts []string
	if answer.Outcome != Reconciled {
		parts = append(parts, answer.Outcome)
	}
	if answer.Manage != nil {
		parts = append(parts, toldActions("manage", *answer.Manage)...)
	}
	if answer.Rollout != nil {
		if answer.Rollout.Error != "" {
			parts = append(parts, "rollout error")
		}
		parts = append(parts, toldActions("rollout", answer.Rollout.Actions)...)
	}
	return strings.Join(parts, "; ")
}

func toldActions(step string, actions Actions) []string {
	creates, deletes := toldStep("+", actions.Create), toldStep("-", actions.Delete)
	if creates+deletes == "" {
		return nil
	}
	return []string{step + creates + deletes}
}

func toldStep(sign string, step Step) string {
	if step.Max == 0 {
		return ""
	}
	var choice []string
	for _, name := range step.Ever {
		if !contains(step.Always, name) {
			choice = append(choice, name)
		}
	}
	text := strings.Join(step.Always, " ")
	if len(choice) > 0 {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d of %s", step.Max-len(step.Always), strings.Join(choice, " "))
	}
	if step.Min != step.Max {
		text += fmt.Sprintf(" (%d to %d)", step.Min, step.Max)
	}
	if !step.Exact {
		text += " (inexact)"
	}
	return " " + sign + text
}
