package main

import (
	"io"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // as in kubectl's own main
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	kubectlcmd "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanagerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	schedulerapp "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// The parts of a cluster, as upstream calls them.
const (
	etcd              = "etcd"
	apiServer         = "kube-apiserver"
	controllerManager = "kube-controller-manager"
	scheduler         = "kube-scheduler"
	kubectl           = "kubectl"
)

// runPart is the whole life of a process that is a part of a cluster. It is
// false if there is no such part.
func runPart(name string, arguments []string) bool {
	os.Args = append([]string{name}, arguments...)
	switch name {
	case etcd:
		go endWithParent()
		etcdmain.Main(os.Args)
	case apiServer:
		go endWithParent()
		os.Exit(cli.Run(apiserverapp.NewAPIServerCommand()))
	case controllerManager:
		go endWithParent()
		os.Exit(cli.Run(controllermanagerapp.NewControllerManagerCommand()))
	case scheduler:
		go endWithParent()
		os.Exit(cli.Run(schedulerapp.NewSchedulerCommand()))
	case kubectl:
		runKubectl()
	default:
		return false
	}
	return true
}

// endWithParent ends this process when its stdin closes. The other end of that
// pipe is held by the parent alone, and the system closes it however the parent
// ends, so that no part outlives its cluster.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

// runKubectl does what the main function of upstream's cmd/kubectl does.
func runKubectl() {
	_, _ = logs.GlogSetter(kubectlcmd.GetLogVerbosity(os.Args)) // a number is a level
	if err := cli.RunNoErrOutput(kubectlcmd.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}
