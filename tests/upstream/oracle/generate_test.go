package main

import (
	"bufio"
	"encoding/json"
	"io"
	"reflect"
	"testing"

	apps "k8s.io/api/apps/v1"
)

func expect[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func roundTrip(t *testing.T, s *State) *State {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read := &State{}
	if err := json.Unmarshal(data, read); err != nil {
		t.Fatal(err)
	}
	return read
}

// settled is an answer without what may differ from time to time.
func settled(t *testing.T, answer Answer) string {
	t.Helper()
	settle := func(step *Step) {
		step.Runs = 0
		if !step.Exact {
			step.Always, step.Ever = nil, nil
		}
	}
	if answer.Manage != nil {
		settle(&answer.Manage.Create)
		settle(&answer.Manage.Delete)
	}
	if answer.Rollout != nil {
		settle(&answer.Rollout.Create)
		settle(&answer.Rollout.Delete)
		if answer.Rollout.Error != "" { // may name another node
			answer.Rollout.Error, answer.Error = "yes", ""
		}
	}
	if answer.History != nil {
		settle(&answer.History.Delete)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCasesStandAlone: the printed state says all that the answer depends on, a
// case depends on nothing but its seed, and a used controller is as good as a
// new one.
func TestCasesStandAlone(t *testing.T) {
	used := newOracle()
	for name, profile := range profiles {
		count := int64(150)
		if name == "burst" {
			count = 5
		}
		for seed := range count {
			made := newCase(used, seed, profile)
			state := roundTrip(t, made.State)
			again := newOracle().answer(state, state.daemonSet(made.DaemonSet), made.Now, 0)
			if got, want := settled(t, again), settled(t, made.Answer); got != want {
				t.Errorf("%s %d:\nread back %s\ngenerated %s", name, seed, got, want)
			}
			if got, want := encoded(t, newWorld(seed, profile).state), encoded(t, made.State); got != want {
				t.Errorf("%s %d: another state the second time", name, seed)
			}
		}
	}
}

// TestStepsMakeUpTheSync: the whole sync does what manage does by itself and, if
// that is nothing, what the rolling-update step does.
func TestStepsMakeUpTheSync(t *testing.T) {
	o := newOracle()
	for name, profile := range profiles {
		if name == "burst" {
			continue
		}
		for seed := range int64(500) {
			made := newCase(o, seed, profile)
			ds := made.State.daemonSet(made.DaemonSet)
			if made.Answer.Manage == nil || made.Answer.Outcome == Panicked {
				continue
			}
			o.controller.load(made.State, ds, made.Now)
			_ = o.controller.sync(ds)
			written := o.controller.client.take()

			actions := *made.Answer.Manage
			if actions.Create.Max+actions.Delete.Max == 0 {
				actions = Actions{}
				if ds.Spec.UpdateStrategy.Type == apps.RollingUpdateDaemonSetStrategyType {
					actions = made.Answer.Rollout.Actions
				}
			}
			if !within(written.createdPods, actions.Create) || !within(written.deletedPods, actions.Delete) {
				t.Errorf("%s %d: the sync creates %v and deletes %v, the steps say %+v", name, seed, written.createdPods, written.deletedPods, actions)
			}
		}
	}
}

// within says whether a run could have been one of those of a step.
func within(names []string, step Step) bool {
	for _, name := range names {
		if !contains(step.Ever, name) && step.Exact {
			return false
		}
	}
	for _, name := range step.Always {
		if !contains(names, name) && step.Exact {
			return false
		}
	}
	return len(names) >= step.Min && len(names) <= step.Max
}

func encoded(t *testing.T, s *State) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func BenchmarkMixed(b *testing.B) {
	if err := generateCases(bufio.NewWriter(io.Discard), 1, b.N, profiles["mixed"]); err != nil {
		b.Fatal(err)
	}
}
