package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
)

// process is a running part: a child of this process, of the same binary.
type process struct {
	name    string
	command *exec.Cmd
	log     string
	stopped atomic.Bool   // by us
	ended   chan struct{} // closed when it has ended, for whatever reason
}

// startProcess starts a part whose output goes to the end of a file.
func startProcess(logPath, name string, arguments []string) (*process, error) {
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	log, err := openLog(logPath)
	if err != nil {
		return nil, err
	}
	defer log.Close()

	command := exec.Command(binary, append([]string{name}, arguments...)...)
	p := &process{name: name, command: command, log: logPath, ended: make(chan struct{})}
	command.Stdout, command.Stderr = log, log
	// Nothing is ever written there: see endWithParent.
	if _, err := command.StdinPipe(); err != nil {
		return nil, err
	}
	// Ctrl-C is for the parent, which ends its parts in its own way.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go p.watch()
	return p, nil
}

func openLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// watch waits for the end of the process, and tells of one that nobody asked for.
func (p *process) watch() {
	err := p.command.Wait()
	if !p.stopped.Load() {
		fmt.Fprintf(os.Stderr, "%s has ended (%v); its last words:\n%s\n", p.name, err, p.lastWords())
	}
	close(p.ended)
}

// stop kills the process and waits for its end. There is nothing to save, and a
// polite end of the API server takes up to a minute.
func (p *process) stop() {
	p.stopped.Store(true)
	_ = p.command.Process.Kill() // it may have ended
	<-p.ended
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// lastWords returns the end of the log.
func (p *process) lastWords() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}
