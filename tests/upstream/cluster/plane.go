package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// plane is a control plane: its parts, and the folder with all they need.
type plane struct {
	dir       string
	options   options
	ports     map[string]int
	client    *http.Client // trusts the cluster's authority alone
	processes map[string]*process
}

// options are what can be said about a control plane.
type options struct {
	// nodeMonitorGracePeriod is how long a kubelet may be silent before its node
	// counts as unreachable.
	nodeMonitorGracePeriod time.Duration
}

const (
	etcdPeers = "etcd peers" // a port, not a part
	// patience is how long a part may take to become ready, on a machine that
	// has other things to do as well.
	patience = 2 * time.Minute
)

// newPlane fills the folder, which exists and is empty. Nothing is started yet.
func newPlane(dir string, options options) (*plane, error) {
	p := &plane{dir: dir, options: options, ports: map[string]int{}, processes: map[string]*process{}}
	for _, folder := range []string{"pki", "logs", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			return nil, err
		}
	}
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(binary, p.kubectlPath()); err != nil {
		return nil, err
	}
	names := []string{etcd, etcdPeers, apiServer, controllerManager, scheduler}
	ports, err := freePorts(len(names))
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		p.ports[name] = ports[i]
	}
	return p, p.writeSecrets()
}

// writeSecrets makes all keys, certificates and tokens.
func (p *plane) writeSecrets() error {
	ca, err := newAuthority()
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.pki("ca.crt"), ca.pem, 0o600); err != nil {
		return err
	}
	part, err := ca.issue("part")
	if err != nil {
		return err
	}
	if err := part.write(p.pki(""), "part"); err != nil {
		return err
	}
	signing, err := newSigningKey()
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.pki("service-accounts.key"), signing, 0o600); err != nil {
		return err
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(ca.certificate)
	p.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, DisableKeepAlives: true}}
	return p.writeAccess(ca)
}

// run starts all parts and returns when they are ready. The caller stops them,
// also after an error.
func (p *plane) run(ctx context.Context) error {
	for _, part := range []string{etcd, apiServer} {
		if err := p.launch(part); err != nil {
			return err
		}
	}
	if err := p.awaitReady(ctx, apiServer); err != nil {
		return err
	}
	// Both give up if the API server is not ready.
	for _, part := range []string{controllerManager, scheduler} {
		if err := p.launch(part); err != nil {
			return err
		}
	}
	for _, part := range []string{controllerManager, scheduler} {
		if err := p.awaitReady(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// start starts a part, after stopping it if it runs, and returns when it is
// ready. The controller manager can go without some of its controllers.
func (p *plane) start(ctx context.Context, part string, without []string) error {
	for _, name := range without {
		if part != controllerManager || !slices.Contains(controllers, name) {
			return fmt.Errorf("%s has no %q", part, name)
		}
	}
	if err := p.stop(part); err != nil {
		return err
	}
	if err := p.launch(part, without...); err != nil {
		return err
	}
	return p.awaitReady(ctx, part)
}

// stop stops a part and returns when it has ended.
func (p *plane) stop(part string) error {
	switch part {
	case apiServer, controllerManager, scheduler:
	default:
		return fmt.Errorf("%q is no part that can be stopped and started", part)
	}
	if running := p.processes[part]; running != nil {
		running.stop()
		delete(p.processes, part)
	}
	return nil
}

// stopAll stops everything, what depends on others first.
func (p *plane) stopAll() {
	for _, part := range []string{scheduler, controllerManager, apiServer, etcd} {
		if running := p.processes[part]; running != nil {
			running.stop()
			delete(p.processes, part)
		}
	}
}

func (p *plane) launch(part string, without ...string) error {
	started, err := startProcess(p.log(part), part, p.arguments(part, without))
	if err == nil {
		p.processes[part] = started
	}
	return err
}

// awaitReady waits until a part says that it is ready.
func (p *plane) awaitReady(ctx context.Context, part string) error {
	path := "/healthz"
	if part == apiServer {
		path = "/readyz"
	}
	running := p.processes[part]
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		if running.hasEnded() {
			return false, fmt.Errorf("%s has ended", part)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url(p.ports[part])+path, nil)
		if err != nil {
			return false, err
		}
		response, err := p.client.Do(request)
		if err != nil {
			return false, nil // not yet
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK, nil
	})
	if wait.Interrupted(err) {
		return fmt.Errorf("%s is not ready; its last words:\n%s", part, running.lastWords())
	}
	return err
}

func (p *plane) server() string { return url(p.ports[apiServer]) }

func (p *plane) kubectlPath() string { return filepath.Join(p.dir, "bin", kubectl) }

func (p *plane) log(name string) string { return filepath.Join(p.dir, "logs", name+".log") }

func (p *plane) pki(name string) string { return filepath.Join(p.dir, "pki", name) }
