package main

import (
	"math"
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var number = intstr.FromInt32

// TestDecisions shows the controller states whose outcome is known, from its
// documentation, its own tests or its code. If the oracle loses or distorts a
// decision on the way, this notices.
func TestDecisions(t *testing.T) {
	for name, test := range map[string]struct {
		build func(*scene)
		want  string
	}{
		"no nodes": {func(s *scene) {}, ""},
		"empty selector": {func(s *scene) {
			s.nodes(1)
			s.ds.Spec.Selector = &metav1.LabelSelector{}
		}, "SkippedEmptySelector"},
		"empty selector and deleting": {func(s *scene) {
			s.nodes(1)
			s.ds.Spec.Selector = &metav1.LabelSelector{}
			now := before(1)
			s.ds.DeletionTimestamp = &now
		}, "SkippedEmptySelector"},
		"deleting": {func(s *scene) {
			s.nodes(1)
			now := before(1)
			s.ds.DeletionTimestamp = &now
		}, "SkippedDeleting"},
		"generation not observed": {func(s *scene) { s.nodes(1); s.ds.Generation = 3 }, "AwaitingObservation; manage +n1"},
		"selector that does not parse": {func(s *scene) {
			s.nodes(1)
			s.ds.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "in"}}
		}, "Failed"},
		"no history limit": {func(s *scene) { s.nodes(1); s.ds.Spec.RevisionHistoryLimit = nil }, "Panicked; manage +n1"},

		// Claiming and mapping.
		"released pods leave their nodes empty": {func(s *scene) {
			s.nodes(5)
			s.pod("a", "n2")
			s.pod("b", "n3", young)
			s.pod("c", "n3")
			for i, node := range []string{"n4", "n4", "n4", "n5", "n5"} {
				s.pod("d"+string(rune('0'+i)), node)
			}
			s.pod("x", "n1", labelled("app", "else"))
			s.pod("y", "n2", labelled("app", "else"))
		}, "manage +n1 -b d1 d2 d4"},
		"orphan counts":             {func(s *scene) { s.nodes(1); s.pod("a", "n1", orphan) }, ""},
		"deleting orphan is none":   {func(s *scene) { s.nodes(1); s.pod("a", "n1", orphan, deleting) }, "manage +n1"},
		"another's pod is none":     {func(s *scene) { s.nodes(1); s.pod("a", "n1", foreign) }, "manage +n1"},
		"owned and deleting counts": {func(s *scene) { s.nodes(1); s.pod("a", "n1", deleting) }, ""},
		"reference without controller": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "n1").OwnerReferences[0].Controller = nil
		}, ""},
		"uid with another name is invisible": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "n1").OwnerReferences[0].Name = "former"
		}, "manage +n1"},
		"failed and deleting is gone": {func(s *scene) { s.nodes(1); s.pod("a", "n1", failed, deleting) }, "manage +n1"},
		"bound beats pinned": {func(s *scene) {
			s.nodes(2)
			s.pod("a", "n2", unbound).Spec.NodeName = "n1"
		}, "manage +n2"},
		"two names pin nowhere": {func(s *scene) {
			s.nodes(1)
			pod := s.pod("a", "n1", unbound)
			terms := &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
			(*terms)[0].MatchFields[0].Values = []string{"n1", "n2"}
			*terms = append(*terms, v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{
				requirement(metav1.ObjectNameField, v1.NodeSelectorOpIn, "n1")}})
		}, "manage +n1"},
		"second term pins": {func(s *scene) {
			s.nodes(1)
			pod := s.pod("a", "n1", unbound)
			terms := &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
			*terms = append([]v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{
				requirement("zone", v1.NodeSelectorOpExists)}}}, *terms...)
		}, ""},
		"unbound without affinity is invisible": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "", orphan)
		}, "manage +n1"},
		"pinned to the empty name": {func(s *scene) { s.nodes(1); s.pod("a", "", unbound) }, "manage +n1 -a"},

		// Placement.
		"untolerated NoSchedule": {func(s *scene) {
			s.node("n1", "dedicated=gpu:NoSchedule")
			s.node("n2", "dedicated=gpu:NoSchedule")
			s.pod("a", "n1")
		}, ""},
		"untolerated NoExecute": {func(s *scene) {
			s.node("n1", "dedicated=gpu:NoExecute")
			s.pod("a", "n1")
			s.pod("b", "n1", failed)
			s.pod("c", "n1", deleting)
		}, "manage -a b"},
		"node conditions": {func(s *scene) {
			s.node("n1", "node.kubernetes.io/not-ready:NoExecute")
			s.node("n2", "node.kubernetes.io/not-ready:NoExecute", "node.kubernetes.io/not-ready:NoSchedule")
			s.node("n3", "node.kubernetes.io/unschedulable:NoSchedule")
			s.node("n4", "node.kubernetes.io/network-unavailable:NoSchedule")
			s.node("n5", "anything:PreferNoSchedule")
		}, "manage +n1 n3 n5"},
		"host network": {func(s *scene) {
			s.node("n1", "node.kubernetes.io/network-unavailable:NoSchedule")
			s.ds.Spec.Template.Spec.HostNetwork = true
		}, "manage +n1"},
		"numeric toleration": {func(s *scene) {
			s.node("n1", "level=950:NoSchedule")
			s.ds.Spec.Template.Spec.Tolerations = []v1.Toleration{{Key: "level", Operator: "Gt", Value: "900"}}
		}, ""},
		"terms with and without errors": {func(s *scene) {
			for _, cores := range []string{"5", "007", "+9", "9_0", "abc"} {
				s.node("n" + cores).Labels["cores"] = cores
			}
			s.ds.Spec.Template.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{
					{},
					{MatchExpressions: []v1.NodeSelectorRequirement{requirement("cores", v1.NodeSelectorOpGt, "-5")}},
					{MatchExpressions: []v1.NodeSelectorRequirement{requirement("cores", v1.NodeSelectorOpGt, "005")}},
				}}}}
		}, "manage +n+9 n007"},

		// Manage.
		"deleting pod blocks":              {func(s *scene) { s.nodes(1); s.pod("a", "n1", deleting) }, ""},
		"deleting pod does not with surge": {func(s *scene) { s.nodes(1); s.surge(number(1)); s.pod("a", "n1", deleting) }, "manage +n1"},
		"one failed":                       {func(s *scene) { s.nodes(1); s.pod("a", "n1", failed) }, "manage -a"},
		"one failed and three live": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "n1", failed)
			s.pod("b", "n1")
			s.pod("c", "n1")
			s.pod("d", "n1")
		}, "manage -a c d"},
		"two failed": {func(s *scene) { s.nodes(1); s.pod("a", "n1", failed); s.pod("b", "n1", failed) }, "manage -1 of a b"},
		"failed, owned before adopted": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "n1", failed, orphan)
			s.pod("b", "n1", failed)
		}, "manage -b"},
		"failed with surge": {func(s *scene) { s.nodes(1); s.surge(number(1)); s.pod("a", "n1", failed) }, "manage +n1 -a"},
		"succeeded":         {func(s *scene) { s.nodes(1); s.pod("a", "n1", succeeded); s.pod("b", "n1", succeeded) }, "manage -a b"},
		"bound, then oldest, then by name": {func(s *scene) {
			s.nodes(2)
			s.pod("a", "n1", unbound)
			s.pod("b", "n1", young)
			s.pod("d", "n1")
			s.pod("c", "n1")
			s.pod("e", "n2", young)
			s.pod("f", "n2", unbound)
		}, "manage -a b d f"},
		"oldest stays though worse": {func(s *scene) {
			s.nodes(1)
			s.pod("a", "n1", old, unready)
			s.pod("b", "n1", young)
		}, "manage -b"},
		"not run but continue, surge": {func(s *scene) {
			s.node("n1", "dedicated=gpu:NoSchedule")
			s.surge(number(1))
			s.pod("a", "n1", deleting)
		}, ""},
		"surge keeps old while new is not ready": {func(s *scene) {
			s.nodes(1)
			s.surge(number(1))
			s.pod("a", "n1", old)
			s.pod("b", "n1", old, young)
			s.pod("c", "n1", unready)
		}, "manage -b"},
		"surge drops an old one that is not ready": {func(s *scene) {
			s.nodes(1)
			s.surge(number(1))
			s.pod("a", "n1", old, unready)
			s.pod("b", "n1", old, young)
			s.pod("c", "n1", unready)
		}, "manage -a b"},
		"surge waits for minReadySeconds": {func(s *scene) {
			s.nodes(2)
			s.surge(number(2))
			s.ds.Spec.MinReadySeconds = 15
			s.pod("a", "n1", old)
			s.pod("b", "n1", readyFor(14))
			s.pod("c", "n2", old)
			s.pod("d", "n2", readyFor(15))
		}, "manage -c; rollout -c"},
		"surge, two new": {func(s *scene) { s.nodes(1); s.surge(number(1)); s.pod("a", "n1"); s.pod("b", "n1", young) }, "manage -b"},
		"surge prunes by hash, rolls by generation": {func(s *scene) {
			s.nodes(1)
			s.surge(number(1))
			s.pod("a", "n1", old, generation("2"))
		}, ""},
		"unbound on a vanished node": {func(s *scene) {
			s.pod("a", "gone", unbound, pending)
			s.pod("b", "gone", unbound, pending, deleting)
			s.pod("c", "gone")
		}, "manage -a b"},

		// Revisions.
		"hash or generation": {func(s *scene) {
			s.nodes(3)
			s.unavailable(number(3))
			s.pod("a", "n1", old, generation("2"))
			s.pod("b", "n2", generation("1"))
			s.pod("c", "n3", old, generation("02"))
		}, "rollout -c"},
		"generation is compared as text": {func(s *scene) {
			s.nodes(2)
			s.unavailable(number(2))
			s.ds.Annotations[apps.DeprecatedTemplateGeneration] = "007"
			s.pod("a", "n1", old, generation("7"))
			s.pod("b", "n2", old, generation("007"))
		}, "rollout -b"},
		"generation that is no number": {func(s *scene) {
			s.nodes(1)
			s.ds.Annotations[apps.DeprecatedTemplateGeneration] = "abc"
			s.pod("a", "n1", old, generation("abc"))
		}, "rollout -a"},
		"empty hash": {func(s *scene) {
			s.nodes(1)
			s.surge(number(1))
			s.new.Labels[apps.DefaultDaemonSetUniqueLabelKey] = ""
			s.pod("a", "n1", old)
			delete(s.pod("b", "n1").Labels, apps.DefaultDaemonSetUniqueLabelKey)
		}, "manage -a"},

		// Rollout without surge.
		"within the budget":     {func(s *scene) { s.nodes(5); s.unavailable(number(2)); s.podPerNode(5, old) }, "rollout -2 of p1 p2 p3 p4 p5"},
		"unavailable beyond it": {func(s *scene) { s.nodes(5); s.unavailable(number(3)); s.podPerNode(5, old, unready) }, "rollout -p1 p2 p3 p4 p5"},
		"all unavailable and some": {func(s *scene) {
			s.nodes(3)
			s.unavailable(number(2))
			s.podPerNode(2, old)
			s.pod("z", "n3", old, unready)
		}, "rollout -z, 1 of p1 p2"},
		"adopted ones are candidates too": {func(s *scene) { s.nodes(2); s.pod("a", "n1", old); s.pod("b", "n2", old, orphan) }, "rollout -1 of a b"},
		"percent is rounded up":           {func(s *scene) { s.nodes(5); s.unavailable(intstr.FromString("25%")); s.podPerNode(5, old) }, "rollout -2 of p1 p2 p3 p4 p5"},
		"both zero":                       {func(s *scene) { s.nodes(2); s.unavailable(number(0)); s.podPerNode(2, old) }, "rollout -1 of p1 p2"},
		"both zero, no node wanted":       {func(s *scene) { s.node("n1", "a:NoSchedule"); s.unavailable(number(0)); s.podPerNode(1, old) }, ""},
		"stuck deletion":                  {func(s *scene) { s.nodes(5); s.podPerNode(4, old); s.pod("z", "n5", old, deleting) }, ""},
		"stuck deletion, budget two":      {func(s *scene) { s.nodes(3); s.unavailable(number(2)); s.podPerNode(2, old); s.pod("z", "n3", deleting) }, "rollout -1 of p1 p2"},
		"two live pods on a node": {func(s *scene) {
			s.nodes(2)
			s.podPerNode(2, old)
			s.pod("z", "n1", old, young)
		}, "manage -z"},
		"node that only continues": {func(s *scene) { s.node("n1", "a:NoSchedule"); s.node("n2"); s.podPerNode(2, old) }, "rollout -1 of p1 p2"},
		"OnDelete": {func(s *scene) {
			s.nodes(3)
			s.podPerNode(3, old)
			s.ds.Spec.UpdateStrategy = apps.DaemonSetUpdateStrategy{Type: apps.OnDeleteDaemonSetStrategyType}
		}, "rollout -1 of p1 p2 p3"},
		"unknown strategy": {func(s *scene) {
			s.nodes(1)
			s.podPerNode(1, old)
			s.ds.Spec.UpdateStrategy = apps.DaemonSetUpdateStrategy{Type: "Recreate"}
		}, ""},
		"budget beyond memory":              {func(s *scene) { s.nodes(1); s.podPerNode(1, old); s.unavailable(number(math.MaxInt32)) }, "Panicked"},
		"vanished node, available":          {func(s *scene) { s.nodes(1); s.pod("a", "n1"); s.pod("b", "gone", old) }, "rollout -b"},
		"vanished node, not available":      {func(s *scene) { s.nodes(2); s.podPerNode(2, unready); s.pod("b", "gone", old, unready) }, "rollout -b"},
		"vanished node, deleting":           {func(s *scene) { s.nodes(1); s.pod("a", "n1", old); s.pod("b", "gone", old, deleting) }, ""},
		"failed but Ready, budget used up":  {func(s *scene) { s.nodes(2); s.pod("a", "n1", unready); s.pod("b", "n2", failed, old, ready) }, "manage -b"},
		"malformed maxUnavailable":          {func(s *scene) { s.nodes(1); s.podPerNode(1, old); s.unavailable(intstr.FromString("x")) }, "Failed; rollout error"},
		"malformed maxUnavailable, surge 1": {func(s *scene) { s.nodes(1); s.podPerNode(1, old); s.surge(number(1)); bad(s) }, "Failed; rollout error"},

		// Rollout with surge.
		"surge within the budget":   {func(s *scene) { s.nodes(5); s.surge(number(2)); s.podPerNode(5, old) }, "rollout +2 of n1 n2 n3 n4 n5"},
		"surge beyond it":           {func(s *scene) { s.nodes(5); s.surge(number(3)); s.podPerNode(5, old, unready) }, "rollout +n1 n2 n3 n4 n5"},
		"surge of half, rounded up": {func(s *scene) { s.nodes(3); s.surge(intstr.FromString("50%")); s.podPerNode(3, old) }, "rollout +2 of n1 n2 n3"},
		"surge in use":              {func(s *scene) { s.nodes(2); s.surge(number(1)); s.podPerNode(2, old); s.pod("z", "n1", unready, young) }, ""},
		"surge, sunset node": {func(s *scene) {
			s.nodes(4)
			s.node("n5", "a:NoSchedule")
			s.surge(number(1))
			s.podPerNode(5, old)
		}, "rollout +1 of n1 n2 n3 n4 -p5"},
		"surge, sunset node still needed": {func(s *scene) {
			s.nodes(2)
			s.node("n3", "a:NoSchedule")
			s.surge(number(1))
			s.pod("p1", "n1", old)
			s.pod("p2", "n2", old, unready)
			s.pod("p3", "n3", old)
		}, "rollout +n1 n2"},
		"surge, sunset node not available": {func(s *scene) { s.node("n1", "a:NoSchedule"); s.surge(number(1)); s.podPerNode(1, old, unready) }, "rollout -p1"},
		"surge, vanished node":             {func(s *scene) { s.nodes(1); s.surge(number(1)); s.podPerNode(1, old); s.pod("b", "gone", old) }, "Failed; rollout error"},
		"surge, new pod on a vanished node": {func(s *scene) {
			s.nodes(1)
			s.node("n2", "a:NoSchedule")
			s.surge(number(1))
			s.pod("a", "n1")
			s.pod("b", "n2", old)
			s.pod("c", "gone")
		}, "rollout -b"},
		"surge by number, no node wanted":  {func(s *scene) { s.node("n1", "a:NoSchedule"); s.surge(number(1)); s.podPerNode(1, old) }, "rollout -p1"},
		"surge by percent, no node wanted": {func(s *scene) { s.node("n1", "a:NoSchedule"); s.surge(intstr.FromString("50%")); s.podPerNode(1, old) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			test.build(s)
			if got := told(s.play(t)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func ready(pod *v1.Pod) { pod.Status.Conditions[0].Status = v1.ConditionTrue }

func bad(s *scene) {
	malformed := intstr.FromString("x")
	s.ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &malformed
}

func TestBurst(t *testing.T) {
	s := newScene()
	s.nodes(300)
	create := s.play(t).Manage.Create
	if create.Min != 250 || create.Max != 250 || len(create.Always) != 0 || len(create.Ever) != 300 || !create.Exact {
		t.Errorf("%d to %d creates, %d always, %d ever, exact %t", create.Min, create.Max, len(create.Always), len(create.Ever), create.Exact)
	}
}

func TestClaims(t *testing.T) {
	s := newScene()
	s.pod("a", "n1", orphan)
	s.pod("b", "n1", labelled("app", "else"), deleting)
	s.pod("c", "n1")
	s.old.OwnerReferences = nil
	s.new.Labels["app"] = "else"
	answer := s.play(t)
	expect(t, answer.Claims, Claims{Adopt: []string{"a"}, Release: []string{"b"}})
	expect(t, answer.History.Claims, Claims{Adopt: []string{"web-old"}, Release: []string{"web-new"}})
}

func TestStatus(t *testing.T) {
	s := newScene()
	s.nodes(5)
	s.node("n6", "a:NoSchedule")
	s.ds.Spec.MinReadySeconds = 30
	s.pod("a", "n1", old)
	s.pod("b", "n1", young)
	s.pod("c", "n2", unbound, pending)
	s.pod("d", "n3", deleting, readyFor(30))
	s.pod("e", "n4", readyFor(29))
	s.pod("f", "n6")
	expect(t, s.play(t).Status, &Status{
		DesiredNumberScheduled: 5, CurrentNumberScheduled: 4, NumberMisscheduled: 1,
		NumberReady: 3, UpdatedNumberScheduled: 3, NumberAvailable: 2, NumberUnavailable: 3,
	})
}

func TestRolloutNumbers(t *testing.T) {
	s := newScene()
	s.nodes(10)
	s.unavailable(intstr.FromString("33%"))
	rollout := s.play(t).Rollout
	expect(t, [3]int{rollout.MaxUnavailable, rollout.MaxSurge, rollout.Desired}, [3]int{4, 0, 10})
}
