#!/bin/sh
# Shows how much of the controller's decisions the generated states reach: the
# coverage of each deciding function, and the source lines that no state reached.
#
#   coverage.sh [number of states]
#
# A comparison with the oracle is worth as much as this.
set -eu
cd "$(dirname "$0")"

states=${1:-20000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

daemon=k8s.io/kubernetes/pkg/controller/daemon
scheduling=k8s.io/component-helpers/scheduling/corev1
packages=$daemon,$daemon/util,k8s.io/kubernetes/pkg/controller,$scheduling,$scheduling/nodeaffinity
# Without its main package a program would not write its counters.
go build -cover -coverpkg="$packages,$(go list ./oracle)" -o "$work/oracle" ./oracle

mkdir "$work/counters"
export GOCOVERDIR="$work/counters"
for profile in mixed rollout surge claims placement history; do
	"$work/oracle" generate -seed 1 -count $((states / 6)) -profile "$profile" >/dev/null
done
"$work/oracle" generate -seed 1 -count 20 -profile burst >/dev/null
go tool covdata textfmt -i="$work/counters" -pkg="$packages" -o="$work/profile"

# What decides. The rest is set-up, event handlers and queues, which a sync in
# our sense does not involve.
functions='syncDaemonSet|updateDaemonSet|manage|podsShouldBeOnNode|syncNodes|getDaemonPods|getNodesToDaemonPods
getUnscheduledPodsWithoutNode|nodeShouldRunDaemonPod|daemonPodTolerations|predicates|Less|failedPodsBackoffKey
updateDaemonSetStatus|storeDaemonSetStatus|rollingUpdate|findUpdatedPodsOnNode|updatedDesiredNodeCounts
constructHistory|cleanupHistory|maxRevision|dedupCurHistories|controlledHistories|Match|getPatch|snapshot
GetTemplateGeneration|AddOrUpdateDaemonPodTolerations|CreatePodTemplate|AllowsSurge|SurgeCount|UnavailableCount
IsPodUpdated|ReplaceDaemonSetPodNodeNameNodeAffinity|GetTargetNodeName
FilterPodsByOwner|ClaimObject|ClaimPods|AdoptPod|ReleasePod|ClaimControllerRevisions|AdoptControllerRevision|ReleaseControllerRevision
FindMatchingUntoleratedTaint|getFilteredTaints|TolerationsTolerateTaint|TolerationsTolerateTaintsWithFilter|NewRequiredNodeAffinity
isEmptyNodeSelectorTerm|newNodeSelectorTerm|nodeSelectorRequirementsAsSelector|nodeSelectorRequirementsAsFieldSelector|match'
functions=$(echo "$functions" | tr '\n' '|' | sed 's/|$//')

# The sort orders of other controllers bear the same names as ours.
go tool cover -func="$work/profile" | sed 's/\(controller_utils.go.*\)Less/\1other/' >"$work/all"
awk -v wanted="^($functions)\$" '$2 ~ wanted' "$work/all" >"$work/functions"
echo "Coverage of the deciding functions by $states states:"
awk '{ sub(/.*\//, "", $1); printf "%7s  %s %s\n", $3, $1, $2 }' "$work/functions" | sort -n

echo
echo "Blocks that were not reached in them:"
# A function ends where the next one in the list of all functions begins.
awk -F'[:\t ]+' '{ print $1, $2, $3 }' "$work/all" >"$work/starts"
awk -v wanted="^($functions)\$" '
	FNR == NR { n++; file[n] = $1; start[n] = $2; name[n] = $3; next }
	FNR == 1 { next }
	$NF == 0 {
		path = $1; sub(/:.*/, "", path)
		range = $1; sub(/.*:/, "", range)
		split(range, ends, /[.,]/)
		inside = ""
		for (i = 1; i <= n; i++)
			if (file[i] == path && start[i] <= ends[1]) inside = name[i]
		if (inside ~ wanted) print path, ends[1], ends[3], inside
	}' "$work/starts" "$work/profile" | sort -u -k1,1 -k2,2n | while read -r path first last name; do
	echo
	echo "$(basename "$path"):$first-$last $name"
	sed -n "${first},${last}p" "$(go list -f '{{.Dir}}' "$(dirname "$path")")/$(basename "$path")"
done
