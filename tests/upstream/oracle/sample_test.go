package main

import (
	"math/rand/v2"
	"testing"
)

// TestSample takes k of n equal candidates beside some certain names, often: a
// step that calls itself exact has to be.
func TestSample(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct{ certain, k, n int }{{0, 1, 2}, {0, 1, 8}, {0, 7, 8}, {3, 1, 2}, {3, 7, 8}, {3, 4, 8}, {5, 0, 0}, {1, 1, 10}} {
		for range 300 {
			result := newTally(0)
			sample(true, defaultRuns, []*tally{result}, func() bool {
				names := []string{"one", "two", "three", "four", "five"}[:test.certain]
				for _, i := range random.Perm(test.n)[:test.k] {
					names = append(names, string(rune('a'+i)))
				}
				result.add(names)
				return true
			})
			step := result.step(true)
			if !step.Exact || len(step.Always) != test.certain || len(step.Ever) != test.certain+test.n {
				t.Errorf("%+v: %+v", test, step)
			}
		}
	}
}
