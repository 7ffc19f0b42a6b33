package nodes

import (
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// place is where a pod runs.
type place struct{ hostIP, podIP string }

// podStatus is what a kubelet says of a pod at a time, given what it said before,
// and how much later it has more to say; 0 is never.
func podStatus(pod *v1.Pod, at place, now time.Time) (v1.PodStatus, time.Duration) {
	status := *pod.Status.DeepCopy()
	if status.StartTime == nil {
		start := metav1.NewTime(now.Truncate(time.Second)) // as it comes back from the server
		status.StartTime = &start
	}
	age := now.Sub(status.StartTime.Time)
	status.ObservedGeneration = pod.Generation
	status.HostIP, status.HostIPs = at.hostIP, []v1.HostIP{{IP: at.hostIP}}

	status.Phase = v1.PodRunning
	status.ContainerStatuses = nil
	var unready []string
	var next time.Duration
	for _, container := range pod.Spec.Containers {
		b := behaviorOf(pod, container)
		if b == failed {
			return evicted(status), 0
		}
		c := courseOf(b, container, age)
		status.ContainerStatuses = append(status.ContainerStatuses, containerStatus(pod, container, c, status.StartTime.Time))
		if !c.ready {
			unready = append(unready, container.Name)
		}
		if !c.running && c.exited == 0 {
			status.Phase = v1.PodPending
		}
		if c.next > 0 && (next == 0 || c.next-age < next) {
			next = c.next - age
		}
	}
	status.InitContainerStatuses = nil
	for _, container := range pod.Spec.InitContainers {
		status.InitContainerStatuses = append(status.InitContainerStatuses, completed(pod, container, status.StartTime))
	}
	status.PodIP, status.PodIPs = at.podIP, []v1.PodIP{{IP: at.podIP}}
	setConditions(&status, unready, metav1.NewTime(now))
	return status, next
}

// evicted is a pod that has failed as a whole.
func evicted(status v1.PodStatus) v1.PodStatus {
	status.Phase = v1.PodFailed
	status.Reason = "Evicted"
	status.Message = "The node was low on resource: memory."
	status.ContainerStatuses = nil
	return status
}

func setConditions(status *v1.PodStatus, unready []string, now metav1.Time) {
	setCondition(status, v1.PodCondition{Type: v1.PodReadyToStartContainers, Status: v1.ConditionTrue}, now)
	setCondition(status, v1.PodCondition{Type: v1.PodInitialized, Status: v1.ConditionTrue}, now)
	for _, kind := range []v1.PodConditionType{v1.ContainersReady, v1.PodReady} {
		condition := v1.PodCondition{Type: kind, Status: v1.ConditionTrue}
		if len(unready) > 0 {
			condition.Status = v1.ConditionFalse
			condition.Reason = "ContainersNotReady"
			condition.Message = "containers with unready status: [" + strings.Join(unready, " ") + "]"
		}
		setCondition(status, condition, now)
	}
}

// setCondition replaces or adds a condition. Its time is that of the last change
// of its status.
func setCondition(status *v1.PodStatus, condition v1.PodCondition, now metav1.Time) {
	condition.ObservedGeneration = status.ObservedGeneration
	condition.LastTransitionTime = now.Rfc3339Copy()
	for i, old := range status.Conditions {
		if old.Type == condition.Type {
			if old.Status == condition.Status {
				condition.LastTransitionTime = old.LastTransitionTime
			}
			status.Conditions[i] = condition
			return
		}
	}
	status.Conditions = append(status.Conditions, condition)
}

func containerStatus(pod *v1.Pod, container v1.Container, c course, start time.Time) v1.ContainerStatus {
	status := v1.ContainerStatus{
		Name:         container.Name,
		Image:        container.Image,
		Ready:        c.ready,
		Started:      &c.running,
		RestartCount: c.restarts,
	}
	if c.running {
		status.ImageID = container.Image
		status.ContainerID = containerID(pod, container)
		status.State.Running = &v1.ContainerStateRunning{StartedAt: metav1.NewTime(start.Add(c.started))}
	} else {
		status.State.Waiting = &v1.ContainerStateWaiting{Reason: c.waiting, Message: c.message}
	}
	if c.exited > 0 {
		status.LastTerminationState.Terminated = exited(pod, container, metav1.NewTime(start.Add(c.exited)))
	}
	return status
}

func exited(pod *v1.Pod, container v1.Container, at metav1.Time) *v1.ContainerStateTerminated {
	return &v1.ContainerStateTerminated{
		ExitCode:    1,
		Reason:      "Error",
		StartedAt:   metav1.NewTime(at.Add(-lifetime)),
		FinishedAt:  at,
		ContainerID: containerID(pod, container),
	}
}

// completed is an init container that has done its work.
func completed(pod *v1.Pod, container v1.Container, at *metav1.Time) v1.ContainerStatus {
	id := containerID(pod, container)
	started := false
	return v1.ContainerStatus{
		Name:        container.Name,
		Image:       container.Image,
		ImageID:     container.Image,
		ContainerID: id,
		Ready:       true,
		Started:     &started,
		State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{
			Reason: "Completed", StartedAt: *at, FinishedAt: *at, ContainerID: id,
		}},
	}
}

func containerID(pod *v1.Pod, container v1.Container) string {
	return "played://" + string(pod.UID) + "/" + container.Name
}
