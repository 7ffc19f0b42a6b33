//! Which server: addresses, certificates, proxies.

use super::{As, Better, Case, Fail, GOOD, cluster, compare, flags};

trials![servers_are_those_of_kubectl];

fn servers_are_those_of_kubectl() {
    compare(&CASES);
}

const UNKNOWN: &[&str] = &["x509: certificate signed by unknown authority"];

const CASES: [Case; 40] = [
    GOOD,
    cluster("the authority is not known", "{ server: $SERVER }", Fail(UNKNOWN)),
    cluster(
        "no authority file",
        "{ server: $SERVER, certificate-authority: no.crt }",
        Fail(&["$DIR/no.crt", "o such file"]),
    ),
    cluster("garbage for an authority", "{ server: $SERVER, certificate-authority: garbage }", Fail(&["PEM"])),
    // kubectl does not tell that the file is empty.
    cluster(
        "an empty authority",
        "{ server: $SERVER, certificate-authority: empty }",
        Better(UNKNOWN[0], "it holds no certificate"),
    ),
    cluster("data that is no base64", "{ server: $SERVER, certificate-authority-data: '%' }", Fail(&["base64"])),
    // kubectl says that the data overrides the file, and refuses.
    cluster(
        "authority data and a file",
        "{ server: $SERVER, certificate-authority: $PKI/ca.crt, certificate-authority-data: eA== }",
        Better("certificate-authority-data will override", "it holds no certificate in PEM"),
    ),
    cluster("no check", "{ server: $SERVER, insecure-skip-tls-verify: true }", As("nobody")),
    cluster(
        "no check and an authority",
        "{ server: $SERVER, insecure-skip-tls-verify: true, certificate-authority: $PKI/ca.crt }",
        Fail(&["insecure", "not"]),
    ),
    flags("--insecure-skip-tls-verify drops the authority", "--insecure-skip-tls-verify", As("nobody")),
    flags(
        "--insecure-skip-tls-verify and --certificate-authority",
        "--insecure-skip-tls-verify --certificate-authority $PKI/ca.crt",
        Fail(&["insecure", "not"]),
    ),
    // kubectl does not check in spite of the flag.
    cluster(
        "--insecure-skip-tls-verify=false",
        "{ server: $SERVER, insecure-skip-tls-verify: true }",
        Better("User \"nobody\" cannot", UNKNOWN[0]),
    )
    .with("--insecure-skip-tls-verify=false"),
    cluster("--certificate-authority", "{ server: $SERVER, insecure-skip-tls-verify: true }", As("nobody"))
        .with("--certificate-authority $PKI/ca.crt"),
    flags("another --certificate-authority", "--certificate-authority $DIR/garbage", Fail(&["PEM"])),
    cluster("another name", "{ server: 'https://localhost:$PORT', certificate-authority: $PKI/ca.crt }", As("nobody")),
    cluster(
        "the name of the certificate",
        "{ server: $SERVER, certificate-authority: $PKI/ca.crt, tls-server-name: localhost }",
        As("nobody"),
    ),
    cluster(
        "not the name of the certificate",
        "{ server: $SERVER, certificate-authority: $PKI/ca.crt, tls-server-name: example.org }",
        Fail(&["x509: certificate is valid for localhost", "not example.org"]),
    ),
    flags("--tls-server-name", "--tls-server-name example.org", Fail(&["not example.org"])),
    cluster(
        "--server makes the name void",
        "{ server: 'https://127.0.0.1:1', certificate-authority: $PKI/ca.crt, tls-server-name: example.org }",
        As("nobody"),
    )
    .with("--server $SERVER"),
    Case { what: "--server alone", variable: "$DIR/none", ..GOOD }
        .with("-s $SERVER --certificate-authority $PKI/ca.crt --token $NOBODY"),
    cluster("a slash at the end", "{ server: $SERVER/, certificate-authority: $PKI/ca.crt }", As("nobody")),
    cluster("a path", "{ server: $SERVER/x, certificate-authority: $PKI/ca.crt }", As("nobody")),
    cluster("a query", "{ server: '$SERVER/?a=b', certificate-authority: $PKI/ca.crt }", As("nobody")),
    // Both take HTTP then, and send no token; kubectl says "the server rejected our request for an unknown reason".
    cluster(
        "no scheme",
        "{ server: '$HOST', certificate-authority: $PKI/ca.crt }",
        Better("BadRequest", "hint: the server speaks TLS"),
    ),
    cluster(
        "HTTP for HTTPS",
        "{ server: 'http://$HOST' }",
        Better("BadRequest", "hint: the server speaks TLS: write https://"),
    ),
    cluster("no scheme and a path", "{ server: '$HOST/x' }", Fail(&["must be a URL", "$HOST/x"])),
    cluster("another scheme", "{ server: 'ftp://$HOST' }", Fail(&["ftp"])),
    cluster("no URL", "{ server: 'https://a b' }", Fail(&["must be a URL", "https://a b"])),
    // kubectl asks localhost:8080 wherever no server is named, and gives the connection as the reason.
    cluster(
        "no server",
        "{ server: '' }",
        Better("localhost:8080 was refused", "context \"x\" of KUBECONFIG (\"$DIR/config\") names no server"),
    ),
    cluster(
        "nobody listens",
        "{ server: 'https://127.0.0.1:1' }",
        Fail(&["The connection to the server 127.0.0.1:1 was refused"]),
    ),
    cluster(
        "no such host",
        "{ server: 'https://example.invalid' }",
        Fail(&["Unable to connect to the server: ", "lookup example.invalid", "no such host"]),
    ),
    cluster(
        "a server that says nothing",
        "{ server: 'https://127.0.0.1:$SILENT' }",
        Better("Unable to connect to the server: ", "127.0.0.1:$SILENT gave no whole answer within 1s"),
    )
    .with("--request-timeout 1s"),
    flags("a timeout in seconds", "--request-timeout 20", As("nobody")),
    flags("no timeout", "--request-timeout 0", As("nobody")),
    flags(
        "a timeout that is none",
        "--request-timeout soon",
        Better("Invalid timeout value", "write a number of seconds, or a duration such as 30s"),
    ),
    cluster(
        "a proxy of no known scheme",
        "{ server: $SERVER, proxy-url: 'ftp://proxy:1' }",
        Fail(&["proxy-url", "\"c\"", "\"ftp\"", "socks5"]),
    ),
    cluster("a proxy without a scheme", "{ server: $SERVER, proxy-url: '127.0.0.1:1' }", Fail(&["proxy-url", "\"c\""])),
    // kubectl blames the server.
    cluster(
        "a proxy that is not there",
        "{ server: $SERVER, proxy-url: 'http://127.0.0.1:1' }",
        Better("The connection to the server $HOST was refused", "The connection to the proxy 127.0.0.1:1 was refused"),
    ),
    cluster(
        "a SOCKS proxy that is not there",
        "{ server: $SERVER, proxy-url: 'socks5://127.0.0.1:1' }",
        Better("The connection to the server $HOST was refused", "through the proxy 127.0.0.1:1: SOCKS"),
    ),
    cluster(
        "no compression",
        "{ server: $SERVER, certificate-authority: $PKI/ca.crt, disable-compression: true }",
        As("nobody"),
    ),
];
