package nodes

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// byNode is the index of the pods by their node.
const byNode = "node"

// ending is how long a pod takes to end, if its grace allows.
const ending = time.Second

// watch begins to watch the nodes, and all pods that are bound to one.
func (n *Nodes) watch(ctx context.Context) error {
	n.objects = informers.NewSharedInformerFactory(n.client, 0).Core().V1().Nodes().Informer()
	bound := func(options *metav1.ListOptions) {
		options.FieldSelector = fields.OneTermNotEqualSelector("spec.nodeName", "").String()
	}
	factory := informers.NewSharedInformerFactoryWithOptions(n.client, 0, informers.WithTweakListOptions(bound))
	n.pods = factory.Core().V1().Pods().Informer()
	err := n.pods.AddIndexers(cache.Indexers{byNode: func(object any) ([]string, error) {
		return []string{object.(*v1.Pod).Spec.NodeName}, nil
	}})
	if err != nil {
		return err
	}
	_, err = n.pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    n.enqueue,
		UpdateFunc: func(_, object any) { n.enqueue(object) },
	})
	if err != nil {
		return err
	}
	go n.objects.RunWithContext(ctx)
	go n.pods.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), n.objects.HasSynced, n.pods.HasSynced) {
		return errors.New("the nodes and pods cannot be listed")
	}
	return nil
}

func (n *Nodes) enqueue(object any) {
	if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
		n.queue.Add(key)
	}
}

// enqueueAll looks at all pods of a node again.
func (n *Nodes) enqueueAll(node string) {
	pods, err := n.pods.GetIndexer().ByIndex(byNode, node)
	if err != nil {
		panic(err) // the index exists
	}
	for _, pod := range pods {
		n.enqueue(pod)
	}
}

func (n *Nodes) work(ctx context.Context) {
	for {
		key, shutdown := n.queue.Get()
		if shutdown {
			return
		}
		next, err := n.sync(ctx, key)
		switch {
		case err != nil:
			n.queue.AddRateLimited(key) // a conflict, or the API server is down
		case next > 0:
			n.queue.Forget(key)
			n.queue.AddAfter(key, next)
		default:
			n.queue.Forget(key)
		}
		n.queue.Done(key)
	}
}

// sync does for one pod what its kubelet would, and returns when there is more to
// do for it; 0 is never.
func (n *Nodes) sync(ctx context.Context, key string) (time.Duration, error) {
	object, exists, err := n.pods.GetIndexer().GetByKey(key)
	if err != nil || !exists {
		return 0, err
	}
	pod := object.(*v1.Pod)
	number, ok := n.speaking(pod.Spec.NodeName)
	switch {
	case !ok:
		return 0, nil
	case pod.DeletionTimestamp != nil:
		return n.end(ctx, pod)
	case pod.Status.Phase == v1.PodFailed || pod.Status.Phase == v1.PodSucceeded:
		return 0, nil
	}
	status, next := podStatus(pod, n.placeOf(pod, number), time.Now())
	if apiequality.Semantic.DeepEqual(pod.Status, status) {
		return next, nil
	}
	updated := pod.DeepCopy()
	updated.Status = status
	_, err = n.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, updated, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		return 0, nil
	}
	return next, err
}

// end lets a deleted pod go when its containers have ended.
func (n *Nodes) end(ctx context.Context, pod *v1.Pod) (time.Duration, error) {
	if remaining := time.Until(endOf(pod)); remaining > 0 {
		return remaining, nil
	}
	options := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0)), Preconditions: metav1.NewUIDPreconditions(string(pod.UID))}
	err := n.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, options)
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // gone, perhaps with another in its place
		return 0, nil
	}
	return 0, err
}

// endOf returns when the containers of a deleted pod have ended.
func endOf(pod *v1.Pod) time.Time {
	deadline := pod.DeletionTimestamp.Time // with all the grace
	for _, container := range pod.Spec.Containers {
		if behaviorOf(pod, container) == stubborn {
			return deadline
		}
	}
	grace := time.Duration(ptr.Deref(pod.DeletionGracePeriodSeconds, 0)) * time.Second
	return deadline.Add(-grace + min(grace, ending))
}

// placeOf returns the addresses of a pod, which keeps the one it has.
func (n *Nodes) placeOf(pod *v1.Pod, number int) place {
	at := place{hostIP: nodeIP(number), podIP: pod.Status.PodIP}
	if pod.Spec.HostNetwork {
		at.podIP = at.hostIP
	}
	if at.podIP == "" {
		n.mutex.Lock()
		defer n.mutex.Unlock()
		n.numPods++
		at.podIP = podIP(n.numPods)
	}
	return at
}
