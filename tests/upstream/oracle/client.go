package main

import (
	"bytes"
	"context"
	"sync"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientset "k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
)

// writes is what the controller asked the API server to do.
type writes struct {
	createdPods, deletedPods, relabelledPods []string // created ones by their node
	newPods                                  map[string]*v1.Pod
	adoptedPods, releasedPods                []string
	adoptedRevisions, releasedRevisions      []string
	createdRevisions, updatedRevisions       []*apps.ControllerRevision
	deletedRevisions                         []string
	takenRevision                            bool // a name for a new revision existed already
	status                                   *apps.DaemonSetStatus
}

// client is an API server that agrees to everything and notes it. It answers
// from the state, which never changes: a sync sees its own writes no sooner than
// the controller's caches would.
//
// As in store, the embedded interfaces are nil on purpose.
type client struct {
	clientset.Interface
	mutex sync.Mutex // creates and deletes of pods come concurrently
	writes
	daemonSets *store
	pods       *store
	revisions  *store
}

// take returns the writes since the last call.
func (c *client) take() writes {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	taken := c.writes
	c.writes = writes{}
	return taken
}

func (c *client) note(add func(*writes)) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	add(&c.writes)
}

func (c *client) AppsV1() appsclient.AppsV1Interface { return appsGroup{client: c} }
func (c *client) CoreV1() coreclient.CoreV1Interface { return coreGroup{client: c} }

type appsGroup struct {
	appsclient.AppsV1Interface
	client *client
}

func (g appsGroup) DaemonSets(namespace string) appsclient.DaemonSetInterface {
	return daemonSetClient{client: g.client, namespace: namespace}
}

func (g appsGroup) ControllerRevisions(namespace string) appsclient.ControllerRevisionInterface {
	return revisionClient{client: g.client, namespace: namespace}
}

type coreGroup struct {
	coreclient.CoreV1Interface
	client *client
}

func (g coreGroup) Pods(namespace string) coreclient.PodInterface {
	return podClient{client: g.client, namespace: namespace}
}

type podClient struct {
	coreclient.PodInterface
	client    *client
	namespace string
}

func (p podClient) Create(_ context.Context, pod *v1.Pod, _ metav1.CreateOptions) (*v1.Pod, error) {
	// The controller pins every pod it creates to its node by this one field.
	terms := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	node := terms[0].MatchFields[0].Values[0]
	p.client.note(func(w *writes) {
		w.createdPods = append(w.createdPods, node)
		if w.newPods == nil {
			w.newPods = map[string]*v1.Pod{}
		}
		w.newPods[node] = pod
	})
	return pod, nil
}

func (p podClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	p.client.note(func(w *writes) { w.deletedPods = append(w.deletedPods, name) })
	return nil
}

func (p podClient) Patch(_ context.Context, name string, kind types.PatchType, patch []byte, _ metav1.PatchOptions, _ ...string) (*v1.Pod, error) {
	p.client.note(func(w *writes) {
		switch {
		case kind == types.MergePatchType:
			w.relabelledPods = append(w.relabelledPods, name)
		case isRelease(patch):
			w.releasedPods = append(w.releasedPods, name)
		default:
			w.adoptedPods = append(w.adoptedPods, name)
		}
	})
	return find[*v1.Pod](p.client.pods, "pods", p.namespace, name)
}

// isRelease tells the two claiming patches apart: one removes an owner
// reference, the other adds one.
func isRelease(patch []byte) bool {
	return bytes.Contains(patch, []byte(`"$patch":"delete"`))
}

type daemonSetClient struct {
	appsclient.DaemonSetInterface
	client    *client
	namespace string
}

func (d daemonSetClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*apps.DaemonSet, error) {
	found, err := find[*apps.DaemonSet](d.client.daemonSets, "daemonsets", d.namespace, name)
	if err != nil {
		return nil, err
	}
	return found.DeepCopy(), nil
}

func (d daemonSetClient) UpdateStatus(_ context.Context, ds *apps.DaemonSet, _ metav1.UpdateOptions) (*apps.DaemonSet, error) {
	// A new collision count is also written through here, with the numbers
	// left as they were.
	if ds.Status.DesiredNumberScheduled != unreported {
		d.client.note(func(w *writes) { w.status = &ds.Status })
	}
	return ds, nil
}

type revisionClient struct {
	appsclient.ControllerRevisionInterface
	client    *client
	namespace string
}

func (r revisionClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*apps.ControllerRevision, error) {
	return find[*apps.ControllerRevision](r.client.revisions, "controllerrevisions", r.namespace, name)
}

func (r revisionClient) Create(_ context.Context, revision *apps.ControllerRevision, _ metav1.CreateOptions) (*apps.ControllerRevision, error) {
	if _, exists, _ := r.client.revisions.GetByKey(r.namespace + "/" + revision.Name); exists {
		r.client.note(func(w *writes) { w.takenRevision = true })
		return nil, apierrors.NewAlreadyExists(apps.Resource("controllerrevisions"), revision.Name)
	}
	r.client.note(func(w *writes) { w.createdRevisions = append(w.createdRevisions, revision) })
	return revision, nil
}

func (r revisionClient) Update(_ context.Context, revision *apps.ControllerRevision, _ metav1.UpdateOptions) (*apps.ControllerRevision, error) {
	r.client.note(func(w *writes) { w.updatedRevisions = append(w.updatedRevisions, revision) })
	return revision, nil
}

func (r revisionClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	r.client.note(func(w *writes) { w.deletedRevisions = append(w.deletedRevisions, name) })
	return nil
}

func (r revisionClient) Patch(_ context.Context, name string, _ types.PatchType, patch []byte, _ metav1.PatchOptions, _ ...string) (*apps.ControllerRevision, error) {
	r.client.note(func(w *writes) {
		if isRelease(patch) {
			w.releasedRevisions = append(w.releasedRevisions, name)
		} else {
			w.adoptedRevisions = append(w.adoptedRevisions, name)
		}
	})
	return find[*apps.ControllerRevision](r.client.revisions, "controllerrevisions", r.namespace, name)
}

func find[T any](s *store, resource, namespace, name string) (T, error) {
	object, exists, _ := s.GetByKey(namespace + "/" + name)
	if !exists {
		var none T
		return none, apierrors.NewNotFound(apps.Resource(resource), name)
	}
	return object.(T), nil
}
