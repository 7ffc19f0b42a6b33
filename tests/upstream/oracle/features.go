package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	extensions "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/daemon/util"
)

// features describes what a case is an example of: each situation of a node, a
// pod, a revision or the whole set, together with what became of it.
func features(c Case) []string {
	f := featureFinder{Case: c, found: map[string]bool{}}
	for _, ds := range c.State.DaemonSets {
		if ds.Namespace == c.DaemonSet.Namespace && ds.Name == c.DaemonSet.Name {
			f.ds = ds
		}
	}
	f.set()
	f.history()
	onNode := map[string][]string{}
	for _, pod := range c.State.Pods {
		if pod.Namespace != c.DaemonSet.Namespace {
			continue
		}
		f.pod(pod)
		if node, err := util.GetTargetNodeName(pod); err == nil {
			onNode[node] = append(onNode[node], f.health(pod))
		}
	}
	for _, node := range c.State.Nodes {
		f.placement(node)
		f.node(node.Name, onNode[node.Name])
		delete(onNode, node.Name)
	}
	for _, pods := range onNode {
		f.node("", pods)
	}
	return slices.Sorted(maps.Keys(f.found))
}

type featureFinder struct {
	Case
	ds    *apps.DaemonSet
	found map[string]bool
}

func (f *featureFinder) add(parts ...any) { f.found[fmt.Sprintln(parts...)] = true }

// strategy is the update strategy in a word or two.
func (f *featureFinder) strategy() string {
	strategy := f.ds.Spec.UpdateStrategy
	if strategy.Type != apps.RollingUpdateDaemonSetStrategyType || strategy.RollingUpdate == nil {
		return fmt.Sprint(strategy.Type, strategy.RollingUpdate != nil)
	}
	if util.AllowsSurge(f.ds) {
		return "surge"
	}
	return "rolling"
}

func (f *featureFinder) set() {
	a := f.Answer
	text, _, _ := strings.Cut(a.Error, `"`)
	f.add("outcome", a.Outcome, a.FailedIn, text)
	f.add("claims", len(a.Claims.Adopt) > 0, len(a.Claims.Release) > 0)
	f.add("selector", f.ds.Spec.Selector.String(), a.Outcome)
	f.add("generation", f.ds.Annotations[apps.DeprecatedTemplateGeneration])
	if rolling := f.ds.Spec.UpdateStrategy.RollingUpdate; rolling != nil && a.Rollout != nil {
		f.add("limits", rolling.MaxUnavailable, rolling.MaxSurge, a.Rollout.MaxUnavailable, a.Rollout.MaxSurge, a.Rollout.Error != "")
	}
	if a.Manage != nil && a.Rollout != nil {
		f.add("steps", f.strategy(), extent(a.Manage.Create), extent(a.Manage.Delete), extent(a.Rollout.Create), extent(a.Rollout.Delete))
		f.add("rollout", f.strategy(), len(a.Rollout.Create.Always) > 0, extent(a.Rollout.Create), len(a.Rollout.Delete.Always) > 0, extent(a.Rollout.Delete))
	}
}

// extent says how much a step does: nothing, something, or a choice of k of n.
func extent(step Step) string {
	switch {
	case step.Max == 0:
		return "none"
	case len(step.Always) == len(step.Ever):
		return "certain"
	default:
		return fmt.Sprintf("%d of %d", step.Max-len(step.Always), len(step.Ever)-len(step.Always))
	}
}

func (f *featureFinder) history() {
	h := f.Answer.History
	if h == nil {
		return
	}
	f.add("history", h.Create, h.NameTaken, len(h.CurrentEver), len(h.Labelled), h.Renumber != nil, len(h.DeleteEqual),
		len(h.RelabelledPods) > 0, extent(h.Delete), f.ds.Status.CollisionCount != nil)
	if limit := f.ds.Spec.RevisionHistoryLimit; limit != nil {
		f.add("cleanup", *limit, extent(h.Delete), len(h.Delete.Always))
	}
	for _, revision := range f.State.ControllerRevisions {
		if revision.Namespace != f.ds.Namespace {
			continue
		}
		hash, labelled := revision.Labels[apps.DefaultDaemonSetUniqueLabelKey]
		f.add("revision", owner(revision.OwnerReferences), revision.Labels["app"], labelled, hash == "", revision.DeletionTimestamp != nil,
			revision.Name == h.Current, contains(h.Delete.Ever, revision.Name), contains(h.Adopt, revision.Name), contains(h.Release, revision.Name))
	}
}

// owner describes the owner references of an object.
func owner(references []metav1.OwnerReference) string {
	if len(references) == 0 {
		return "none"
	}
	r := references[0]
	return fmt.Sprint(r.Kind, r.Name, r.UID, r.Controller != nil && *r.Controller)
}

// health is what the controller looks at in a pod on a node.
func (f *featureFinder) health(pod *v1.Pod) string {
	hash := ""
	if f.Answer.History != nil {
		hash = f.Answer.History.Hash
	}
	generation, err := util.GetTemplateGeneration(f.ds)
	if err != nil {
		generation = nil
	}
	ready := "unready"
	if podutil.IsPodReady(pod) {
		ready = "ready"
	}
	if podutil.IsPodAvailable(pod, f.ds.Spec.MinReadySeconds, metav1.NewTime(f.Now)) {
		ready = "available"
	}
	phase := ""
	if pod.Status.Phase == v1.PodFailed || pod.Status.Phase == v1.PodSucceeded {
		phase = string(pod.Status.Phase)
	}
	return fmt.Sprint(util.IsPodUpdated(pod, hash, generation), " ", pod.Labels[apps.DefaultDaemonSetUniqueLabelKey] == hash, " ",
		ready, " ", phase, " ", pod.DeletionTimestamp != nil, " ", owner(pod.OwnerReferences) == owner([]metav1.OwnerReference{controllerRef(setName, setUID)}))
}

// fate is what becomes of a pod.
func (f *featureFinder) fate(pod string) string {
	a := f.Answer
	fate := fmt.Sprint(contains(a.Claims.Adopt, pod), contains(a.Claims.Release, pod))
	if a.Manage != nil {
		fate += member(a.Manage.Delete, pod)
	}
	if a.Rollout != nil {
		fate += member(a.Rollout.Delete, pod)
	}
	return fate
}

// member says whether a name is in a step always, sometimes or never.
func member(step Step, name string) string {
	switch {
	case contains(step.Always, name):
		return " always"
	case contains(step.Ever, name):
		return " sometimes"
	default:
		return " never"
	}
}

func contains(names []string, name string) bool { return slices.Contains(names, name) }

func (f *featureFinder) pod(pod *v1.Pod) {
	fate := f.fate(pod.Name)
	bound := cmp.Or(pod.Spec.NodeName, "unbound")
	f.add("owner", owner(pod.OwnerReferences), pod.Labels["app"], pod.Labels["canary"], pod.DeletionTimestamp != nil, fate)
	f.add("binding", bound == "unbound", pod.Spec.Affinity.String(), fate)
	f.add("labels", pod.Labels[extensions.DaemonSetTemplateGenerationKey] == f.ds.Annotations[apps.DeprecatedTemplateGeneration], f.health(pod), f.strategy(), fate)
	var conditions []string
	for _, c := range pod.Status.Conditions {
		since := "never"
		if !c.LastTransitionTime.IsZero() {
			since = fmt.Sprint(min(60, int(f.Now.Sub(c.LastTransitionTime.Time).Seconds())))
		}
		conditions = append(conditions, fmt.Sprint(c.Type, c.Status, since))
	}
	f.add("conditions", conditions, f.ds.Spec.MinReadySeconds, pod.Status.Phase)
}

// node is the situation on one node, and what becomes of it.
func (f *featureFinder) node(name string, pods []string) {
	slices.Sort(pods)
	a := f.Answer
	placement := a.Nodes[name]
	creates := ""
	if a.Manage != nil {
		creates += member(a.Manage.Create, name)
	}
	if a.Rollout != nil {
		creates += member(a.Rollout.Create, name)
	}
	f.add("node", f.strategy(), name == "", placement, pods, creates)
}

func (f *featureFinder) placement(node *v1.Node) {
	spec := f.ds.Spec.Template.Spec
	placement := f.Answer.Nodes[node.Name]
	f.add("selector", spec.NodeName, spec.NodeSelector, placement)
	for _, taint := range node.Spec.Taints {
		f.add("taint", taint.Key, taint.Effect, taint.Value, spec.HostNetwork, len(spec.Tolerations) > 0, len(node.Spec.Taints), placement)
		for _, toleration := range spec.Tolerations {
			f.add("toleration", toleration.Key, toleration.Operator, toleration.Value, toleration.Effect, taint.Key == toleration.Key,
				taint.Value == toleration.Value, taint.Effect, placement)
		}
	}
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	terms := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	f.add("terms", len(terms), placement)
	for _, term := range terms {
		f.add("term", len(term.MatchExpressions), len(term.MatchFields), placement)
		for _, r := range append(slices.Clone(term.MatchExpressions), term.MatchFields...) {
			f.add("requirement", r.Key, r.Operator, r.Values, node.Labels[r.Key], placement)
		}
	}
}
