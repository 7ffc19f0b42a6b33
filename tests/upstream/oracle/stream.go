package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	apps "k8s.io/api/apps/v1"
)

// request is a line of input to `oracle answer`.
type request struct {
	State     *State    `json:"state"`
	Now       time.Time `json:"now"`
	DaemonSet *Name     `json:"daemonSet"`
	Runs      int       `json:"runs"`
	Pods      bool      `json:"pods"`
}

// Unreadable is the outcome for a line that holds no state.
const Unreadable = "Unreadable"

func answerLines(in io.Reader, out *bufio.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<20)
	oracle := newOracle()
	for {
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := writeLine(out, oracle.reply(line)); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

// reply answers one line, with an Answer or a list of them.
func (o *oracle) reply(line []byte) any {
	var asked request
	err := json.Unmarshal(line, &asked)
	if err == nil && asked.State == nil {
		err = errors.New("no state")
	}
	if err != nil {
		return Answer{Outcome: Unreadable, Error: err.Error()}
	}
	o.pods = asked.Pods
	if asked.DaemonSet == nil {
		answers := []Answer{}
		for _, ds := range asked.State.DaemonSets {
			answer := o.safeAnswer(asked, ds)
			answer.DaemonSet = &Name{ds.Namespace, ds.Name}
			answers = append(answers, answer)
		}
		return answers
	}
	ds := asked.State.daemonSet(*asked.DaemonSet)
	if ds == nil {
		return Answer{Outcome: Unreadable, Error: fmt.Sprintf("the state has no DaemonSet %s/%s", asked.DaemonSet.Namespace, asked.DaemonSet.Name)}
	}
	return o.safeAnswer(asked, ds)
}

// safeAnswer survives a state on which even the oracle's own code panics.
func (o *oracle) safeAnswer(asked request, ds *apps.DaemonSet) (answer Answer) {
	err := protect(func() error {
		answer = o.answer(asked.State, ds, asked.Now, asked.Runs)
		return nil
	})
	if err != nil {
		o.controller = newController()
		return Answer{Outcome: Panicked, Error: err.Error()}
	}
	return answer
}

func writeLine(out *bufio.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.WriteByte('\n')
}
