package nodes

import (
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
)

// behavior is what becomes of a container.
type behavior string

const (
	starts behavior = ""       // runs and is ready at once
	slow   behavior = "slow"   // is ready after some seconds; slow60 after 60
	never  behavior = "never"  // runs and is never ready
	bad    behavior = "bad"    // its image cannot be pulled
	crash  behavior = "crash"  // exits with an error before it is ready, again and again
	failed behavior = "failed" // its pod has failed as a whole

	stubborn behavior = "stubborn" // starts, and takes all the grace it is given to end
)

// annotation steers all containers of a pod. It comes before what their images
// say, and may change at any time; the value "ready" is the usual course.
const annotation = "cluster.test/behavior"

// behaviorOf reads the annotation and the end of the image: app:2-bad.
func behaviorOf(pod *v1.Pod, container v1.Container) behavior {
	word, annotated := pod.Annotations[annotation]
	if !annotated {
		word = container.Image[strings.LastIndexByte(container.Image, '-')+1:]
	}
	switch chosen := behavior(word); chosen {
	case never, bad, crash, failed, stubborn:
		return chosen
	default:
		if _, ok := chosen.slowness(); ok {
			return chosen
		}
		return starts
	}
}

// slowness returns how long a slow container is not ready.
func (b behavior) slowness() (time.Duration, bool) {
	seconds, ok := strings.CutPrefix(string(b), string(slow))
	if !ok || seconds == "" {
		return defaultSlowness, ok
	}
	number, err := strconv.ParseUint(seconds, 10, 16)
	return time.Duration(number) * time.Second, err == nil
}

// The clock of a container.
const (
	defaultSlowness = 5 * time.Second
	// lifetime is how long a container that crashes runs.
	lifetime = time.Second
	// The kubelet doubles the pause before each restart, up to a limit.
	firstBackOff = 10 * time.Second
	lastBackOff  = 5 * time.Minute
)

// course is where a container stands.
type course struct {
	ready    bool
	running  bool
	waiting  string // the reason, if it does not run
	message  string
	restarts int32
	// All after the start of the pod; for the last two 0 is never.
	started, exited, next time.Duration // its present life, its last one, what follows
}

// courseOf says where a container stands so long after the start of its pod.
func courseOf(b behavior, container v1.Container, age time.Duration) course {
	switch b {
	case never:
		return course{running: true}
	case bad:
		return course{waiting: "ImagePullBackOff", message: `Back-off pulling image "` + container.Image + `"`}
	case crash:
		return crashing(container, age)
	}
	if slowness, ok := b.slowness(); ok && age < slowness {
		return course{running: true, next: slowness}
	}
	return course{running: true, ready: true}
}

// crashing walks through the lives of a container that crashes.
func crashing(container v1.Container, age time.Duration) course {
	var start, exited time.Duration
	backOff := firstBackOff
	for restarts := int32(0); ; restarts++ {
		end := start + lifetime
		if age < end {
			return course{running: true, restarts: restarts, started: start, exited: exited, next: end}
		}
		start, exited = end+backOff, end
		if age < start {
			message := "back-off " + backOff.String() + " restarting failed container=" + container.Name
			return course{waiting: "CrashLoopBackOff", message: message, restarts: restarts, exited: exited, next: start}
		}
		backOff = min(2*backOff, lastBackOff)
	}
}
