//! The closed vocabularies of the Plan: every code once, with what it means in words.
//!
//! README lists them; a test holds that list and these enums together.

use serde::Serialize;

/// Defines an enum whose variants are stable codes, each with a sentence.
macro_rules! codes {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident => $message:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = $message] $(#[$variant_meta])* $variant,)*
        }

        impl $name {
            /// All of them, in the order of their definition.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the stable code.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// Returns the code in words.
            pub fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

/// Serializes an enum as its stable code.
macro_rules! serialize_as_code {
    ($($name:ident),*) => { $(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )* };
}

pub(crate) use {codes, serialize_as_code};

serialize_as_code!(Outcome, Verdict, When, NodeVerdict, CheckName, NextAction, Reason, FindingCode);

codes! {
    /// How the sync would end.
    pub enum Outcome {
        Reconciled => "the sync goes through all its phases",
        SkippedEmptySelector => "the selector is empty: the controller only sends a warning event",
        SkippedDeleting => "the set is being deleted: the controller leaves it alone",
        AwaitingObservation => "the controller has not yet looked at the newest spec",
        Failed => "the sync would end in an error",
    }
}

codes! {
    /// The state of a set in a word.
    pub enum Verdict {
        InSync => "every wanted node has an available pod of the current revision",
        Work => "the controller's next sync creates or deletes a pod",
        Moving => "a pod is on its way, or the controller has yet to look",
        Degraded => "some wanted node has no available pod, and nothing is under way",
        Blocked => "work is pending and cannot proceed by itself",
        AwaitingDelete => "OnDelete: outdated pods wait until somebody deletes them",
        NothingToRun => "no node is wanted and no pod is left",
        Skipped => "the controller does nothing for this set",
        Unknown => "placement cannot be judged: the nodes are not known",
    }
}

codes! {
    /// Whether a sync takes the rolling-update step.
    pub enum When {
        Now => "this sync takes the step",
        AfterManage => "a later sync takes it, once the creations and deletions of manage have been seen",
        OnDelete => "the controller never takes it: pods are replaced when somebody deletes them",
        Never => "the strategy type is unknown: the controller never takes it",
    }
}

codes! {
    /// How a node stands.
    pub enum NodeVerdict {
        Ok => "has what it should",
        Missing => "wants a pod and has none",
        Outdated => "its available pod is of an old revision",
        NotAvailable => "its pod is not available",
        Duplicate => "has more pods than it should",
        Misscheduled => "has a pod, though none would be started",
        NotWanted => "wants no pod and has none",
    }
}

codes! {
    /// The checks of placement, in the controller's order.
    pub enum CheckName {
        NodeName => "spec.template.spec.nodeName names this node, or none",
        NodeSelector => "the node has every label of spec.template.spec.nodeSelector",
        NodeAffinity => "the node matches a term of the required node affinity",
        Tolerations => "every NoSchedule and NoExecute taint of the node is tolerated",
        NoExecuteTolerations => "every NoExecute taint of the node is tolerated, so that a pod may stay",
    }
}

codes! {
    /// Why something is decided or counted: one per branch of the controller.
    pub enum Reason {
        DaemonPodAvailable => "one available pod of the current revision",
        NodeHasNoDaemonPod => "the node should run a pod and has none",
        NodeHasNoLivePod => "surge: no pod of the node is live, so one is made beside those that go",
        FailedPod => "the pod has failed",
        SucceededPod => "the pod has ended",
        ExcessPod => "an older pod of the set is on the same node",
        OldPodNotReady => "surge: the new pod is there and the old one is not ready",
        NewPodAvailable => "surge: the new pod is available, so the old one goes",
        NodeShouldNotContinueRunning => "the node may not keep a pod of this set",
        NodeDoesNotExist => "the pod is pinned to a node that does not exist",
        NodeNameMismatch => "spec.template.spec.nodeName names another node",
        NodeSelectorMismatch => "the node lacks a label of the node selector",
        NodeAffinityMismatch => "the node matches no term of the required node affinity",
        UntoleratedNoScheduleTaint => "a NoSchedule taint is not tolerated: none is started, one that runs may stay",
        UntoleratedNoExecuteTaint => "a NoExecute taint is not tolerated: none may run",
        OldPodUnavailable => "the old pod is not available, so it is replaced whatever the budget",
        OldPodAvailable => "the old pod is available, so replacing it takes a place in the budget",
        OldPodOnUnwantedNode => "surge: the old pod is on a node that should not run one",
        NewPodNotAvailable => "the new pod is not available",
        NewAndOldPod => "a new and an old pod are on the node",
        AmbiguousPods => "several new or several old pods are on the node",
        OnlyTerminatingPods => "every pod of the node terminates",
        NoPod => "the node has no pod",
    }
}

codes! {
    /// What happens next to a pod, or on a node without one.
    pub enum NextAction {
        Create => "a pod is made",
        Delete => "the pod is deleted",
        Adopt => "the set takes ownership of the pod",
        Release => "the set gives up ownership of the pod",
        Terminate => "the pod already terminates",
        WaitForBudget => "the pod is replaced once nodes that count against the budget no longer do",
        WaitForSuccessor => "the pod goes once the new pod beside it is available",
        WaitForDelete => "the pod is replaced when somebody deletes it",
        Stay => "the pod stays, although none would be started here",
        LeaveToGarbageCollection => "the pod is left to pod garbage collection",
        Unknown => "it cannot be judged",
        None => "nothing",
    }
}

codes! {
    /// What a finding is about.
    pub enum FindingCode {
        SetIsDeleted => "the set is being deleted, so the controller leaves it alone",
        EmptySelector => "the selector is empty, so the controller does nothing for the set",
        SyncFails => "every sync of the set ends in an error",
        NodesUnknown => "the nodes are not known, so placement cannot be judged",
        RevisionsUnknown => "the ControllerRevisions are not known, so old and new pods are told apart by their template generation only",
        RolloutFails => "the rolling update ends in an error and replaces nothing",
        BudgetExhausted => "nodes that are down use up the rollout budget",
        NewRevisionFails => "pods of the new revision do not become available",
        PodsFail => "pods do not become available",
        PodsStuckTerminating => "pods should be gone and are not",
        NodesDown => "wanted nodes are not ready, and so are their pods",
        VirtualNodes => "the set is wanted on virtual nodes, where its pods never run",
        NodeSelectorAdded => "something adds a node selector to the pods that the set does not know of",
        DoesNotFit => "pods find no place on the only node that may host them",
        NotScheduled => "the scheduler has not looked at pods",
        HostPortWithSurge => "the set takes host ports, so a new pod never fits beside the old one",
        CannotCreate => "the controller cannot create pods",
        CannotDelete => "the controller cannot delete pods",
        PodsFailed => "pods have failed or ended, and are replaced",
        PodsRestart => "pods are Ready now, but restart again and again",
        MinReadySecondsWait => "pods are Ready and wait for minReadySeconds",
        NoEligibleNode => "no node is eligible",
        PodsRemovedAtOnce => "pods go at once because their nodes may not keep them",
        PodsOnMissingNodes => "pods belong to nodes that do not exist",
        PodsWithoutNode => "pods name no node, so the controller does not see them",
        DuplicatePods => "nodes have more pods than they should",
        ReplacedBeyondBudget => "old pods that are not available are replaced, whatever the budget",
        RolloutLosesPods => "the rollout deletes pods that do not come back",
        KeptOnTaintedNodes => "pods are kept on nodes where none would be started",
        KeptOnNodesNotReady => "nodes that are not ready keep their pods and are not wanted for the time being",
        NotStartedOnTaintedNodes => "nodes get no pod because of a taint",
        EvictionLoop => "pods are evicted again and again, because a taint is tolerated for a time only",
        ControllerStandsStill => "work is due and the controller does not do it",
        NotObserved => "the controller has not looked at the newest spec",
        Paused => "the rollout is paused until somebody resumes it",
        OnDeleteWaits => "outdated pods wait until somebody deletes them",
        UnknownStrategy => "the update strategy is none that the controller knows",
        WholeSetAtOnce => "the rollout budget allows all pods to be unavailable at once",
        ZeroBudget => "both limits come to 0, so the controller takes 1",
        SharedSelector => "pods of other owners match the selector",
        OverlappingSets => "another set selects the same labels",
        PodsAdopted => "pods without an owner are adopted",
        PodsReleased => "pods no longer match the selector and are released",
        SelectorMissesTemplate => "the selector does not match the template's own labels",
        TermNeverMatches => "a term of the node affinity can never match",
        TolerationNeverMatches => "a toleration can never match",
        RevisionRewritten => "a new revision is made although the template has not changed",
        NewRevision => "no revision equals the template: one is made, and the rollout starts",
        RevisionNameTaken => "a revision with the template's data is there and does not belong to the set",
        RevisionsMerged => "several revisions equal the template: they are merged, and pods count as updated without a restart",
        RolledBack => "an older revision is current again",
        RevisionWithoutHash => "the current revision lacks its hash label",
        CordonedNodesWanted => "cordoned nodes get a pod all the same",
        StatusStale => "the reported status differs from what is there",
    }
}

impl Reason {
    /// Returns how things stand, without what follows from it, which depends on the update strategy.
    pub fn standing(self) -> &'static str {
        let message = self.message();
        message.split_once(", so ").map_or(message, |(standing, _)| standing)
    }
}

/// What is done to those taken of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// A pod is made.
    Create,
    /// A pod is deleted.
    Delete,
}

/// Whether a pod is of the current revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PodRevision {
    /// It is up to date.
    Current,
    /// It is not.
    Old,
}

/// How grave a finding is; the gravest sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Something is broken and stays so.
    Error,
    /// Something will surprise.
    Warning,
    /// Good to know.
    Info,
}

/// A kind of object that a source may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// Without them placement cannot be judged.
    Nodes,
    /// Without them the current revision is not known.
    ControllerRevisions,
}
