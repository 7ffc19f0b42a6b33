package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
)

// ready is the line that says that a cluster is.
type ready struct {
	Dir        string `json:"dir"`
	Server     string `json:"server"`
	Kubeconfig string `json:"kubeconfig"` // the administrator's
	Kubectl    string `json:"kubectl"`
}

// command is a line of input.
//
//	{"do": "start", "part": P}          starts it, again if it runs, and waits until it is ready
//	{"do": "start", "part": "kube-controller-manager", "without": ["daemonset-controller"]}
//	{"do": "stop", "part": P}           kills it
//	{"do": "add-nodes", "count": N}     or "names"; with "labels", if need be
//	{"do": "remove-nodes", "names": […]}
//	{"do": "silence-nodes", "names": […]}
//	{"do": "revive-nodes", "names": […]}
//
// P is kube-apiserver, kube-controller-manager or kube-scheduler. What kubectl can
// do as well, as tainting or draining a node, is left to it.
type command struct {
	Do      string            `json:"do"`
	Part    string            `json:"part"`
	Without []string          `json:"without"` // controllers
	Count   int               `json:"count"`
	Names   []string          `json:"names"`
	Labels  map[string]string `json:"labels"`
}

// answer is what a command came to.
type answer struct {
	Error string   `json:"error,omitempty"`
	Nodes []string `json:"nodes,omitempty"` // those that were added
}

func serve(ctx context.Context, arguments []string, in io.Reader, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	flags.StringVar(&s.dir, "dir", "", "folder to make for the cluster")
	flags.IntVar(&s.numNodes, "nodes", 3, "number of nodes")
	flags.DurationVar(&s.nodeMonitorGracePeriod, "node-monitor-grace-period", defaultGracePeriod, "how long a kubelet may be silent")
	flags.BoolVar(&s.keep, "keep", false, "leave the folder behind")
	_ = flags.Parse(arguments)
	if s.dir == "" || flags.NArg() > 0 {
		return errors.New(usage)
	}

	// The end of stdin is seen also while the cluster starts.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := readLines(in, cancel)
	c, err := startCluster(ctx, s)
	if err != nil {
		return err
	}
	printed := json.NewEncoder(out)
	err = printed.Encode(ready{Dir: c.dir, Server: c.server(), Kubeconfig: c.kubeconfig(admin), Kubectl: c.kubectlPath()})
	for err == nil && ctx.Err() == nil {
		select {
		case line := <-lines:
			err = printed.Encode(c.obeyLine(ctx, line))
		case <-ctx.Done():
		}
	}
	return errors.Join(err, c.close())
}

// readLines sends the lines of in, and calls end when there are no more.
func readLines(in io.Reader, end func()) <-chan []byte {
	lines := make(chan []byte)
	go func() {
		defer end()
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			lines <- append([]byte(nil), scanner.Bytes()...)
		}
	}()
	return lines
}

func (c *cluster) obeyLine(ctx context.Context, line []byte) answer {
	var asked command
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil {
		return answer{Error: err.Error()}
	}
	added, err := c.obey(ctx, asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Nodes: added}
}

// obey does what it is told and returns the nodes that were added.
func (c *cluster) obey(ctx context.Context, asked command) ([]string, error) {
	switch asked.Do {
	case "start":
		return nil, c.start(ctx, asked.Part, asked.Without)
	case "stop":
		return nil, c.stop(asked.Part)
	case "add-nodes":
		return c.nodes.Add(ctx, asked.Count, asked.Names, asked.Labels)
	case "remove-nodes":
		return nil, c.nodes.Remove(ctx, asked.Names)
	case "silence-nodes":
		return nil, c.nodes.Silence(asked.Names)
	case "revive-nodes":
		return nil, c.nodes.Revive(ctx, asked.Names)
	default:
		return nil, fmt.Errorf("unknown command %q", asked.Do)
	}
}
