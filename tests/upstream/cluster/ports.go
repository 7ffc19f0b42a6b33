package main

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

const loopback = "127.0.0.1"

// The ports that are tried. They lie below those that systems give to outgoing
// connections: one of those could take the port of a part before it starts, or
// while it is stopped.
const (
	firstPort = 10000
	lastPort  = 30000
)

// freePorts returns different ports on which nobody listens.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range 100 * count {
		if len(ports) == count {
			break
		}
		port := firstPort + rand.IntN(lastPort-firstPort)
		listener, err := net.Listen("tcp", address(port))
		if err != nil {
			continue
		}
		// Held until all are found, so that none is found twice.
		defer listener.Close()
		ports = append(ports, port)
	}
	if len(ports) < count {
		return nil, errors.New("no free ports on " + loopback)
	}
	return ports, nil
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

func url(port int) string { return "https://" + address(port) }
