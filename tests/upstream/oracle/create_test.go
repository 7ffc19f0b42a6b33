package main

import (
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	extensions "k8s.io/api/extensions/v1beta1"
)

// created plays a scene with one empty node and returns the pod made for it.
func (s *scene) created(t *testing.T) *v1.Pod {
	t.Helper()
	s.node("n1")
	s.fillRevisions(t)
	oracle := newOracle()
	oracle.pods = true
	pod := oracle.answer(roundTrip(t, s.state), s.ds, sceneNow, 0).Pods["n1"]
	if pod == nil {
		t.Fatal("no pod was created")
	}
	return pod
}

func TestCreatedPod(t *testing.T) {
	s := newScene()
	s.ds.Annotations[apps.DeprecatedTemplateGeneration] = "007"
	s.ds.Spec.Template.Labels[apps.DefaultDaemonSetUniqueLabelKey] = "overwritten"
	s.ds.Spec.Template.Labels["tier"] = "node"
	s.ds.Spec.Template.Annotations = map[string]string{"note": "kept"}
	pod := s.created(t)
	expect(t, pod.GenerateName, "web-")
	expect(t, pod.Labels, map[string]string{"app": "web", "tier": "node",
		apps.DefaultDaemonSetUniqueLabelKey: "new", extensions.DaemonSetTemplateGenerationKey: "7"})
	expect(t, pod.Annotations, map[string]string{"note": "kept"})
	reference := controllerRef("web", "web-uid")
	expect(t, pod.OwnerReferences[0].UID, reference.UID)
	expect(t, *pod.OwnerReferences[0].BlockOwnerDeletion, true)
	expect(t, pod.Spec.Affinity, pinned(requirement("metadata.name", v1.NodeSelectorOpIn, "n1")))
}

func TestCreatedPodWithoutHashAndGeneration(t *testing.T) {
	s := newScene()
	s.ds.Annotations = nil
	s.new.Labels[apps.DefaultDaemonSetUniqueLabelKey] = ""
	expect(t, s.created(t).Labels, map[string]string{"app": "web"})
}

func TestCreatedPodTolerations(t *testing.T) {
	s := newScene()
	seconds := int64(300)
	given := v1.Toleration{Key: v1.TaintNodeNotReady, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute}
	limited := given
	limited.TolerationSeconds = &seconds
	own := v1.Toleration{Key: v1.TaintNodeUnreachable, Operator: v1.TolerationOpEqual, Effect: v1.TaintEffectNoExecute}
	s.ds.Spec.Template.Spec.Tolerations = []v1.Toleration{limited, own, given}
	exists := func(key string, effect v1.TaintEffect) v1.Toleration {
		return v1.Toleration{Key: key, Operator: v1.TolerationOpExists, Effect: effect}
	}
	expect(t, s.created(t).Spec.Tolerations, []v1.Toleration{
		given, own, given,
		exists("node.kubernetes.io/unreachable", v1.TaintEffectNoExecute),
		exists("node.kubernetes.io/disk-pressure", v1.TaintEffectNoSchedule),
		exists("node.kubernetes.io/memory-pressure", v1.TaintEffectNoSchedule),
		exists("node.kubernetes.io/pid-pressure", v1.TaintEffectNoSchedule),
		exists("node.kubernetes.io/unschedulable", v1.TaintEffectNoSchedule),
	})
}

func TestCreatedPodAffinity(t *testing.T) {
	s := newScene()
	preferred := []v1.PreferredSchedulingTerm{{Weight: 1, Preference: v1.NodeSelectorTerm{
		MatchExpressions: []v1.NodeSelectorRequirement{requirement("zone", v1.NodeSelectorOpExists)}}}}
	affinity := pinned(requirement("metadata.name", v1.NodeSelectorOpNotIn, "n2"))
	affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = preferred
	affinity.PodAntiAffinity = &v1.PodAntiAffinity{}
	s.ds.Spec.Template.Spec.Affinity = affinity
	s.ds.Spec.Template.Spec.NodeName = "n1"
	spec := s.created(t).Spec
	want := pinned(requirement("metadata.name", v1.NodeSelectorOpIn, "n1"))
	want.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = preferred
	want.PodAntiAffinity = &v1.PodAntiAffinity{}
	expect(t, spec.Affinity, want)
	expect(t, spec.NodeName, "n1")
}

// TestCreatedPodWithoutLabels: the controller does not even try.
func TestCreatedPodWithoutLabels(t *testing.T) {
	s := newScene()
	s.node("n1")
	s.ds.Annotations = nil
	s.ds.Spec.Template.Labels = nil
	s.new.Labels[apps.DefaultDaemonSetUniqueLabelKey] = ""
	answer := s.play(t)
	expect(t, answer.Outcome, Failed)
	expect(t, answer.FailedIn, inManage)
	expect(t, answer.Error, "unable to create pods, no labels")
	expect(t, answer.Manage.Create.Max, 0)
}
