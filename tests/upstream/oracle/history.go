package main

import apps "k8s.io/api/apps/v1"

// History is what the sync does with the ControllerRevisions.
type History struct {
	// Create says that no revision has the present template and one is made.
	Create bool `json:"create"`
	// Current is the name of the revision made or kept, Hash its label.
	Current string `json:"current"`
	Hash    string `json:"hash"`
	// CurrentEver are the revisions that any run kept, if there are several:
	// equal ones that share the highest number. Current is the last of them
	// by name, and the rest of the answer goes with it.
	CurrentEver []string `json:"currentEver,omitempty"`
	// NameTaken says that the name for a new revision is in use, so that the
	// sync fails, or takes that revision if its data is the present template.
	// The name depends on Go's own view of the template.
	NameTaken bool `json:"nameTaken,omitempty"`
	// Labelled are the revisions that got the missing hash label.
	Labelled []string `json:"labelled"`
	Claims
	Renumber *Renumber `json:"renumber,omitempty"`
	// DeleteEqual are the deleted revisions with the same data as the current one.
	DeleteEqual []string `json:"deleteEqual"`
	// Delete is all deletes, of equal revisions and of those over the limit.
	Delete Step `json:"delete"`
	// RelabelledPods got the hash of the revision kept among equal ones.
	RelabelledPods []string `json:"relabelledPods"`
}

// Renumber is a new number for the current revision.
type Renumber struct {
	Name string `json:"name"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// history reads the revisions' part of the answer from the writes of a sync.
// Current is nil if the sync found none.
func (o *oracle) history(ds *apps.DaemonSet, current *apps.ControllerRevision, written writes, limit int) *History {
	stored := func(name string) *apps.ControllerRevision {
		revision, err := find[*apps.ControllerRevision](o.controller.revisions, "controllerrevisions", ds.Namespace, name)
		if err != nil {
			return nil
		}
		return revision
	}
	history := &History{
		Create:         len(written.createdRevisions) > 0,
		NameTaken:      written.takenRevision,
		Labelled:       []string{},
		Claims:         Claims{Adopt: distinct(written.adoptedRevisions), Release: distinct(written.releasedRevisions)},
		DeleteEqual:    []string{},
		RelabelledPods: distinct(written.relabelledPods),
	}
	if current != nil {
		history.Current = current.Name
		history.Hash = current.Labels[apps.DefaultDaemonSetUniqueLabelKey]
	}
	var labelled []string
	for _, updated := range written.updatedRevisions {
		before := stored(updated.Name)
		if updated.Revision != before.Revision {
			history.Renumber = &Renumber{updated.Name, before.Revision, updated.Revision}
		} else {
			labelled = append(labelled, updated.Name)
		}
	}
	history.Labelled = distinct(labelled)
	var equal []string
	for _, name := range written.deletedRevisions {
		if current != nil && string(stored(name).Data.Raw) == string(current.Data.Raw) {
			equal = append(equal, name)
		}
	}
	history.DeleteEqual = distinct(equal)

	// The order in which revisions are listed only matters among equal numbers.
	group := o.sameNumber(ds.Namespace)
	open := group > 1 && len(written.deletedRevisions) > 0
	deletes := newTally(group)
	deletes.add(written.deletedRevisions)
	if open {
		sample(true, limit, []*tally{deletes}, func() bool {
			written, err := o.run(ds, func() error { return o.controller.sync(ds) })
			deletes.add(written.deletedRevisions)
			return err == nil
		})
	}
	history.Delete = deletes.step(open)
	if open && len(equal) > 0 {
		history.CurrentEver = o.keptRevisions(ds, group, limit)
	}
	return history
}

// keptRevisions returns the revisions that a sync may keep, if there are several.
func (o *oracle) keptRevisions(ds *apps.DaemonSet, group, limit int) []string {
	kept := newTally(group)
	sample(true, limit, []*tally{kept}, func() bool {
		var current *apps.ControllerRevision
		_, err := o.run(ds, func() (err error) {
			current, err = o.controller.currentRevision(ds)
			return err
		})
		if err != nil {
			return false
		}
		kept.add([]string{current.Name})
		return true
	})
	if names := kept.ever(); len(names) > 1 {
		return names
	}
	return nil
}

// sameNumber returns how many revisions of a namespace share a number, at most.
func (o *oracle) sameNumber(namespace string) int {
	most := 0
	count := map[int64]int{}
	for _, revision := range objects[*apps.ControllerRevision](o.controller.revisions) {
		if revision.Namespace == namespace {
			count[revision.Revision]++
			most = max(most, count[revision.Revision])
		}
	}
	return most
}
