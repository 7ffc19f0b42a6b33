package main

import (
	"bufio"
	"encoding/json"
	"hash/maphash"
	"slices"
)

// largestRecord bounds a recorded line. Larger states show little that small
// ones do not.
const largestRecord = 9000

// candidate is a generated case, reduced to what the choice needs.
type candidate struct {
	seed     int64
	size     int
	features []uint64
}

// recordCases prints about keep of count generated cases: again and again the
// one that shows the most features not seen yet, for its size.
func recordCases(out *bufio.Writer, seed int64, count, keep int, p profile) error {
	oracle := newOracle()
	hashes := maphash.MakeSeed()
	var candidates []*candidate
	for i := range int64(count) {
		made := newCase(oracle, seed+i, p)
		line, err := json.Marshal(made)
		if err != nil {
			return err
		}
		if len(line) > largestRecord {
			continue
		}
		c := &candidate{seed: made.Seed, size: len(line)}
		for _, feature := range features(made) {
			c.features = append(c.features, maphash.String(hashes, feature))
		}
		candidates = append(candidates, c)
	}
	for _, seed := range choose(candidates, keep) {
		if err := writeLine(out, newCase(oracle, seed, p)); err != nil {
			return err
		}
	}
	return nil
}

// choose covers the features of the candidates greedily, with at most keep of
// them, and returns their seeds in order.
func choose(candidates []*candidate, keep int) []int64 {
	var chosen []int64
	covered := map[uint64]bool{}
	for len(chosen) < keep {
		var best *candidate
		var bestWorth float64
		for _, c := range candidates {
			// What is covered stays so: it need not be looked at again.
			c.features = slices.DeleteFunc(c.features, func(f uint64) bool { return covered[f] })
			if worth := float64(len(c.features)) / float64(c.size); worth > bestWorth {
				best, bestWorth = c, worth
			}
		}
		if best == nil {
			break
		}
		for _, feature := range best.features {
			covered[feature] = true
		}
		chosen = append(chosen, best.seed)
	}
	slices.Sort(chosen)
	return chosen
}
