#!/bin/sh
# Brings up a cluster with DaemonSets in trouble, to try the plugin on, and says
# what to type. It needs Go, and minutes the first time. Ctrl-C ends it.
#
#   playground.sh [--dir DIR]
set -eu
upstream=$(cd "$(dirname "$0")" && pwd)
target=$upstream/../../target

mkdir -p "$target"
echo 'Building Kubernetes, this takes minutes the first time …'
"$upstream/build-cluster.sh" "$target/cluster"
exec "$target/cluster" playground "$@"
