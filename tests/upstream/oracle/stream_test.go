package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestBadLines: whatever comes in, a line goes out.
func TestBadLines(t *testing.T) {
	in := strings.Join([]string{
		`nonsense`,
		`{"now":"2026-01-01T00:00:00Z"}`,
		`{"state":{"items":[{"kind":"Node","spec":3}]}}`,
		`{"state":{"items":[]},"daemonSet":{"namespace":"a","name":"b"}}`,
		`{"state":{"items":[{"kind":"DaemonSet"},{"kind":"Event"},{"kind":"Node"}]},"now":"2026-01-01T00:00:00Z"}`,
		`{"state":{"items":[]}}`,
	}, "\n")
	var written bytes.Buffer
	if err := answerLines(strings.NewReader(in), bufio.NewWriter(&written)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(written.String()), "\n")
	for i, want := range []string{Unreadable, Unreadable, Unreadable, Unreadable, `"outcome":"Failed"`, "[]"} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d: want %s in %v", i+1, want, lines)
		}
	}
}

// TestRecorded: the recorded decisions are those of the controller in go.mod.
func TestRecorded(t *testing.T) {
	file, err := os.Open("../recorded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	o := newOracle()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var recorded Case
		if err := json.Unmarshal(lines.Bytes(), &recorded); err != nil {
			t.Fatal(err)
		}
		answer := o.answer(recorded.State, recorded.State.daemonSet(recorded.DaemonSet), recorded.Now, 0)
		if got, want := settled(t, answer), settled(t, recorded.Answer); got != want {
			t.Errorf("seed %d:\nnow      %s\nrecorded %s", recorded.Seed, got, want)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
