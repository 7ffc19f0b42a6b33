// Cluster is a Kubernetes control plane for tests and for trying things: etcd,
// API server, controller manager, scheduler and kubectl of the version in go.mod,
// unchanged, with nodes whose kubelets are played (package nodes). It needs
// nothing but a folder and a few free ports on the loopback interface, is ready
// within seconds and leaves nothing behind.
//
//	cluster serve --dir DIR [--nodes N] [--node-monitor-grace-period D] [--keep]
//	cluster playground [--dir DIR]
//	cluster kubectl …
//
// serve makes the folder, starts everything, and prints one line of JSON when all
// is ready ([ready]). Then it obeys commands on stdin, one JSON object a line, and
// answers each with one line ([command], [answer]). It ends, and everything with
// it, when stdin closes, on SIGTERM and on SIGINT, and removes the folder unless
// told to keep it. With thousands of nodes a grace period of some minutes spares
// the API server hundreds of renewed leases a second.
//
// playground starts a cluster with DaemonSets in trouble, says what to type, and
// runs until Ctrl-C.
//
// The folder holds
//
//	admin.kubeconfig       everything, by token
//	cert.kubeconfig        everything, by client certificate
//	reader.kubeconfig      reads what the plugin reads, in all namespaces
//	namespaced.kubeconfig  reads in the namespace "team" alone, and no nodes
//	nobody.kubeconfig      is known, and may do nothing
//	distrust.kubeconfig    everything, but trusts another certificate authority
//	bin/kubectl            kubectl of the same version
//	logs/                  what the parts say, and the nodes
//	pki/, etcd/            certificates, keys, tokens; data
//
// Each part of Kubernetes is a process of this binary, because they share global
// registries that cannot serve two of them: the first word says which part, and
// called as kubectl it is kubectl.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

const usage = `usage: cluster serve --dir DIR [--nodes N] [--node-monitor-grace-period D] [--keep]
       cluster playground [--dir DIR]
       cluster kubectl ...`

func main() {
	if filepath.Base(os.Args[0]) == kubectl {
		runKubectl()
		return
	}
	if len(os.Args) < 2 {
		fail(usage)
	}
	word, arguments := os.Args[1], os.Args[2:]
	if runPart(word, arguments) {
		return
	}
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	var err error
	switch word {
	case "serve":
		err = serve(ctx, arguments, os.Stdin, os.Stdout)
	case "playground":
		err = playground(ctx, arguments, os.Stdout)
	default:
		fail(usage)
	}
	if err != nil {
		fail("error: " + err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
