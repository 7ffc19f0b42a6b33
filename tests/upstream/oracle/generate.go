package main

import (
	"bufio"
	"time"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Case is a generated state with the controller's answer.
type Case struct {
	Seed      int64     `json:"seed"`
	Profile   string    `json:"profile"`
	State     *State    `json:"state"`
	Now       time.Time `json:"now"`
	DaemonSet Name      `json:"daemonSet"`
	Answer    Answer    `json:"answer"`
}

func generateCases(out *bufio.Writer, seed int64, count int, p profile) error {
	oracle := newOracle()
	for i := range int64(count) {
		if err := writeLine(out, newCase(oracle, seed+i, p)); err != nil {
			return err
		}
	}
	return nil
}

func newCase(o *oracle, seed int64, p profile) Case {
	w := newWorld(seed, p)
	return Case{
		Seed: seed, Profile: p.name, State: w.state, Now: w.now,
		DaemonSet: Name{w.ds.Namespace, w.ds.Name},
		Answer:    o.answer(w.state, w.ds, w.now, 0),
	}
}

// world is a random state in the making: a DaemonSet, usually in the middle of a
// rollout, with its nodes, revisions and pods, and others around it.
type world struct {
	dice
	profile
	now      time.Time
	state    *State
	ds       *apps.DaemonSet
	versions []version
	names    map[string]bool
}

// version is a template that the DaemonSet has, or had. The last one is current.
type version struct {
	image      string
	hash       string
	generation string
}

const (
	namespace = "kube-system"
	setName   = "agent"
	setUID    = "uid-agent"
)

func newWorld(seed int64, p profile) *world {
	w := &world{
		dice: newDice(seed), profile: p, state: &State{}, names: map[string]bool{},
		now: time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC),
	}
	if w.chance(0.02) {
		w.now = w.now.Add(500 * time.Millisecond)
	}
	w.makeVersions()
	w.makeDaemonSet()
	w.makeNodes()
	w.makeRevisions()
	w.makePods()
	w.makeNoise()
	return w
}

// ago is a time before now. Kubernetes keeps whole seconds.
func (w *world) ago(seconds int) metav1.Time {
	return metav1.NewTime(w.now.Truncate(time.Second).Add(-time.Duration(seconds) * time.Second))
}

// unused gives a name that is new to the state.
func (w *world) unused(prefix string) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	for {
		name := prefix + string([]byte{letters[w.IntN(len(letters))], letters[w.IntN(len(letters))], letters[w.IntN(len(letters))]})
		if !w.names[name] {
			w.names[name] = true
			return name
		}
	}
}

// makeNoise adds what has no part in the decisions.
func (w *world) makeNoise() {
	if !w.chance(0.1) {
		return
	}
	other := w.ds.DeepCopy()
	other.Name, other.UID = "other", "uid-other"
	other.DeletionTimestamp = nil
	w.state.DaemonSets = append(w.state.DaemonSets, other)
	elsewhere := w.ds.DeepCopy()
	elsewhere.Namespace, elsewhere.UID = "elsewhere", "uid-elsewhere"
	w.state.DaemonSets = append(w.state.DaemonSets, elsewhere)
	for _, pod := range w.state.Pods {
		if !w.chance(0.3) {
			continue
		}
		stranger := pod.DeepCopy()
		stranger.UID += "-stranger"
		if w.chance(0.5) {
			stranger.Namespace = "elsewhere"
		} else {
			stranger.Name = w.unused("other-")
			stranger.OwnerReferences = []metav1.OwnerReference{controllerRef("other", "uid-other")}
		}
		w.state.Pods = append(w.state.Pods, stranger)
	}
	for _, revision := range w.state.ControllerRevisions {
		if w.chance(0.3) {
			stranger := revision.DeepCopy()
			stranger.Namespace = "elsewhere"
			w.state.ControllerRevisions = append(w.state.ControllerRevisions, stranger)
		}
	}
}

func controllerRef(name, uid string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: "apps/v1", Kind: "DaemonSet", Name: name, UID: types.UID(uid),
		Controller: &yes, BlockOwnerDeletion: &yes,
	}
}
