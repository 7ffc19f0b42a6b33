package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	v1 "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	admin          = "admin"
	administrators = "system:masters"
	// team is the only namespace that the user "namespaced" may read.
	team = "team"
)

// users are known by their tokens; each has a kubeconfig of that name.
var users = []struct{ name, group, namespace string }{
	{name: admin, group: administrators},
	{name: "reader"},
	{name: "namespaced", namespace: team},
	{name: "nobody"},
}

// Two more kubeconfigs of administrators: one who is known by a client
// certificate, and one who trusts another authority than the server's.
const (
	byCertificate = "cert"
	distrustful   = "distrust"
)

// writeAccess makes the tokens and all kubeconfigs.
func (p *plane) writeAccess(ca *authority) error {
	tokens := map[string]string{}
	var file strings.Builder
	for _, user := range users {
		token := rand.Text()
		tokens[user.name] = token
		fmt.Fprintf(&file, "%s,%s,%s,%s\n", token, user.name, user.name, user.group)
		access := clientcmdapi.AuthInfo{Token: token}
		if err := p.writeKubeconfig(user.name, ca, user.namespace, access); err != nil {
			return err
		}
	}
	if err := os.WriteFile(p.pki("tokens.csv"), []byte(file.String()), 0o600); err != nil {
		return err
	}
	certificate, err := ca.issue(byCertificate, administrators)
	if err != nil {
		return err
	}
	access := clientcmdapi.AuthInfo{ClientCertificateData: certificate.certificate, ClientKeyData: certificate.key}
	if err := p.writeKubeconfig(byCertificate, ca, "", access); err != nil {
		return err
	}
	another, err := newAuthority()
	if err != nil {
		return err
	}
	return p.writeKubeconfig(distrustful, another, "", clientcmdapi.AuthInfo{Token: tokens[admin]})
}

func (p *plane) writeKubeconfig(name string, trusted *authority, namespace string, access clientcmdapi.AuthInfo) error {
	const cluster = "cluster"
	config := clientcmdapi.NewConfig()
	config.Clusters[cluster] = &clientcmdapi.Cluster{Server: p.server(), CertificateAuthorityData: trusted.pem}
	config.AuthInfos[name] = &access
	config.Contexts[name] = &clientcmdapi.Context{Cluster: cluster, AuthInfo: name, Namespace: namespace}
	config.CurrentContext = name
	return clientcmd.WriteToFile(*config, p.kubeconfig(name))
}

func (p *plane) kubeconfig(name string) string { return filepath.Join(p.dir, name+".kubeconfig") }

// grantAccess makes the namespace and the roles of the users who may read.
func grantAccess(ctx context.Context, client kubernetes.Interface) error {
	namespaced := []rbac.PolicyRule{
		read("", "pods", "events"),
		read("events.k8s.io", "events"),
		read("apps", "daemonsets", "controllerrevisions"),
	}
	everywhere := &rbac.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		Rules:      append([]rbac.PolicyRule{read("", "nodes")}, namespaced...),
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, everywhere, metav1.CreateOptions{}); err != nil {
		return err
	}
	toReader := &rbac.ClusterRoleBinding{
		ObjectMeta: everywhere.ObjectMeta,
		Subjects:   []rbac.Subject{{Kind: rbac.UserKind, Name: "reader"}},
		RoleRef:    rbac.RoleRef{Kind: "ClusterRole", Name: everywhere.Name},
	}
	if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, toReader, metav1.CreateOptions{}); err != nil {
		return err
	}
	namespace := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: team}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	inTeam := &rbac.Role{ObjectMeta: metav1.ObjectMeta{Name: "namespaced"}, Rules: namespaced}
	if _, err := client.RbacV1().Roles(team).Create(ctx, inTeam, metav1.CreateOptions{}); err != nil {
		return err
	}
	toNamespaced := &rbac.RoleBinding{
		ObjectMeta: inTeam.ObjectMeta,
		Subjects:   []rbac.Subject{{Kind: rbac.UserKind, Name: "namespaced"}},
		RoleRef:    rbac.RoleRef{Kind: "Role", Name: inTeam.Name},
	}
	_, err := client.RbacV1().RoleBindings(team).Create(ctx, toNamespaced, metav1.CreateOptions{})
	return err
}

func read(group string, resources ...string) rbac.PolicyRule {
	return rbac.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: []string{"get", "list", "watch"}}
}
