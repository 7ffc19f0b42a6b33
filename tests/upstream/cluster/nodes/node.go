package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-base/version"
)

var zones = [...]string{"zone-a", "zone-b", "zone-c"}

// newNode is a node as its kubelet registers it, with its status.
func newNode(name string, number int, labels map[string]string) *v1.Node {
	resources := v1.ResourceList{
		v1.ResourceCPU:              resource.MustParse("4"),
		v1.ResourceMemory:           resource.MustParse("16Gi"),
		v1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
		v1.ResourcePods:             resource.MustParse("110"),
	}
	node := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				v1.LabelHostname:     name,
				v1.LabelOSStable:     "linux",
				v1.LabelArchStable:   runtime.GOARCH,
				v1.LabelTopologyZone: zones[(number-1)%len(zones)],
			},
		},
		Status: v1.NodeStatus{
			Capacity:    resources,
			Allocatable: resources,
			Conditions:  goodConditions(time.Now()),
			Addresses: []v1.NodeAddress{
				{Type: v1.NodeInternalIP, Address: nodeIP(number)},
				{Type: v1.NodeHostName, Address: name},
			},
			NodeInfo: v1.NodeSystemInfo{
				OperatingSystem:         "linux",
				Architecture:            runtime.GOARCH,
				OSImage:                 "none",
				ContainerRuntimeVersion: "played://1",
				KubeletVersion:          version.Get().GitVersion,
			},
		},
	}
	maps.Copy(node.Labels, labels)
	return node
}

func goodConditions(now time.Time) []v1.NodeCondition {
	conditions := []v1.NodeCondition{
		{Type: v1.NodeMemoryPressure, Status: v1.ConditionFalse, Reason: "KubeletHasSufficientMemory"},
		{Type: v1.NodeDiskPressure, Status: v1.ConditionFalse, Reason: "KubeletHasNoDiskPressure"},
		{Type: v1.NodePIDPressure, Status: v1.ConditionFalse, Reason: "KubeletHasSufficientPID"},
		{Type: v1.NodeReady, Status: v1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	for i := range conditions {
		conditions[i].LastHeartbeatTime = metav1.NewTime(now)
		conditions[i].LastTransitionTime = metav1.NewTime(now)
	}
	return conditions
}

// reportReady sets all conditions of a node as they were at first.
func (n *Nodes) reportReady(ctx context.Context, name string) error {
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": goodConditions(time.Now())}})
	if err != nil {
		return err
	}
	_, err = n.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// nodeIP and podIP give each its own address; neither is meant to be reached.
func nodeIP(number int) string { return inNet(172, 16, number) }
func podIP(number int) string  { return inNet(10, 128, number) }

func inNet(first, second, number int) string {
	return fmt.Sprintf("%d.%d.%d.%d", first, second+number>>16, number>>8&0xff, number&0xff)
}
