package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// controllers are those that matter for nodes and DaemonSets, and for evictions.
var controllers = []string{
	"daemonset-controller", "node-lifecycle-controller", "taint-eviction-controller", "garbage-collector-controller",
	"pod-garbage-collector-controller", "disruption-controller", "namespace-controller", "serviceaccount-controller",
}

// arguments returns the command line of a part.
func (p *plane) arguments(part string, without []string) []string {
	switch part {
	case etcd:
		return p.etcdArguments()
	case apiServer:
		return p.apiServerArguments()
	case controllerManager:
		return append(p.clientArguments(part),
			"--controllers="+strings.Join(except(controllers, without), ","),
			"--service-account-private-key-file="+p.pki("service-accounts.key"),
			"--node-monitor-grace-period="+p.options.nodeMonitorGracePeriod.String(),
		)
	default:
		return p.clientArguments(part)
	}
}

func (p *plane) etcdArguments() []string {
	clients, peers := url(p.ports[etcd]), url(p.ports[etcdPeers])
	return []string{
		"--data-dir=" + filepath.Join(p.dir, "etcd"),
		"--listen-client-urls=" + clients,
		"--advertise-client-urls=" + clients,
		"--listen-peer-urls=" + peers,
		"--initial-advertise-peer-urls=" + peers,
		"--initial-cluster=default=" + peers,
		"--cert-file=" + p.pki("part.crt"),
		"--key-file=" + p.pki("part.key"),
		"--trusted-ca-file=" + p.pki("ca.crt"),
		"--client-cert-auth",
		"--peer-cert-file=" + p.pki("part.crt"),
		"--peer-key-file=" + p.pki("part.key"),
		"--peer-trusted-ca-file=" + p.pki("ca.crt"),
		"--peer-client-cert-auth",
		"--unsafe-no-fsync", // the data lives as long as the process
	}
}

func (p *plane) apiServerArguments() []string {
	return append(p.servingArguments(apiServer),
		"--etcd-servers="+url(p.ports[etcd]),
		"--etcd-cafile="+p.pki("ca.crt"),
		"--etcd-certfile="+p.pki("part.crt"),
		"--etcd-keyfile="+p.pki("part.key"),
		"--authorization-mode=RBAC",
		"--token-auth-file="+p.pki("tokens.csv"),
		"--client-ca-file="+p.pki("ca.crt"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+p.pki("service-accounts.key"),
		"--service-account-signing-key-file="+p.pki("service-accounts.key"),
		"--service-cluster-ip-range=10.0.0.0/24",
		// Pods need no service account, and the service "kubernetes" no endpoint.
		"--disable-admission-plugins=ServiceAccount",
		"--endpoint-reconciler-type=none",
	)
}

// clientArguments are those of a part that works on the API server.
func (p *plane) clientArguments(part string) []string {
	kubeconfig := p.kubeconfig(admin)
	return append(p.servingArguments(part),
		"--kubeconfig="+kubeconfig,
		"--authentication-kubeconfig="+kubeconfig,
		"--authorization-kubeconfig="+kubeconfig,
		"--leader-elect=false",
		// Upstream's limits, 20 a second, are for controllers that share a server.
		"--kube-api-qps=500",
		"--kube-api-burst=1000",
	)
}

func (p *plane) servingArguments(part string) []string {
	return []string{
		"--bind-address=" + loopback,
		fmt.Sprintf("--secure-port=%d", p.ports[part]),
		"--tls-cert-file=" + p.pki("part.crt"),
		"--tls-private-key-file=" + p.pki("part.key"),
		"--cert-dir=" + p.pki(""),
	}
}

func except(names, without []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(without, name) })
}
