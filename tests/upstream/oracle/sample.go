package main

import (
	"math"
	"slices"
)

// Step is what repeated runs of a part of the sync did with one kind of write.
// Names are those of the target nodes for creates, of the objects for deletes.
type Step struct {
	Runs int `json:"runs"`
	// Min and Max are the fewest and the most writes in a run.
	Min int `json:"min"`
	Max int `json:"max"`
	// Always are the names in every run, Ever those in any run.
	Always []string `json:"always"`
	Ever   []string `json:"ever"`
	// Exact says that more runs would not change Always and Ever, but for one
	// chance in ten million. Otherwise Always may hold too many names and Ever
	// too few.
	Exact bool `json:"exact"`
}

// tally counts in how many runs each name occurred.
type tally struct {
	runs, min, max int
	seen           map[string]int
	// rarest is the least chance with which a name that is open may show it
	// in a run, as far as the tally cannot tell by itself.
	rarest float64
}

// newTally takes the size of the largest set of which the controller takes one,
// or all but one; 2 if there are none but what the tally shows.
func newTally(group int) *tally {
	return &tally{min: math.MaxInt, seen: map[string]int{}, rarest: 1 / float64(max(2, group))}
}

func (t *tally) add(names []string) {
	t.runs++
	t.min = min(t.min, len(names))
	t.max = max(t.max, len(names))
	for _, name := range names {
		t.seen[name]++
	}
}

func (t *tally) always() []string {
	names := []string{}
	for name, runs := range t.seen {
		if runs == t.runs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (t *tally) ever() []string {
	names := make([]string, 0, len(t.seen))
	for name := range t.seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// doubt is the chance we accept that a step is reported as more certain, or its
// choice as smaller, than it is.
const doubt = 1e-7

// enough says how many runs it takes to see everything, judging by what was
// seen so far. The lists are in random order, so that of n equal candidates each
// is taken with the same chance k/n in each run. Suppose that there is one more
// candidate than showed: either it was never taken, or always. How many runs
// until the odds of that are below our doubt?
func (t *tally) enough() int {
	if t.max == 0 {
		// The number of writes does not depend on the order of the lists.
		return 3
	}
	always := len(t.always())
	candidates, taken := len(t.seen)-always, t.max-always
	chance := t.rarest
	if candidates > 0 {
		chance = min(chance, float64(taken)/float64(candidates+1))
		if always > 0 {
			chance = min(chance, float64(candidates-taken)/float64(candidates+1))
		}
	}
	if chance <= 0 {
		return math.MaxInt32
	}
	return 1 + int(math.Ceil(math.Log(doubt/float64(len(t.seen)))/math.Log1p(-chance)))
}

func (t *tally) step(open bool) Step {
	return Step{Runs: t.runs, Min: t.min, Max: t.max, Always: t.always(), Ever: t.ever(),
		Exact: !open || t.runs >= t.enough()}
}

// bounds on the number of runs of a step.
const (
	// closedRuns suffice where nothing can be open; the second run is there
	// to notice if that judgement is wrong.
	closedRuns = 2
	// hopelessRuns are made where certainty would take too long.
	hopelessRuns = 16
	defaultRuns  = 300
)

// sample repeats a step until its tallies are beyond doubt, or there is no hope
// of that within the given number of runs. Run returns false to stop.
func sample(open bool, limit int, tallies []*tally, run func() bool) {
	for runs := 1; run(); runs++ {
		needed := closedRuns
		if open {
			for _, t := range tallies {
				needed = max(needed, t.enough())
			}
			if needed > limit {
				needed = min(limit, hopelessRuns)
			}
		}
		if runs >= needed {
			return
		}
	}
}
