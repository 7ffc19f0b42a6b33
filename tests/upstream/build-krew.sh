#!/bin/sh
# Builds krew and validate-krew-manifest, of which the release tests make use.
#
#   build-krew.sh OUT
#
# OUT is a folder. Without Go's build cache that takes half a minute, with it a second.
set -eu
case ${1:?usage: build-krew.sh OUT} in
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac
version=v0.4.3
# Krew is built as it was released: its modules and those of Kubernetes 1.37 do not go together.
cd /
GOBIN=$out exec go install \
	"sigs.k8s.io/krew/cmd/krew@$version" \
	"sigs.k8s.io/krew/cmd/validate-krew-manifest@$version"
