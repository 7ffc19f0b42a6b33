package main

import (
	"context"
	_ "unsafe" // for go:linkname

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
)

// The parts of the controller that decide are not exported. The linker gives
// access to them as they are; a copy could drift from the original.

//go:linkname syncDaemonSet k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncDaemonSet
func syncDaemonSet(dsc *daemon.DaemonSetsController, ctx context.Context, key string) error

//go:linkname constructHistory k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).constructHistory
func constructHistory(dsc *daemon.DaemonSetsController, ctx context.Context, ds *apps.DaemonSet) (cur *apps.ControllerRevision, old []*apps.ControllerRevision, err error)

//go:linkname manage k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).manage
func manage(dsc *daemon.DaemonSetsController, ctx context.Context, ds *apps.DaemonSet, nodeList []*v1.Node, hash string) error

//go:linkname rollingUpdate k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).rollingUpdate
func rollingUpdate(dsc *daemon.DaemonSetsController, ctx context.Context, ds *apps.DaemonSet, nodeList []*v1.Node, hash string) error

//go:linkname updatedDesiredNodeCounts k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).updatedDesiredNodeCounts
func updatedDesiredNodeCounts(dsc *daemon.DaemonSetsController, ctx context.Context, ds *apps.DaemonSet, nodeList []*v1.Node, nodeToDaemonPods map[string][]*v1.Pod) (maxSurge, maxUnavailable, desired int, err error)

//go:linkname daemonPodTolerations k8s.io/kubernetes/pkg/controller/daemon.daemonPodTolerations
func daemonPodTolerations(ds *apps.DaemonSet) []v1.Toleration

//go:linkname nodeShouldRunDaemonPod k8s.io/kubernetes/pkg/controller/daemon.nodeShouldRunDaemonPod
func nodeShouldRunDaemonPod(logger klog.Logger, node *v1.Node, ds *apps.DaemonSet, tolerations []v1.Toleration, requiredNodeAffinity nodeaffinity.RequiredNodeAffinity) (shouldRun, shouldContinueRunning bool)

//go:linkname getPatch k8s.io/kubernetes/pkg/controller/daemon.getPatch
func getPatch(ds *apps.DaemonSet) ([]byte, error)
