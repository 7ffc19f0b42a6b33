package main

import (
	"maps"
	"slices"
	"strings"
)

// profile says how often the generator leaves the ordinary. All numbers are
// probabilities, between 0 and 1.
type profile struct {
	name string
	// burst: more nodes than the controller treats in one go.
	burst float64
	// crowd: some thirty nodes.
	crowd float64
	// surge, onDelete: the update strategy; oddStrategy: one that validation
	// would not let pass.
	surge, onDelete, oddStrategy float64
	// constraint: each way to constrain placement in the template; taint: a
	// tainted node.
	constraint, taint float64
	// double: two or more pods on a node; ghost: a pod on a node that is gone.
	double, ghost float64
	// oddPod: each of a pod's uncommon traits; oddClaim: uncommon owner or
	// labels; oddSelector: a selector other than one label.
	oddPod, oddClaim, oddSelector float64
	// oddHistory: each uncommon trait of the revisions.
	oddHistory float64
	// oddSet: each uncommon trait of the DaemonSet itself.
	oddSet float64
}

var mixed = profile{
	name: "mixed", burst: 0.0005, crowd: 0.01,
	surge: 0.35, onDelete: 0.1, oddStrategy: 0.06,
	constraint: 0.08, taint: 0.12, double: 0.12, ghost: 0.1,
	oddPod: 0.04, oddClaim: 0.06, oddSelector: 0.1, oddHistory: 0.05, oddSet: 0.01,
}

// profiles are variations of mixed.
var profiles = variations(
	func(p *profile) { p.name = "mixed" },
	func(p *profile) {
		p.name = "rollout"
		p.surge, p.onDelete, p.constraint, p.oddClaim, p.oddSelector, p.oddHistory = 0, 0.1, 0.03, 0.01, 0, 0.01
	},
	func(p *profile) {
		p.name = "surge"
		p.surge, p.onDelete, p.double, p.constraint, p.oddClaim, p.oddSelector, p.oddHistory = 1, 0, 0.4, 0.03, 0.01, 0, 0.01
	},
	func(p *profile) {
		p.name = "claims"
		p.oddClaim, p.oddSelector, p.oddPod = 0.35, 0.4, 0.1
	},
	func(p *profile) {
		p.name = "placement"
		p.constraint, p.taint, p.oddClaim, p.oddHistory = 0.4, 0.6, 0.01, 0.01
	},
	func(p *profile) {
		p.name = "history"
		p.oddHistory, p.oddSelector, p.oddSet = 0.25, 0.15, 0.05
	},
	func(p *profile) {
		p.name = "burst"
		p.burst = 1
	},
)

func variations(vary ...func(*profile)) map[string]profile {
	named := map[string]profile{}
	for _, change := range vary {
		p := mixed
		change(&p)
		named[p.name] = p
	}
	return named
}

func profileNames() string {
	return strings.Join(slices.Sorted(maps.Keys(profiles)), ", ")
}
