// Package nodes plays the nodes of a cluster and their kubelets: it registers
// nodes, renews their leases, says of the pods bound to them what a kubelet would
// say, and lets deleted ones go. No container runs.
//
// What becomes of a pod is said by the end of its images, as in "app:2-bad", or by
// the annotation "cluster.test/behavior" of the pod:
//
//	ready     runs and is ready at once; any other ending is the same
//	slow      is ready after 5 seconds; slow60 after 60
//	never     runs and is never ready
//	bad       its image cannot be pulled
//	crash     exits with an error before it is ready, again and again, with growing pauses
//	failed    its pod has failed
//	stubborn  is ready at once, and takes all its grace to end
//
// A silent kubelet renews no lease, says nothing of its pods and lets none go. Its
// node is marked by the controller manager after the grace period. A kubelet that
// speaks puts right what the controller manager has marked, and leaves alone what
// somebody else says of its node.
package nodes

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Nodes are the nodes that are played, by one client and two watches for all.
type Nodes struct {
	client        kubernetes.Interface
	leaseInterval time.Duration
	objects       cache.SharedIndexInformer // of the nodes
	pods          cache.SharedIndexInformer
	queue         workqueue.TypedRateLimitingInterface[string]

	mutex    sync.Mutex
	kubelets map[string]*kubelet // by node
	numAdded int
	numPods  int
}

// kubelet is the one of a node.
type kubelet struct {
	number int // in the order of their making, from 1
	silent bool
}

// Start begins to play, with no nodes yet, until the context ends. Every lease is
// renewed once in the interval.
func Start(ctx context.Context, client kubernetes.Interface, leaseInterval time.Duration) (*Nodes, error) {
	n := &Nodes{
		client:        client,
		leaseInterval: leaseInterval,
		queue:         workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		kubelets:      map[string]*kubelet{},
	}
	if err := n.watch(ctx); err != nil {
		return nil, err
	}
	for range numWorkers {
		go n.work(ctx)
	}
	context.AfterFunc(ctx, n.queue.ShutDown)
	go n.beat(ctx)
	return n, nil
}

// Add registers nodes with these labels beside the usual ones. Nodes without
// names get some: the next count of node-0001, node-0002 and so on. It returns
// their names.
func (n *Nodes) Add(ctx context.Context, count int, names []string, labels map[string]string) ([]string, error) {
	names, kubelets, err := n.reserve(count, names)
	if err != nil {
		return nil, err
	}
	err = n.forEach(ctx, names, func(ctx context.Context, name string) error {
		node := newNode(name, kubelets[name].number, labels)
		node, err := n.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		return n.createLease(ctx, node)
	})
	return names, err
}

// reserve makes kubelets for nodes of new names.
func (n *Nodes) reserve(count int, names []string) ([]string, map[string]*kubelet, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for number := n.numAdded + 1; len(names) < count; number++ {
		names = append(names, fmt.Sprintf("node-%04d", number))
	}
	reserved := map[string]*kubelet{}
	for _, name := range names {
		if n.kubelets[name] != nil || reserved[name] != nil {
			return nil, nil, fmt.Errorf("node %q exists", name)
		}
		n.numAdded++
		reserved[name] = &kubelet{number: n.numAdded}
	}
	for name, kubelet := range reserved {
		n.kubelets[name] = kubelet
	}
	return names, reserved, nil
}

// Remove takes nodes away, kubelet, lease and object. Their pods stay behind.
func (n *Nodes) Remove(ctx context.Context, names []string) error {
	if err := n.change(names, func(name string, _ *kubelet) { delete(n.kubelets, name) }); err != nil {
		return err
	}
	return n.forEach(ctx, names, func(ctx context.Context, name string) error {
		err := n.client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) { // somebody was faster
			return nil
		}
		return err
	})
}

// Silence makes kubelets silent.
func (n *Nodes) Silence(names []string) error {
	return n.change(names, func(_ string, kubelet *kubelet) { kubelet.silent = true })
}

// Revive lets silent kubelets speak again.
func (n *Nodes) Revive(ctx context.Context, names []string) error {
	if err := n.change(names, func(_ string, kubelet *kubelet) { kubelet.silent = false }); err != nil {
		return err
	}
	err := n.forEach(ctx, names, func(ctx context.Context, name string) error {
		if err := n.renewLease(ctx, name); err != nil {
			return err
		}
		return n.reportReady(ctx, name)
	})
	for _, name := range names {
		n.enqueueAll(name)
	}
	return err
}

func (n *Nodes) change(names []string, change func(name string, kubelet *kubelet)) error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, name := range names {
		if n.kubelets[name] == nil {
			return fmt.Errorf("there is no node %q", name)
		}
	}
	for _, name := range names {
		change(name, n.kubelets[name])
	}
	return nil
}

// speaking returns the number of a node whose kubelet is there and not silent.
func (n *Nodes) speaking(name string) (number int, ok bool) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	kubelet := n.kubelets[name]
	if kubelet == nil || kubelet.silent {
		return 0, false
	}
	return kubelet.number, true
}

const numWorkers = 8

// forEach works on several nodes at a time; it returns one of the errors.
func (n *Nodes) forEach(ctx context.Context, names []string, work func(ctx context.Context, name string) error) error {
	errors := make([]error, len(names))
	workqueue.ParallelizeUntil(ctx, numWorkers, len(names), func(i int) { errors[i] = work(ctx, names[i]) })
	for i, err := range errors {
		if err != nil {
			return fmt.Errorf("node %q: %w", names[i], err)
		}
	}
	return ctx.Err()
}
