//! Where the slim objects are served: group, version and plural of each.

use std::borrow::Cow;

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::Resource;

use super::{ControllerRevision, DaemonSet, Node, ObjectMeta, Pod};

macro_rules! resource {
    ($type:ident, $group:literal, $plural:literal, $scope:ident) => {
        impl Resource for $type {
            type DynamicType = ();
            type Scope = $scope;

            fn kind((): &()) -> Cow<'_, str> {
                stringify!($type).into()
            }

            fn group((): &()) -> Cow<'_, str> {
                $group.into()
            }

            fn version((): &()) -> Cow<'_, str> {
                "v1".into()
            }

            fn plural((): &()) -> Cow<'_, str> {
                $plural.into()
            }

            fn meta(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn meta_mut(&mut self) -> &mut ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

resource!(Node, "", "nodes", ClusterResourceScope);
resource!(Pod, "", "pods", NamespaceResourceScope);
resource!(DaemonSet, "apps", "daemonsets", NamespaceResourceScope);
resource!(ControllerRevision, "apps", "controllerrevisions", NamespaceResourceScope);
