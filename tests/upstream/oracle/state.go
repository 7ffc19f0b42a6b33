package main

import (
	"encoding/json"
	"fmt"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// State is what the controller sees of a cluster.
type State struct {
	Nodes               []*v1.Node
	DaemonSets          []*apps.DaemonSet
	Pods                []*v1.Pod
	ControllerRevisions []*apps.ControllerRevision
}

// daemonSet returns the DaemonSet of that name, or nil.
func (s *State) daemonSet(name Name) *apps.DaemonSet {
	for _, ds := range s.DaemonSets {
		if ds.Namespace == name.Namespace && ds.Name == name.Name {
			return ds
		}
	}
	return nil
}

// MarshalJSON writes the state as a v1 List.
func (s *State) MarshalJSON() ([]byte, error) {
	items := []any{}
	for _, node := range s.Nodes {
		items = append(items, slimNode{"v1", "Node", node.ObjectMeta, node.Spec})
	}
	for _, ds := range s.DaemonSets {
		ds.APIVersion, ds.Kind = "apps/v1", "DaemonSet"
		items = append(items, ds)
	}
	for _, revision := range s.ControllerRevisions {
		revision.APIVersion, revision.Kind = "apps/v1", "ControllerRevision"
		items = append(items, revision)
	}
	for _, pod := range s.Pods {
		pod.APIVersion, pod.Kind = "v1", "Pod"
		items = append(items, pod)
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}

// slimNode is the part of a node that matters; an empty status alone is larger.
type slimNode struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
	Spec       v1.NodeSpec       `json:"spec"`
}

// UnmarshalJSON reads a v1 List into what the controller's informers would hold.
func (s *State) UnmarshalJSON(data []byte) error {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := utiljson.Unmarshal(data, &list); err != nil {
		return err
	}
	*s = State{}
	for i, item := range list.Items {
		var kind struct {
			Kind string `json:"kind"`
		}
		err := utiljson.Unmarshal(item, &kind)
		switch {
		case err != nil:
		case kind.Kind == "Node":
			err = decode(item, &s.Nodes)
		case kind.Kind == "DaemonSet":
			err = decode(item, &s.DaemonSets)
		case kind.Kind == "Pod":
			err = decode(item, &s.Pods)
		case kind.Kind == "ControllerRevision":
			if err = decode(item, &s.ControllerRevisions); err == nil {
				err = canonicalise(s.ControllerRevisions[len(s.ControllerRevisions)-1])
			}
		}
		if err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

// decode appends the object that an informer gets for this JSON. The controller
// speaks protobuf with the API server, where an empty list or map and an absent
// one are the same; hence the way through it.
func decode[T any, P interface {
	*T
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}](data []byte, into *[]P) error {
	read := P(new(T))
	if err := utiljson.Unmarshal(data, read); err != nil {
		return err
	}
	wire, err := read.Marshal()
	if err != nil {
		return err
	}
	informed := P(new(T))
	if err := informed.Unmarshal(wire); err != nil {
		return err
	}
	*into = append(*into, informed)
	return nil
}

// canonicalise gives the data of a revision the form in which the API server
// stores it and the controller compares it, byte by byte: keys sorted, no spaces.
func canonicalise(revision *apps.ControllerRevision) error {
	if len(revision.Data.Raw) == 0 {
		return nil
	}
	var data map[string]any
	if err := utiljson.Unmarshal(revision.Data.Raw, &data); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	raw, err := utiljson.Marshal(data)
	revision.Data.Raw = raw
	return err
}
