package nodes

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// The kubelets speak in this many batches, so that the work is spread over the
// interval.
const numBatches = 10

// beat lets each kubelet that is not silent speak of its node, once in the
// interval, until the context ends.
func (n *Nodes) beat(ctx context.Context) {
	ticker := time.NewTicker(n.leaseInterval / numBatches)
	defer ticker.Stop()
	for batch := 0; ; batch = (batch + 1) % numBatches {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			// What fails, the API server being down, is tried again in time.
			_ = n.forEach(ctx, n.batch(batch), n.speak)
		}
	}
}

// speak renews the lease of a node. If its conditions have become unknown, it says
// that the node is ready.
func (n *Nodes) speak(ctx context.Context, name string) error {
	if err := n.renewLease(ctx, name); err != nil || !n.isUnknown(name) {
		return err
	}
	return n.reportReady(ctx, name)
}

// isUnknown says whether the controller manager has marked the node. Nobody else
// sets a condition to Unknown.
func (n *Nodes) isUnknown(name string) bool {
	object, exists, err := n.objects.GetIndexer().GetByKey(name)
	if err != nil || !exists {
		return false
	}
	return slices.ContainsFunc(object.(*v1.Node).Status.Conditions, func(condition v1.NodeCondition) bool {
		return condition.Status == v1.ConditionUnknown
	})
}

func (n *Nodes) batch(batch int) []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	var names []string
	for name, kubelet := range n.kubelets {
		if !kubelet.silent && kubelet.number%numBatches == batch {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// renewLease renews the lease of a node, or makes it, if the node exists.
func (n *Nodes) renewLease(ctx context.Context, name string) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"renewTime": metav1.NowMicro()}})
	if err != nil {
		return err
	}
	leases := n.client.CoordinationV1().Leases(v1.NamespaceNodeLease)
	_, err = leases.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	node, err := n.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil // not yet, or deleted: its kubelet goes on, as a real one does
	}
	if err != nil {
		return err
	}
	return n.createLease(ctx, node)
}

func (n *Nodes) createLease(ctx context.Context, node *v1.Node) error {
	lease := &coordination.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name:            node.Name,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}},
		},
		Spec: coordination.LeaseSpec{
			HolderIdentity:       &node.Name,
			LeaseDurationSeconds: ptr.To(int32(4 * n.leaseInterval / time.Second)),
			RenewTime:            ptr.To(metav1.NowMicro()),
		},
	}
	_, err := n.client.CoordinationV1().Leases(v1.NamespaceNodeLease).Create(ctx, lease, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil // the next renewal was faster
	}
	return err
}
