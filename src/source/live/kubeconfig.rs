//! Kubeconfig files: which ones are read, and what they say together.
//!
//! Upstream: client-go tools/clientcmd `ClientConfigLoadingRules` (1.37).

mod file;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use kube::config::{AuthInfo, Cluster, Context, Kubeconfig};

use crate::error::UserError;
use crate::view::suggest::closest;

/// Reads a variable of the environment.
pub(super) type Environment<'e> = &'e dyn Fn(&str) -> Option<OsString>;

/// The files that are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Files {
    /// The one that a flag names, which must be there.
    Named(PathBuf),
    /// Those of KUBECONFIG, of which some may not be there.
    Listed(Vec<PathBuf>),
    /// The one in the home folder, which may not be there.
    Default(PathBuf),
}

impl Files {
    /// Chooses the files as kubectl does.
    pub(super) fn choose(flag: Option<&Path>, environment: Environment<'_>) -> Self {
        if let Some(path) = flag.filter(|path| !path.as_os_str().is_empty()) {
            return Self::Named(path.to_owned());
        }
        if let Some(listed) = environment("KUBECONFIG").filter(|listed| !listed.is_empty()) {
            let mut paths: Vec<PathBuf> = Vec::new();
            for path in std::env::split_paths(&listed) {
                if !path.as_os_str().is_empty() && !paths.contains(&path) {
                    paths.push(path);
                }
            }
            return Self::Listed(paths);
        }
        let home = environment("HOME").or_else(|| environment("USERPROFILE")).unwrap_or_default();
        Self::Default(Path::new(&home).join(".kube").join("config"))
    }

    /// Reads and merges the files; those that may be missing count as empty.
    pub(super) fn read(&self) -> anyhow::Result<Kubeconfig> {
        let paths = match self {
            Self::Named(path) => {
                return file::read(path)?.ok_or_else(|| anyhow!("read kubeconfig {path:?}: there is no such file"));
            }
            Self::Listed(paths) => paths.as_slice(),
            Self::Default(path) => std::slice::from_ref(path),
        };
        let mut merged = Kubeconfig::default();
        for path in paths {
            if let Some(next) = file::read(path)? {
                merged = merged.merge(next).map_err(|error| anyhow!("merge the files of KUBECONFIG: {error}"))?;
            }
        }
        Ok(merged)
    }

    /// Says where was looked, for an error.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Named(path) => format!("{path:?}"),
            Self::Listed(paths) => {
                let paths: Vec<_> = paths.iter().map(|path| format!("{path:?}")).collect();
                format!("KUBECONFIG ({})", paths.join(", "))
            }
            Self::Default(path) => format!("{path:?}"),
        }
    }
}

/// Names that flags choose instead of what the files say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice<'a> {
    pub(super) context: Option<&'a str>,
    pub(super) cluster: Option<&'a str>,
    pub(super) user: Option<&'a str>,
}

/// The parts of a kubeconfig that hold for one command.
#[derive(Clone, Debug, Default)]
pub(super) struct Selected {
    pub(super) context: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) cluster_name: Option<String>,
    pub(super) cluster: Cluster,
    pub(super) user_name: Option<String>,
    pub(super) user: AuthInfo,
}

/// Selects context, cluster and user.
///
/// Errors: one of them is named and is not there.
pub(super) fn select(config: &Kubeconfig, choice: Choice<'_>) -> Result<Selected, UserError> {
    let context_name = choice.context.map(str::to_owned).or_else(|| config.current_context.clone());
    let context = match context_name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => find_context(config, name)?,
        None => Context::default(),
    };
    let cluster_name = choice.cluster.or(Some(context.cluster.as_str())).filter(|name| !name.is_empty());
    let clusters = config.clusters.iter().map(|named| (named.name.as_str(), named.cluster.as_ref()));
    let user_name = choice.user.or(context.user.as_deref()).filter(|name| !name.is_empty());
    let users = config.auth_infos.iter().map(|named| (named.name.as_str(), named.auth_info.as_ref()));
    Ok(Selected {
        context: context_name,
        namespace: context.namespace.filter(|namespace| !namespace.is_empty()),
        cluster_name: cluster_name.map(str::to_owned),
        cluster: find("cluster", cluster_name, clusters)?,
        user_name: user_name.map(str::to_owned),
        user: find("user", user_name, users)?,
    })
}

fn find_context(config: &Kubeconfig, name: &str) -> Result<Context, UserError> {
    let contexts = config.contexts.iter().map(|named| (named.name.as_str(), named.context.as_ref()));
    find("context", Some(name), contexts)
}

fn find<'a, T: Clone + Default + 'a>(
    kind: &str,
    name: Option<&str>,
    mut all: impl Iterator<Item = (&'a str, Option<&'a T>)> + Clone,
) -> Result<T, UserError> {
    let Some(name) = name else { return Ok(T::default()) };
    let names = all.clone().map(|(name, _)| name);
    match all.find(|(other, _)| *other == name) {
        Some((_, found)) => Ok(found.cloned().unwrap_or_default()),
        None => {
            let near = closest(name, names).map(|near| format!("did you mean {near:?}?"));
            Err(UserError::new(format!("{kind} {name:?} does not exist")).hints(near))
        }
    }
}

#[cfg(test)]
mod tests;
