package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/daemon/util"
)

// unreported is put in place of a number of the reported status: the controller
// leaves a status alone that is as it should be, and we want to see it written.
const unreported = -1

// largestBudget is the largest maxUnavailable or maxSurge that the oracle lets the
// controller try. It reserves a slice of that length as soon as there is one
// candidate; where there is no memory for that, Go ends the process.
const largestBudget = 10_000_000

// oracle answers questions, one after the other.
type oracle struct {
	controller *controller
	random     *rand.Rand
	// pods: show whole pods, not only where they are created.
	pods bool
}

func newOracle() *oracle {
	return &oracle{controller: newController(), random: rand.New(rand.NewPCG(1, 2))}
}

// answer tells what a sync of the DaemonSet does. Limit bounds the runs of a
// step; 0 stands for the default.
func (o *oracle) answer(s *State, ds *apps.DaemonSet, now time.Time, limit int) Answer {
	if limit <= 0 {
		limit = defaultRuns
	}
	c := o.controller
	seen := *ds
	seen.Status.DesiredNumberScheduled = unreported
	ds = &seen
	c.load(s, ds, now)

	answer := Answer{Nodes: placements(ds, s.Nodes), Claims: Claims{Adopt: []string{}, Release: []string{}}}
	if maxSurge, maxUnavailable, _, _ := c.counts(ds); max(maxSurge, maxUnavailable) > largestBudget {
		answer.Outcome, answer.FailedIn = Panicked, inRollout
		answer.Error = fmt.Sprintf("the controller would reserve memory for %d names", max(maxSurge, maxUnavailable))
		return answer
	}
	err := c.sync(ds)
	written := c.client.take()
	answer.Claims = Claims{Adopt: distinct(written.adoptedPods), Release: distinct(written.releasedPods)}
	answer.Status = statusOf(written.status)
	if o.pods {
		answer.Pods = written.newPods
	}
	answer.Outcome, answer.FailedIn = outcome(ds, err, written.status != nil)
	if err != nil {
		answer.Error = err.Error()
	}
	if answer.Outcome == SkippedDeleting || answer.Outcome == SkippedEmptySelector {
		return answer
	}

	c.forget(ds)
	current, historyErr := c.currentRevision(ds)
	if answer.Outcome == Panicked {
		answer.FailedIn = inCleanup
		if historyErr != nil {
			answer.FailedIn = inHistory
		}
	}
	answer.History = o.history(ds, current, written, limit)
	if historyErr == nil {
		hash := current.Labels[apps.DefaultDaemonSetUniqueLabelKey]
		answer.Manage = o.manage(s, ds, hash, limit)
		answer.Rollout = o.rollout(s, ds, hash, limit, len(answer.Claims.Adopt) > 0)
	}
	if answer.Outcome == Panicked {
		o.controller = newController() // who knows what it left locked
	}
	return answer
}

func outcome(ds *apps.DaemonSet, err error, statusWritten bool) (outcome, failedIn string) {
	if panicked := (panicError{}); errors.As(err, &panicked) {
		return Panicked, ""
	}
	if err != nil {
		return Failed, part(err)
	}
	if !statusWritten {
		// Both reasons to leave are told apart by the state only.
		if reflect.DeepEqual(ds.Spec.Selector, &metav1.LabelSelector{}) {
			return SkippedEmptySelector, ""
		}
		return SkippedDeleting, ""
	}
	if ds.Status.ObservedGeneration < ds.Generation {
		return AwaitingObservation, ""
	}
	return Reconciled, ""
}

// part finds out by the controller's wording where an error comes from.
func part(err error) string {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "failed to construct revisions"):
		return inHistory
	case strings.HasPrefix(text, "failed to clean up revisions"):
		return inCleanup
	case strings.HasPrefix(text, "couldn't get unavailable numbers"), strings.HasPrefix(text, "couldn't get node for nodeName"):
		return inRollout
	default:
		return inManage
	}
}

func placements(ds *apps.DaemonSet, nodes []*v1.Node) map[string]Placement {
	tolerations := daemonPodTolerations(ds)
	affinity := nodeaffinity.NewRequiredNodeAffinity(ds.Spec.Template.Spec.NodeSelector, ds.Spec.Template.Spec.Affinity)
	placements := make(map[string]Placement, len(nodes))
	for _, node := range nodes {
		run, continueRunning := nodeShouldRunDaemonPod(klog.Background(), node, ds, tolerations, affinity)
		placements[node.Name] = Placement{run, continueRunning}
	}
	return placements
}

func (o *oracle) manage(s *State, ds *apps.DaemonSet, hash string, limit int) *Actions {
	// Only two things in manage depend on the order of the lists: which one of
	// several failed pods on a node goes, and which writes are cut off.
	failed := failedPods(s, ds.Namespace)
	creates, deletes := newTally(failed), newTally(failed)
	open := failed > 1 || len(s.Nodes) > daemon.BurstReplicas || len(s.Pods) > daemon.BurstReplicas
	sample(open, limit, []*tally{creates, deletes}, func() bool {
		written, err := o.run(ds, func() error { return o.controller.manage(ds, hash) })
		creates.add(written.createdPods)
		deletes.add(written.deletedPods)
		return err == nil
	})
	return &Actions{creates.step(open), deletes.step(open)}
}

func (o *oracle) rollout(s *State, ds *apps.DaemonSet, hash string, limit int, adopts bool) *Rollout {
	switch ds.Spec.UpdateStrategy.Type {
	case apps.RollingUpdateDaemonSetStrategyType:
	case apps.OnDeleteDaemonSetStrategyType:
		rolling := *ds
		// Both limits at zero become maxUnavailable 1 if any node is wanted, and stay zero if none is.
		zero := intstr.FromInt32(0)
		rolling.Spec.UpdateStrategy = apps.DaemonSetUpdateStrategy{
			Type:          apps.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &apps.RollingUpdateDaemonSet{MaxUnavailable: &zero},
		}
		ds = &rolling
	default:
		return nil
	}

	rollout := &Rollout{}
	group := unevenness(s, ds.Namespace, adopts)
	creates, deletes := newTally(group), newTally(group)
	sample(true, limit, []*tally{creates, deletes}, func() bool {
		written, err := o.run(ds, func() error { return o.controller.rollingUpdate(ds, hash) })
		creates.add(written.createdPods)
		deletes.add(written.deletedPods)
		if err != nil {
			rollout.Error = err.Error()
		}
		return err == nil
	})
	rollout.Actions = Actions{creates.step(rollout.Error == ""), deletes.step(rollout.Error == "")}
	if maxSurge, maxUnavailable, desired, err := o.controller.counts(ds); err == nil {
		rollout.MaxSurge, rollout.MaxUnavailable, rollout.Desired = maxSurge, maxUnavailable, desired
	}
	return rollout
}

// run makes one run of a step, with a fresh controller and all lists in a new
// random order.
func (o *oracle) run(ds *apps.DaemonSet, step func() error) (writes, error) {
	c := o.controller
	c.forget(ds)
	for _, store := range []*store{c.nodes, c.pods, c.revisions} {
		store.shuffle(o.random)
	}
	err := step()
	return c.client.take(), err
}

// unevenness is how much the chances of nodes in the rolling-update step differ,
// as the size of a group in the sense of newTally. The step walks a map of nodes.
// Go walks a small one in the order in which it was filled, but from a random one
// of its eight slots; and the controller fills it with the pods it owns before
// those it adopts, so that a node can come first as seldom as once in eight runs.
// A node with several pods is likely to be filled in before one with a single pod.
func unevenness(s *State, namespace string, adopts bool) int {
	if adopts {
		return 8
	}
	nodes := map[string]bool{}
	for _, pod := range s.Pods {
		if pod.Namespace != namespace {
			continue
		}
		node, err := util.GetTargetNodeName(pod)
		if err == nil && nodes[node] {
			return 3
		}
		nodes[node] = true
	}
	return 0
}

func failedPods(s *State, namespace string) int {
	count := 0
	for _, pod := range s.Pods {
		if pod.Namespace == namespace && pod.Status.Phase == v1.PodFailed {
			count++
		}
	}
	return count
}

func statusOf(status *apps.DaemonSetStatus) *Status {
	if status == nil {
		return nil
	}
	return &Status{
		DesiredNumberScheduled: status.DesiredNumberScheduled,
		CurrentNumberScheduled: status.CurrentNumberScheduled,
		NumberMisscheduled:     status.NumberMisscheduled,
		NumberReady:            status.NumberReady,
		UpdatedNumberScheduled: status.UpdatedNumberScheduled,
		NumberAvailable:        status.NumberAvailable,
		NumberUnavailable:      status.NumberUnavailable,
	}
}

// distinct sorts names and drops the doubles: each phase of a sync claims anew.
func distinct(names []string) []string {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	sorted := slices.Sorted(maps.Keys(set))
	if sorted == nil {
		sorted = []string{}
	}
	return sorted
}
