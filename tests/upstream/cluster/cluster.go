package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"kubectl-daemonset/tests/upstream/cluster/nodes"
)

// cluster is a control plane with nodes.
type cluster struct {
	*plane
	nodes *nodes.Nodes
	keep  bool // the folder stays
}

// settings are what can be said about a cluster.
type settings struct {
	options
	dir      string
	keep     bool
	numNodes int
}

const defaultGracePeriod = 50 * time.Second // as upstream

// startCluster returns a cluster that is ready. Its nodes live as long as the
// context, the rest until close is called.
func startCluster(ctx context.Context, s settings) (*cluster, error) {
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return nil, err
	}
	// A folder that exists may hold what is not ours to remove.
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	c := &cluster{keep: s.keep}
	c.plane, err = newPlane(dir, s.options)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := c.run(ctx, s.numNodes); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *cluster) run(ctx context.Context, numNodes int) error {
	if err := c.plane.run(ctx); err != nil {
		return err
	}
	if err := c.divertLogs(); err != nil {
		return err
	}
	client, err := c.newClient()
	if err != nil {
		return err
	}
	if err := grantAccess(ctx, client); err != nil {
		return fmt.Errorf("grant access: %w", err)
	}
	// Three leases in a row may get lost before a node counts as unreachable.
	c.nodes, err = nodes.Start(ctx, client, c.options.nodeMonitorGracePeriod/4)
	if err != nil {
		return err
	}
	_, err = c.nodes.Add(ctx, numNodes, nil, nil)
	return err
}

// divertLogs gives what the client libraries in this process say a log of its own.
func (c *cluster) divertLogs() error {
	log, err := openLog(c.log("nodes"))
	if err != nil {
		return err
	}
	klog.LogToStderr(false)
	klog.SetOutput(log)
	return nil
}

// newClient returns a client of the administrator that is never throttled.
func (c *cluster) newClient() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig(admin))
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.ContentType = runtime.ContentTypeProtobuf
	return kubernetes.NewForConfig(config)
}

// close ends all processes and removes the folder, unless it is to stay.
func (c *cluster) close() error {
	c.stopAll()
	if c.keep {
		return nil
	}
	return os.RemoveAll(c.dir)
}
