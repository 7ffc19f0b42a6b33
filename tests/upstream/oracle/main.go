// Oracle runs the DaemonSet controller of Kubernetes itself, in this process,
// on a given state and prints what one sync of it decides. Our own reconciler
// is compared with it.
//
//	oracle answer
//	oracle generate -seed S -count N [-profile NAME]
//	oracle record -seed S -count N -keep K
//
// answer reads one JSON object per line,
//
//	{"state": List, "now": RFC 3339, "daemonSet": {"namespace", "name"}, "runs": n, "pods": bool}
//
// and prints one line per line, flushed at once: an [Answer], or, without
// "daemonSet", an array of the answers for every DaemonSet in the list. State is
// a v1 List of Node, DaemonSet, Pod and ControllerRevision, as `kubectl get -o
// json` prints it; other kinds are ignored. "runs" bounds how often a step may
// be repeated (see below); "pods" asks for the pods that the sync creates, whole.
//
// generate prints N random states with their answers, one per line (see [Case]).
// The state of a line depends only on its seed, S, S+1 and so on, and on the
// profile: a seed and a profile reproduce a state.
//
// record generates N states and prints about K small ones that together show as
// many distinct behaviours as all of them (features.go). ../recorded.jsonl is
// made by
//
//	oracle record -seed 1 -count 60000 -keep 420
//
// # How an answer comes about
//
// The controller is the package k8s.io/kubernetes/pkg/controller/daemon of the
// version in go.mod, unchanged. Its informers are stores that hold the state
// (store.go), its API client notes what it is asked to write and says yes
// (client.go), and its clock stands still. A sync means: no back-off, no open
// expectations, caches in step with the server.
//
// The whole sync is run once, on objects in the order of their names. That run
// gives the outcome, the claims, the revisions and the status. Then manage and
// the rolling-update step are run by themselves, on this same state and with the
// hash that the sync used. The controller walks Go maps, so that what it does can
// differ from sync to sync; each step is therefore repeated, with every list in a
// fresh random order, until what is common to all runs and what occurs in any of
// them is beyond reasonable doubt ([Step], sample.go).
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

const usage = `usage: oracle answer
       oracle generate -seed S -count N [-profile NAME]
       oracle record -seed S -count N -keep K [-profile NAME]`

func main() {
	if len(os.Args) < 2 {
		fail(usage)
	}
	// All work is done one after the other; for more cores, start more processes.
	runtime.GOMAXPROCS(1)

	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	seed := flags.Int64("seed", 1, "seed of the first state")
	count := flags.Int("count", 1, "number of states")
	keep := flags.Int("keep", 300, "number of states to keep")
	profileName := flags.String("profile", "mixed", "kind of states: "+profileNames())
	_ = flags.Parse(os.Args[2:])

	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	chosen, ok := profiles[*profileName]
	if !ok {
		fail("unknown profile " + *profileName + ", there are: " + profileNames())
	}
	var err error
	switch os.Args[1] {
	case "answer":
		err = answerLines(os.Stdin, out)
	case "generate":
		collectSeldom()
		err = generateCases(out, *seed, *count, chosen)
	case "record":
		collectSeldom()
		err = recordCases(out, *seed, *count, *keep, chosen)
	default:
		fail(usage)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fail(err.Error())
	}
}

// collectSeldom lets garbage pile up: states are small, and next to nothing of
// one is of use for the next.
func collectSeldom() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(192 << 20)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}
