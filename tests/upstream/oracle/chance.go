package main

import "math/rand/v2"

// dice draws from a seeded source of randomness.
type dice struct{ *rand.Rand }

func newDice(seed int64) dice { return dice{rand.New(rand.NewPCG(uint64(seed), 0x6461656d6f6e))} }

// chance is true with the given probability.
func (d dice) chance(probability float64) bool { return d.Float64() < probability }

// between draws from low to high, both included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func pick[T any](d dice, choices ...T) T { return choices[d.IntN(len(choices))] }
