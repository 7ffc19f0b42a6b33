#!/bin/sh
# Builds the cluster of tests and of the playground (see cluster/main.go).
#
#   build-cluster.sh OUT
#
# Without Go's build cache that takes minutes, with it seconds.
set -eu
case ${1:?usage: build-cluster.sh OUT} in
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")"

# What the binaries of a release are told about themselves; kubectl refuses a
# server without a version.
kubernetes=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
minor=${kubernetes#v1.}
version=k8s.io/component-base/version
exec go build -o "$out" -ldflags "-s -w \
	-X $version.gitVersion=$kubernetes \
	-X $version.gitMajor=1 \
	-X $version.gitMinor=${minor%%.*}" ./cluster
