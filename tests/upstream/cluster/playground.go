package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed playground.yaml
var playgroundManifest string

// playgroundNodes is enough for a rollout to be seen, and few enough for a screen.
const playgroundNodes = 12

// beforehand is what kubectl does, with the manifest on its stdin, to bring the
// DaemonSets up.
var beforehand = []string{
	"label node node-0011 node-0012 accelerator=gpu",
	"taint node node-0011 node-0012 dedicated=training:NoSchedule",
	"apply -f -",
	"-n logging rollout status ds/log-agent",
	"-n kube-system rollout status ds/cni",
	"-n storage wait ds/csi-driver --for=jsonpath={.status.numberAvailable}=10 --timeout=2m",
}

// trouble is what kubectl does then. New pods of cni take a minute to become
// ready, so that its rollout can be watched.
var trouble = []string{
	"cordon node-0003",
	"taint node node-0005 dedicated=database:NoExecute",
	"-n logging set image ds/log-agent agent=log-agent:2-bad",
	"-n kube-system set image ds/cni cni=cni:2-slow60",
	"-n storage set image ds/csi-driver driver=csi-driver:2",
	"-n storage delete pod -l app=csi-driver --field-selector spec.nodeName=node-0001 --wait=false",
	"-n storage delete pod -l app=csi-driver --field-selector spec.nodeName=node-0002 --wait=false",
	"-n storage delete pod -l app=csi-driver --field-selector spec.nodeName=node-0004 --wait=false",
	"-n storage delete pod -l app=csi-driver --field-selector spec.nodeName=node-0006 --wait=false",
	"-n storage delete pod -l app=csi-driver --field-selector spec.nodeName=node-0007 --wait=false",
}

// silentNode stops to report when all else is done.
const silentNode = "node-0009"

const introduction = `
A cluster of 12 nodes is up, and its DaemonSets are in trouble:

  logging/log-agent        the image of its new revision cannot be pulled
  kube-system/cni          a rollout by surge is under way, slowly: a new pod
                           takes a minute to become ready
  storage/csi-driver       OnDelete, and half of its pods are updated
  monitoring/gpu-exporter  selects two nodes, whose taints it does not tolerate

node-0003 is cordoned, node-0005 is tainted NoExecute, and the kubelet of node-0009
has just fallen silent. In another terminal type

  export KUBECONFIG=%s
  export PATH="%s:$PATH"
  kubectl get daemonsets -A -o wide
  kubectl daemonset plan -A

The second line is for those who have no kubectl. Ctrl-C ends the cluster and
removes all of it.
`

func playground(ctx context.Context, arguments []string, out io.Writer) error {
	s := settings{numNodes: playgroundNodes, options: options{nodeMonitorGracePeriod: defaultGracePeriod}}
	flags := flag.NewFlagSet("playground", flag.ExitOnError)
	flags.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), fmt.Sprintf("playground-%d", os.Getpid())), "folder to make for the cluster")
	_ = flags.Parse(arguments)
	if flags.NArg() > 0 {
		return errors.New(usage)
	}
	fmt.Fprintln(out, "Starting a cluster, this takes some seconds …")
	c, err := startCluster(ctx, s)
	if err != nil {
		return err
	}
	if err := c.play(ctx); err != nil && ctx.Err() == nil {
		return errors.Join(err, c.close())
	}
	if ctx.Err() == nil {
		fmt.Fprintf(out, introduction, c.kubeconfig(admin), filepath.Dir(c.kubectlPath()))
		<-ctx.Done()
	}
	return c.close()
}

// play brings the DaemonSets up, and then into trouble.
func (c *cluster) play(ctx context.Context) error {
	for _, line := range append(beforehand, trouble...) {
		if err := c.typeIn(ctx, line, playgroundManifest); err != nil {
			return err
		}
	}
	return c.nodes.Silence([]string{silentNode})
}

// typeIn runs kubectl with the words of a line.
func (c *cluster) typeIn(ctx context.Context, line, input string) error {
	run := exec.CommandContext(ctx, c.kubectlPath(), strings.Fields(line)...)
	run.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig(admin), "KUBECACHEDIR="+filepath.Join(c.dir, "cache"))
	run.Stdin = strings.NewReader(input)
	if output, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl %s: %w: %s", line, err, bytes.TrimSpace(output))
	}
	return nil
}
