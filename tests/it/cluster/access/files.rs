//! Which files, contexts and names.

use super::{As, Better, Case, Fail, GOOD, compare, file, flags, variable};

trials![files_are_read_as_by_kubectl];

fn files_are_read_as_by_kubectl() {
    compare(&CASES);
}

/// kubectl asks this wherever no server is named.
const LOCALHOST: &str = "localhost:8080 was refused";
const NOTHING: &str = "Missing or incomplete configuration info: no cluster is named in ";

const CASES: [Case; 37] = [
    variable("missing files and empty entries are passed over", "$DIR/none::$DIR/config", As("nobody")),
    variable("the first file that names a user wins", "$DIR/only-user:$DIR/config", As("namespaced")),
    variable("a later file changes nothing", "$DIR/config:$DIR/only-user", As("nobody")),
    variable("the first current-context wins", "$DIR/other-context:$DIR/config", As("nobody")),
    variable("a file that is listed twice", "$DIR/config:$DIR/config", As("nobody")),
    variable("--kubeconfig comes before the variable", "$DIR/only-user", As("nobody")).with("--kubeconfig $DIR/config"),
    variable(
        "only missing files",
        "$DIR/none:$DIR/nothing",
        Better(LOCALHOST, "KUBECONFIG (\"$DIR/none\", \"$DIR/nothing\")"),
    ),
    variable("only empty entries", ":", Better(LOCALHOST, "no cluster is named in KUBECONFIG")),
    variable("no variable", "", Better(LOCALHOST, "home/.kube/config")),
    variable("a folder", "$DIR", Fail(&["$DIR", "s a directory"])),
    variable("a file for a folder", "$DIR/config/x", Fail(&["$DIR/config/x", "ot a directory"])),
    variable("--kubeconfig is not there", "$DIR/config", Fail(&["$DIR/none", "no such file"]))
        .with("--kubeconfig $DIR/none"),
    file("an empty file", "", Better(LOCALHOST, NOTHING)),
    file("a file of comments", "# nothing\n", Better(LOCALHOST, NOTHING)),
    file("broken YAML", "a: [b\n c: }", Fail(&["$DIR/config", "line "])),
    file("a wrong type", "kind: Config\napiVersion: v1\ncontexts: 7", Fail(&["$DIR/config", "contexts"])),
    file("another kind", "kind: Pod\napiVersion: v1", Fail(&["$DIR/config", "\"Pod\""])),
    file(
        "two users of one name",
        "users: [{ name: u, user: {} }, { name: u, user: {} }]",
        Fail(&["$DIR/config", "\"u\""]),
    ),
    Case { what: "a key that is there twice", user: "{ token: wrong, token: $NOBODY }", ..GOOD },
    Case { what: "a field that is not known", user: "{ token: $NOBODY, tokne: x }", ..GOOD },
    // Neither kubectl nor we print the number.
    Case {
        what: "a token that is a number",
        user: "{ token: 7357 }",
        expected: Fail(&["$DIR/config", "token"]),
        ..GOOD
    },
    file(
        "no kind",
        "{ current-context: x, contexts: [{ name: x, context: { cluster: c, user: u } }], \
           clusters: [{ name: c, cluster: { server: $SERVER, certificate-authority: $PKI/ca.crt } }], \
           users: [{ name: u, user: { token: $NOBODY } }] }",
        As("nobody"),
    ),
    Case {
        what: "no current-context",
        current: "",
        expected: Better(LOCALHOST, "hint: choose one with --context: x"),
        ..GOOD
    },
    Case {
        what: "an empty current-context",
        current: "''",
        expected: Better(LOCALHOST, "no context is chosen"),
        ..GOOD
    },
    Case { what: "a current-context that is not there", current: "prod", expected: Fail(&["context", "prod"]), ..GOOD },
    Case { what: "--context", current: "prod", ..GOOD }.with("--context x"),
    flags("--context that is not there", "--context prod", Fail(&["context \"prod\" does not exist"])),
    // For kubectl a cluster that is not there is localhost:8080, and a user that is not there has to be asked for.
    Case {
        what: "no such cluster",
        context: "{ cluster: d, user: u }",
        expected: Better(LOCALHOST, "cluster \"d\" does not exist"),
        ..GOOD
    },
    Case {
        what: "no such user",
        context: "{ cluster: c, user: v }",
        expected: Better("EOF", "user \"v\" does not exist"),
        ..GOOD
    },
    Case {
        what: "no cluster in the context",
        context: "{ user: u }",
        expected: Better(LOCALHOST, "context \"x\" of KUBECONFIG"),
        ..GOOD
    },
    Case {
        what: "no user in the context",
        context: "{ cluster: c }",
        expected: Better("EOF", "system:anonymous"),
        ..GOOD
    },
    Case { what: "--cluster and --user", context: "{ cluster: d, user: v }", ..GOOD }.with("--cluster c --user u"),
    Case { what: "--cluster and --user without a context", current: "", ..GOOD }.with("--cluster c --user u"),
    flags("--cluster that is not there", "--cluster prod", Fail(&["cluster \"prod\" does not exist"])),
    flags("--user that is not there", "--user you", Fail(&["\"you\" does not exist"])),
    flags("empty flags change nothing", "--context= --cluster= --user= --token= --server= --as=", As("nobody")),
    variable("impersonation of another file", "$DIR/admin-as-joe:$DIR/config", As("joe")),
];
