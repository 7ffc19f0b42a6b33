package main

import (
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
)

func TestFirstRevision(t *testing.T) {
	s := newScene()
	s.state.ControllerRevisions = nil
	history := s.play(t).History
	if !history.Create || history.Current != "web-"+history.Hash || strings.Trim(history.Hash, "456789bcdf") != "" {
		t.Errorf("%+v", history)
	}
}

func TestCurrentIsRenumbered(t *testing.T) {
	s := newScene()
	s.new.Revision = 1
	s.old.Revision = 2
	history := s.play(t).History
	expect(t, history.Renumber, &Renumber{"web-new", 1, 3})
	expect(t, history.Create, false)
}

func TestEqualRevisions(t *testing.T) {
	s := newScene()
	s.new.Revision = 3
	s.old.Revision = 4
	s.revision("web-twin", 5, "twin")
	s.pod("a", "n1")
	s.pod("b", "n1", old, deleting)
	s.pod("c", "n1", labelled(apps.DefaultDaemonSetUniqueLabelKey, "twin"))
	history := s.play(t).History
	expect(t, history.Current, "web-twin")
	expect(t, history.Hash, "twin")
	expect(t, history.Renumber, (*Renumber)(nil))
	expect(t, history.DeleteEqual, []string{"web-new"})
	expect(t, history.Delete.Always, []string{"web-new"})
	expect(t, history.RelabelledPods, []string{"a", "b"})
}

func TestEqualRevisionsOfTheSameNumber(t *testing.T) {
	s := newScene()
	s.revision("web-twin", 2, "twin")
	s.revision("web-lesser", 1, "lesser")
	history := s.play(t).History
	expect(t, history.CurrentEver, []string{"web-new", "web-twin"})
	expect(t, toldStep("-", history.Delete), " -web-lesser, 1 of web-new web-twin")
}

func TestMissingHashLabel(t *testing.T) {
	s := newScene()
	delete(s.new.Labels, apps.DefaultDaemonSetUniqueLabelKey)
	s.new.Revision = 1
	s.old.Revision = 4
	history := s.play(t).History
	expect(t, history.Labelled, []string{"web-new"})
	expect(t, history.Hash, "web-new")
	expect(t, history.Renumber, &Renumber{"web-new", 1, 5})
}

func TestRevisionWithoutLabels(t *testing.T) {
	s := newScene()
	s.ds.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "canary", Operator: metav1.LabelSelectorOpDoesNotExist}}}
	s.old.Labels = nil
	answer := s.play(t)
	expect(t, answer.Outcome, Panicked)
	expect(t, answer.FailedIn, inHistory)
}

func TestCleanup(t *testing.T) {
	s := newScene()
	s.new.Revision = 9
	one := int32(1)
	s.ds.Spec.RevisionHistoryLimit = &one
	for number, name := range []string{"web-2", "web-3", "web-4"} {
		s.revision(name, int64(number+2), name).Data = s.old.Data
	}
	s.pod("a", "n1", old, failed, deleting)
	expect(t, toldStep("-", s.play(t).History.Delete), " -web-2 web-3 web-4")
}

func TestCleanupOfEqualNumbers(t *testing.T) {
	s := newScene()
	one := int32(1)
	s.ds.Spec.RevisionHistoryLimit = &one
	s.revision("web-other", 1, "other").Data = s.old.Data
	expect(t, toldStep("-", s.play(t).History.Delete), " -1 of web-old web-other")
}

func TestNoCleanupAfterRolloutError(t *testing.T) {
	s := newScene()
	none := int32(0)
	s.ds.Spec.RevisionHistoryLimit = &none
	s.surge(number(1))
	s.nodes(1)
	s.pod("a", "n1")
	s.pod("b", "gone", old)
	answer := s.play(t)
	expect(t, answer.FailedIn, inRollout)
	expect(t, answer.History.Delete.Max, 0)
	expect(t, answer.Status.DesiredNumberScheduled, 1)
}

func TestNameTaken(t *testing.T) {
	for name, test := range map[string]struct {
		data    []byte
		outcome string
	}{
		"by the same template": {nil, Reconciled},
		"by another":           {[]byte(`{"spec":{}}`), Failed},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			s.state.ControllerRevisions = nil
			hash := kubecontroller.ComputeHash(&s.ds.Spec.Template, nil)
			taken := s.revision("web-"+hash, 7, hash)
			taken.Data.Raw = test.data
			taken.OwnerReferences = []metav1.OwnerReference{controllerRef("other", "other-uid")}
			answer := s.play(t)
			expect(t, answer.Outcome, test.outcome)
			expect(t, answer.History.NameTaken, true)
			expect(t, answer.History.Create, false)
		})
	}
}

// TestSpelling: the controller compares revisions byte by byte with what the API
// server stores, however a dump was written.
func TestSpelling(t *testing.T) {
	s := newScene()
	s.new.Data.Raw = []byte(`{ "spec" : {"template": {"spec":{"containers":null},
		"metadata":{"labels":{"app":"web"}}, "$patch":"replace"}} }`)
	expect(t, s.play(t).History.Create, false)

	s = newScene()
	s.new.Data.Raw = []byte(`{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null,"labels":{"app":"web"}},"spec":{"containers":null}}}}`)
	expect(t, s.play(t).History.Create, true)
}
