//! Who asks: tokens, passwords, certificates, impersonation.

use super::{As, Better, Case, Fail, compare, flags, user};

trials![users_are_those_of_kubectl];

fn users_are_those_of_kubectl() {
    compare(&CASES);
}

const CASES: [Case; 35] = [
    user("a token", "{ token: $NOBODY }", As("nobody")),
    user("the token of a file comes first", "{ token: $NOBODY, tokenFile: $DIR/token }", As("namespaced")),
    user("a token stands in for a file that is not there", "{ token: $NOBODY, tokenFile: $DIR/none }", As("nobody")),
    user("a token stands in for an empty file", "{ token: $NOBODY, tokenFile: $DIR/empty }", As("nobody")),
    user("a token file", "{ tokenFile: $DIR/token }", As("namespaced")),
    user("paths are relative to the kubeconfig", "{ tokenFile: token }", As("namespaced")),
    user("no token file", "{ tokenFile: none }", Fail(&["$DIR/none", "o such file or directory"])),
    // kubectl asks for a name and a password, although it has been told where the token is.
    user("an empty token file", "{ tokenFile: empty }", Better("EOF", "\"$DIR/empty\": it is empty")),
    user("a wrong token", "{ token: wrong }", Fail(&["You must be logged in to the server"])),
    user("a password is sent", "{ username: jane, password: x }", As("system:anonymous")),
    // kubectl asks for a name and a password, and does not know what to do without a terminal.
    user("nothing about the user", "{}", Better("EOF", "User \"system:anonymous\" cannot list")),
    user(
        "a token and a password",
        "{ token: $NOBODY, username: jane, password: x }",
        Better(
            "more than one authentication method found for u",
            "user \"u\" of the kubeconfig: a token and a user name or password",
        ),
    ),
    flags("--token comes before the kubeconfig's", "--token $NAMESPACED", As("namespaced")),
    user(
        "--token leaves a certificate alone",
        "{ client-certificate: $PKI/part.crt, client-key: $PKI/part.key }",
        As("part"),
    )
    .with("--token $NAMESPACED"),
    user(
        "--token comes before a plugin",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1, command: /bin/false, interactiveMode: Never } }",
        As("nobody"),
    )
    .with("--token $NOBODY"),
    // kubectl sends the token of the file in spite of the flag.
    user("--token and a token file", "{ tokenFile: $DIR/token }", Better("User \"namespaced\"", "User \"nobody\""))
        .with("--token $NOBODY"),
    // kubectl takes the two for a contradiction, although a flag changes what the kubeconfig says everywhere else.
    user(
        "--token and a password",
        "{ username: jane, password: x }",
        Better("more than one authentication method", "User \"nobody\""),
    )
    .with("--token $NOBODY"),
    flags(
        "--username and a token",
        "--username jane --password x",
        Better("more than one authentication method", "User \"system:anonymous\""),
    ),
    user(
        "--username and --token",
        "{}",
        Better("more than one authentication", "--token cannot be used with --username"),
    )
    .with("--username jane --password x --token t"),
    user("a certificate", "{ client-certificate: $PKI/part.crt, client-key: $PKI/part.key }", As("part")),
    user(
        "a certificate comes before a plugin",
        "{ client-certificate: $PKI/part.crt, client-key: $PKI/part.key, \
           exec: { apiVersion: client.authentication.k8s.io/v1, command: /bin/false, interactiveMode: Never } }",
        As("part"),
    ),
    user("--client-certificate and --client-key", "{}", As("part"))
        .with("--client-certificate $PKI/part.crt --client-key $PKI/part.key"),
    user("a certificate without its key", "{ client-certificate: $PKI/part.crt }", Fail(&["key", "u"])),
    // kubectl passes the key over and asks for a name.
    user("a key without its certificate", "{ client-key: $PKI/part.key }", Better("EOF", "not its certificate")),
    user(
        "no certificate file",
        "{ client-certificate: no.crt, client-key: $PKI/part.key }",
        Fail(&["$DIR/no.crt", "o such file"]),
    ),
    user(
        "no key file",
        "{ client-certificate: $PKI/part.crt, client-key: no.key }",
        Fail(&["$DIR/no.key", "o such file"]),
    ),
    user(
        "garbage for a certificate",
        "{ client-certificate: garbage, client-key: $PKI/part.key }",
        Fail(&["PEM", "certificate"]),
    ),
    user(
        "another certificate's key",
        "{ client-certificate: $PKI/part.crt, client-key: $PKI/service-accounts.key }",
        Better("private key does not match public key", "the client key does not belong to the client certificate"),
    ),
    user("data that is no base64", "{ client-certificate-data: '%', client-key-data: eA== }", Fail(&["base64"])),
    // kubectl says that the data overrides the file, and refuses.
    user(
        "certificate data and a file",
        "{ client-certificate: none, client-certificate-data: eA==, client-key-data: eA== }",
        Better("client-cert-data will override", "read client certificate: it holds no certificate in PEM"),
    ),
    user("a user to act as", "{ token: $ADMIN, as: joe }", As("joe")),
    user("--as comes before the kubeconfig", "{ token: $ADMIN, as: joe }", As("jane")).with("--as jane"),
    flags("--as without the right", "--as jane", As("nobody")),
    flags(
        "--as-group alone",
        "--as-group a",
        Better("without impersonating a user", "--as-group, --as-uid and --as-user-extra need --as"),
    ),
    user("a provider of old", "{ auth-provider: { name: gcp } }", Fail(&["gcp"])),
];
