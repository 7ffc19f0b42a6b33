package main

import (
	"bytes"
	"maps"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
)

func (w *world) makeRevisions() {
	data, err := getPatch(w.ds)
	if err != nil {
		panic(err)
	}
	last := len(w.versions) - 1
	for i, v := range w.versions {
		if i < last && w.chance(0.15) || w.chance(w.oddHistory) {
			continue // cleaned up, or, for the current one, not yet made
		}
		w.addRevision(v, int64(i+1), bytes.Replace(data, []byte(w.current().image), []byte(v.image), 1))
	}
	list := w.state.ControllerRevisions
	if len(list) > 1 && w.chance(0.1) { // back to an earlier template
		list[0].Revision, list[len(list)-1].Revision = list[len(list)-1].Revision, list[0].Revision
	}
	for w.chance(w.oddHistory) { // the present template once more
		twin := w.addRevision(version{hash: w.unused("h")}, int64(w.between(0, len(w.versions)+1)), data)
		w.versions = append([]version{{image: w.current().image, hash: twin.Labels[apps.DefaultDaemonSetUniqueLabelKey], generation: "1"}}, w.versions...)
	}
	if w.chance(w.oddHistory) { // an ancient one
		w.addRevision(version{hash: w.unused("h")}, int64(w.between(0, 3)), bytes.Replace(data, []byte(w.current().image), []byte("agent:old"), 1))
	}
	for _, revision := range w.state.ControllerRevisions {
		w.spoil(revision)
	}
	if w.chance(w.oddHistory / 2) { // under the name that a new one would get
		hash := kubecontroller.ComputeHash(&w.ds.Spec.Template, w.ds.Status.CollisionCount)
		taken := w.addRevision(version{hash: hash}, 1, data)
		switch w.IntN(3) {
		case 0:
			taken.OwnerReferences = []metav1.OwnerReference{controllerRef("other", "uid-other")}
		case 1:
			taken.Labels["app"] = "elsewhere"
		default:
			taken.Data.Raw = []byte(`{"spec":{"template":{}}}`)
		}
	}
}

func (w *world) addRevision(v version, number int64, data []byte) *apps.ControllerRevision {
	labels := map[string]string{"app": "agent"}
	maps.Copy(labels, w.ds.Spec.Template.Labels)
	labels[apps.DefaultDaemonSetUniqueLabelKey] = v.hash
	revision := &apps.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: setName + "-" + v.hash, UID: types.UID("uid-" + v.hash), Labels: labels,
			OwnerReferences: []metav1.OwnerReference{controllerRef(setName, setUID)},
		},
		Data:     runtime.RawExtension{Raw: data},
		Revision: number,
	}
	w.state.ControllerRevisions = append(w.state.ControllerRevisions, revision)
	return revision
}

// spoil gives a revision traits that it should not have.
func (w *world) spoil(revision *apps.ControllerRevision) {
	if w.chance(w.oddHistory) {
		switch w.IntN(3) {
		case 0:
			revision.Labels[apps.DefaultDaemonSetUniqueLabelKey] = ""
		default:
			delete(revision.Labels, apps.DefaultDaemonSetUniqueLabelKey)
		}
	}
	if w.chance(w.oddHistory) { // may give two the same number
		revision.Revision = int64(w.between(0, 6))
	}
	if w.chance(w.oddHistory) {
		switch w.IntN(4) {
		case 0:
			revision.OwnerReferences = nil
		case 1:
			revision.OwnerReferences = []metav1.OwnerReference{controllerRef("other", "uid-other")}
		case 2:
			revision.OwnerReferences = []metav1.OwnerReference{controllerRef("renamed", setUID)}
		default:
			revision.OwnerReferences[0].Controller = nil
		}
	}
	if w.chance(w.oddHistory / 2) {
		deleted := w.ago(3)
		revision.DeletionTimestamp = &deleted
	}
	if w.chance(w.oddHistory / 2) {
		revision.Labels["app"] = "elsewhere"
	}
	if w.chance(w.oddHistory / 4) {
		revision.Labels = nil
	}
	if w.chance(w.oddHistory / 3) { // as Kubernetes up to 1.33 wrote it
		revision.Data.Raw = bytes.Replace(revision.Data.Raw, []byte(`"labels":`), []byte(`"creationTimestamp":null,"labels":`), 1)
	}
	if w.chance(w.oddHistory / 4) {
		revision.Data.Raw = bytes.Replace(revision.Data.Raw, []byte(`"$patch":"replace",`), nil, 1)
	}
}
