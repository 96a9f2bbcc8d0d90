package access

import (
	"path"
	"strings"
)

// nameRule tells whether a file is one that holds secrets, by its name: by which
// rule. Some names tell only together with the content, such as that of the
// settings of npm, which need hold no login.
func nameRule(name, content string) (rule string, found bool) {
	if name == "" {
		return "", false
	}
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	dir, base := path.Split(name)
	folder := path.Base(path.Clean("/" + dir))

	if rule, found := secretNames(base); found {
		return rule, true
	}
	if base == ".npmrc" || base == ".yarnrc" || base == ".yarnrc.yml" {
		return "npm-credentials", registryLogin(content)
	}
	switch ext := path.Ext(base); ext {
	case ".p12", ".pfx", ".jks", ".keystore", ".jceks", ".bks", ".kdbx", ".ppk", ".kwallet", ".keychain":
		return "key-store", true
	case ".tfstate":
		return "terraform-state", true
	case ".env":
		return envFile(base)
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, ".env-") || strings.HasPrefix(base, ".env_") {
		return envFile(base)
	}

	switch folder + "/" + base {
	case ".aws/credentials", ".aws/config.json", ".azure/accesstokens.json", ".azure/msal_token_cache.json", ".azure/azureprofile.json",
		"gcloud/credentials.db", "gcloud/access_tokens.db", "gcloud/application_default_credentials.json", "gh/hosts.yml", "hub/config",
		".oci/config", ".aliyun/config.json", "doctl/config.yaml", ".fly/config.yml", ".cargo/credentials", ".cargo/credentials.toml",
		".gem/credentials", ".bundle/config", ".m2/settings-security.xml", ".composer/auth.json", ".terraform.d/credentials.tfrc.json":
		return "cloud-credentials", true
	case ".kube/config":
		return "kubeconfig", true
	case ".docker/config.json":
		return "docker-credentials", strings.Contains(content, `"auth"`)
	case "etc/shadow", "etc/gshadow":
		return "system-passwords", true
	}
	return "", false
}

// secretNames are the files whose base name, in lower case, is enough.
func secretNames(base string) (rule string, found bool) {
	switch base {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss", "ssh_host_rsa_key", "ssh_host_ecdsa_key", "ssh_host_ed25519_key", "identity.age":
		return "ssh-key", true
	case ".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".git-credentials", ".s3cfg", ".boto", ".passwd-s3fs", ".msmtprc", ".fetchmailrc", ".vault-token", ".pypirc", ".dockercfg", ".rediscli_auth":
		return "login-file", true
	case ".htpasswd", ".htdigest":
		return "password-file", true
	case "kubeconfig", "kubeconfig.yaml", "kubeconfig.yml":
		return "kubeconfig", true
	case "credentials.json", "client_secret.json", "service-account.json", "service_account.json", "serviceaccount.json", "application_default_credentials.json", "credentials.tfrc.json", "rclone.conf", ".terraformrc", "terraform.rc", ".aws-credentials":
		return "cloud-credentials", true
	case "terraform.tfstate.backup":
		return "terraform-state", true
	case "master.key", "secrets.yml.key", "production.key":
		return "private-file", true
	}
	if strings.HasPrefix(base, "client_secret_") && strings.HasSuffix(base, ".json") {
		return "cloud-credentials", true
	}
	return "", false
}

// envFile is a file of environment variables, unless its name says that it is
// there to be copied, or that it is a program.
func envFile(base string) (rule string, found bool) {
	for part := range strings.FieldsFuncSeq(base, func(r rune) bool { return strings.ContainsRune("._-", r) }) {
		switch part {
		case "example", "examples", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults", "schema", "spec", "docs",
			"md", "go", "js", "ts", "mjs", "cjs", "tsx", "jsx", "py", "rb", "rs", "php", "html", "enc", "encrypted", "vault", "sops", "age", "gpg":
			return "", false
		}
	}
	return "env-file", true
}

// registryLogin reports whether the settings of npm or yarn hold a login, not
// only the name of a variable that does.
func registryLogin(content string) bool {
	for line := range strings.Lines(content) {
		key, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			key, value, found = strings.Cut(strings.TrimSpace(line), ":")
		}
		key, value = strings.TrimSpace(key), strings.Trim(value, " \t\"'")
		for _, name := range [...]string{"_authToken", "_auth", "_password", "npmAuthToken", "npmAuthIdent"} {
			if found && strings.HasSuffix(key, name) && len(value) >= 8 && !strings.Contains(value, "$") && !placeholder(value) {
				return true
			}
		}
	}
	return false
}
