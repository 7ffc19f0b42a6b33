package main

import v1 "k8s.io/api/core/v1"

// The ways in which a sync ends.
const (
	Reconciled           = "Reconciled"
	AwaitingObservation  = "AwaitingObservation" // reconciled, but observedGeneration was behind
	SkippedEmptySelector = "SkippedEmptySelector"
	SkippedDeleting      = "SkippedDeleting"
	Failed               = "Failed"
	Panicked             = "Panicked"
)

// The parts of a sync that can fail.
const (
	inHistory = "history"
	inManage  = "manage"
	inRollout = "rollout"
	inCleanup = "cleanup"
)

// Answer is what one sync of the controller does. Parts that the sync does not
// reach are absent. All lists are sorted.
type Answer struct {
	DaemonSet *Name  `json:"daemonSet,omitempty"` // in a list of answers
	Outcome   string `json:"outcome"`
	Error     string `json:"error,omitempty"`
	// FailedIn is the part of the sync that the error comes from.
	FailedIn string               `json:"failedIn,omitempty"`
	Claims   Claims               `json:"claims"`
	Nodes    map[string]Placement `json:"nodes"`
	Manage   *Actions             `json:"manage,omitempty"`
	Rollout  *Rollout             `json:"rollout,omitempty"`
	Status   *Status              `json:"status,omitempty"`
	History  *History             `json:"history,omitempty"`
	// Pods are the pods that the sync sends to be created, by node, if asked for.
	Pods map[string]*v1.Pod `json:"pods,omitempty"`
}

// Name names a namespaced object.
type Name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Claims are the pods, or revisions, whose owner the sync changes.
type Claims struct {
	Adopt   []string `json:"adopt"`
	Release []string `json:"release"`
}

// Placement is whether a DaemonSet's pods belong on a node.
type Placement struct {
	ShouldRun             bool `json:"shouldRun"`
	ShouldContinueRunning bool `json:"shouldContinueRunning"`
}

// Actions are the pods that a step creates and deletes.
type Actions struct {
	Create Step `json:"create"`
	Delete Step `json:"delete"`
}

// Rollout is what the rolling-update step does on the state as it is, whether or
// not the sync gets that far. For OnDelete it is the step as it would be for
// RollingUpdate with maxUnavailable 1, or 0 where no node is wanted; for other types it is absent.
type Rollout struct {
	Actions
	Error          string `json:"error,omitempty"`
	MaxUnavailable int    `json:"maxUnavailable"`
	MaxSurge       int    `json:"maxSurge"`
	Desired        int    `json:"desired"`
}

// Status is the numbers that the sync computes, written or not.
type Status struct {
	DesiredNumberScheduled int32 `json:"desiredNumberScheduled"`
	CurrentNumberScheduled int32 `json:"currentNumberScheduled"`
	NumberMisscheduled     int32 `json:"numberMisscheduled"`
	NumberReady            int32 `json:"numberReady"`
	UpdatedNumberScheduled int32 `json:"updatedNumberScheduled"`
	NumberAvailable        int32 `json:"numberAvailable"`
	NumberUnavailable      int32 `json:"numberUnavailable"`
}
