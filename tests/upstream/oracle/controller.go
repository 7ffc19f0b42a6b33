package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	testingclock "k8s.io/utils/clock/testing"
)

// controller is the DaemonSet controller with everything around it.
type controller struct {
	dsc     *daemon.DaemonSetsController
	ctx     context.Context
	client  *client
	clock   *testingclock.FakeClock
	backoff *flowcontrol.Backoff

	nodes, pods, daemonSets, revisions *store
}

// The controller manager's own limits, cmd/kube-controller-manager/app/apps.go.
const (
	initialBackoff = 1 * time.Second
	maxBackoff     = 15 * time.Minute
)

func newController() *controller {
	// The controller reports through its logs and the error handlers what the
	// oracle reads from the answer.
	klog.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = nil

	c := &controller{
		ctx:        klog.NewContext(context.Background(), logr.Discard()),
		clock:      testingclock.NewFakeClock(time.Time{}),
		nodes:      newStore(),
		pods:       newStore(),
		daemonSets: newStore(),
		revisions:  newStore(),
	}
	c.client = &client{daemonSets: c.daemonSets, pods: c.pods, revisions: c.revisions}
	c.backoff = flowcontrol.NewFakeBackOff(initialBackoff, maxBackoff, c.clock)
	dsc, err := daemon.NewDaemonSetsController(c.ctx, daemonSetInformer{c.daemonSets}, revisionInformer{c.revisions},
		podInformer{c.pods}, nodeInformer{c.nodes}, c.client, c.backoff)
	if err != nil {
		panic(err)
	}
	c.dsc = dsc
	return c
}

// load makes the state the content of the controller's caches, with ds in place
// of the DaemonSet of that name, and sets the clock.
func (c *controller) load(s *State, ds *apps.DaemonSet, now time.Time) {
	fill(c.nodes, s.Nodes)
	fill(c.pods, s.Pods)
	fill(c.revisions, s.ControllerRevisions)
	fill(c.daemonSets, []*apps.DaemonSet{ds})
	c.clock.SetTime(now)
	c.forget(ds)
}

// forget makes the controller as good as a new one: no expectations, no
// recorded writes, no back-off, and nothing noted by the client. Starting a new
// one for each run would cost more than all runs together.
func (c *controller) forget(ds *apps.DaemonSet) {
	c.daemonSets.deleted(ds)
	now := c.clock.Now()
	c.clock.SetTime(now.Add(365 * 24 * time.Hour)) // every back-off is long over
	c.backoff.GC()
	c.clock.SetTime(now)
	c.client.take()
}

func (c *controller) nodeList() []*v1.Node { return objects[*v1.Node](c.nodes) }

func (c *controller) sync(ds *apps.DaemonSet) error {
	return protect(func() error { return syncDaemonSet(c.dsc, c.ctx, ds.Namespace+"/"+ds.Name) })
}

// currentRevision returns the revision that a sync works with.
func (c *controller) currentRevision(ds *apps.DaemonSet) (current *apps.ControllerRevision, err error) {
	err = protect(func() (err error) {
		current, _, err = constructHistory(c.dsc, c.ctx, ds)
		return err
	})
	return current, err
}

func (c *controller) manage(ds *apps.DaemonSet, hash string) error {
	return protect(func() error { return manage(c.dsc, c.ctx, ds, c.nodeList(), hash) })
}

func (c *controller) rollingUpdate(ds *apps.DaemonSet, hash string) error {
	return protect(func() error { return rollingUpdate(c.dsc, c.ctx, ds, c.nodeList(), hash) })
}

// counts resolves the update strategy. It does not depend on the pods.
func (c *controller) counts(ds *apps.DaemonSet) (maxSurge, maxUnavailable, desired int, err error) {
	return updatedDesiredNodeCounts(c.dsc, c.ctx, ds, c.nodeList(), map[string][]*v1.Pod{})
}

// A panicError is what the controller panicked with.
type panicError struct{ value any }

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

func protect(run func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicError{value}
		}
	}()
	return run()
}
