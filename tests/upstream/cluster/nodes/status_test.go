package nodes

import (
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func podWith(images ...string) *v1.Pod {
	pod := &v1.Pod{}
	for _, image := range images {
		pod.Spec.Containers = append(pod.Spec.Containers, v1.Container{Name: "c", Image: image})
	}
	return pod
}

// after plays a pod from its start to so long after, step by step.
func after(t *testing.T, pod *v1.Pod, age time.Duration) v1.PodStatus {
	t.Helper()
	for now := start; ; {
		status, next := podStatus(pod, place{}, now)
		pod.Status = status
		if again, _ := podStatus(pod, place{}, now); !apiequality.Semantic.DeepEqual(again, status) {
			t.Fatalf("%v is followed by %v at the same time", status, again)
		}
		if next == 0 || now.Add(next).Sub(start) > age {
			return status
		}
		now = now.Add(next)
	}
}

func TestCourses(t *testing.T) {
	for _, test := range []struct {
		image    string
		age      time.Duration
		phase    v1.PodPhase
		ready    v1.ConditionStatus
		waiting  string
		restarts int32
	}{
		{image: "app:1", phase: v1.PodRunning, ready: v1.ConditionTrue},
		{image: "app-bad:1", phase: v1.PodRunning, ready: v1.ConditionTrue},
		{image: "app:1-never", age: time.Hour, phase: v1.PodRunning, ready: v1.ConditionFalse},
		{image: "app:1-slow", age: 4 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse},
		{image: "app:1-slow", age: 5 * time.Second, phase: v1.PodRunning, ready: v1.ConditionTrue},
		{image: "app:1-slow60", age: 59 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse},
		{image: "app:1-slow60", age: 60 * time.Second, phase: v1.PodRunning, ready: v1.ConditionTrue},
		{image: "app:1-slowly", phase: v1.PodRunning, ready: v1.ConditionTrue},
		{image: "app:1-bad", age: time.Hour, phase: v1.PodPending, ready: v1.ConditionFalse, waiting: "ImagePullBackOff"},
		{image: "app:1-crash", phase: v1.PodRunning, ready: v1.ConditionFalse},
		{image: "app:1-crash", age: 1 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse, waiting: "CrashLoopBackOff"},
		{image: "app:1-crash", age: 11 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse, restarts: 1},
		{image: "app:1-crash", age: 12 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse, waiting: "CrashLoopBackOff", restarts: 1},
		{image: "app:1-crash", age: 32 * time.Second, phase: v1.PodRunning, ready: v1.ConditionFalse, restarts: 2},
	} {
		status := after(t, podWith(test.image), test.age)
		container := status.ContainerStatuses[0]
		waiting := ""
		if container.State.Waiting != nil {
			waiting = container.State.Waiting.Reason
		}
		if status.Phase != test.phase || conditionOf(status, v1.PodReady).Status != test.ready || waiting != test.waiting || container.RestartCount != test.restarts {
			t.Errorf("%s after %v: %v", test.image, test.age, status)
		}
	}
}

func TestOneContainerHoldsUpThePod(t *testing.T) {
	status := after(t, podWith("app:1", "app:1-slow"), 0)
	if got := conditionOf(status, v1.PodReady); got.Status != v1.ConditionFalse || got.Message != "containers with unready status: [c]" {
		t.Errorf("%v", got)
	}
	status = after(t, podWith("app:1", "app:1-slow"), time.Minute)
	want := metav1.NewTime(start.Add(defaultSlowness))
	if got := conditionOf(status, v1.PodReady); got.Status != v1.ConditionTrue || !got.LastTransitionTime.Equal(&want) {
		t.Errorf("%v", got)
	}
}

func TestAnnotationComesFirst(t *testing.T) {
	pod := podWith("app:1-bad")
	pod.Annotations = map[string]string{annotation: "ready"}
	if status := after(t, pod, 0); status.Phase != v1.PodRunning {
		t.Errorf("%v", status)
	}
	pod.Annotations[annotation] = "failed"
	if status := after(t, pod, 0); status.Phase != v1.PodFailed {
		t.Errorf("%v", status)
	}
}

func TestEndOf(t *testing.T) {
	for _, test := range []struct {
		image string
		grace int64
		want  time.Duration // after the request
	}{
		{"app:1", 30, ending},
		{"app:1", 0, 0},
		{"app:1-stubborn", 30, 30 * time.Second},
	} {
		pod := podWith(test.image)
		deadline := metav1.NewTime(start.Add(time.Duration(test.grace) * time.Second))
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &deadline, &test.grace
		if got := endOf(pod).Sub(start); got != test.want {
			t.Errorf("%s with a grace of %d s: %v", test.image, test.grace, got)
		}
	}
}

func conditionOf(status v1.PodStatus, kind v1.PodConditionType) v1.PodCondition {
	for _, condition := range status.Conditions {
		if condition.Type == kind {
			return condition
		}
	}
	return v1.PodCondition{}
}
