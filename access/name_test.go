package access

import "testing"

func TestNamesThatTell(t *testing.T) {
	for name, want := range map[string]string{
		".env": "env-file", "/p/.env.local": "env-file", ".env.production": "env-file", "config/prod.env": "env-file", ".env-staging": "env-file", ".ENV": "env-file", `C:\p\.env`: "env-file",
		".env.example": "", ".env.sample": "", ".env.template": "", ".env.local.example": "", "example.env": "", ".env.md": "", "env": "", "environment.ts": "", ".environment": "", ".env.d.ts": "", ".envrc": "",
		"/home/me/.ssh/id_rsa": "ssh-key", "id_ed25519": "ssh-key", "id_rsa.pub": "", "id_ed25519.pub": "", "my_id_rsa_notes.md": "",
		".netrc": "login-file", "_netrc": "login-file", ".pgpass": "login-file", ".git-credentials": "login-file", ".pypirc": "login-file",
		".aws/credentials": "cloud-credentials", "/home/me/.aws/credentials": "cloud-credentials", "aws/credentials": "", "docs/credentials": "", ".aws/config": "",
		"/home/me/.config/gcloud/application_default_credentials.json": "cloud-credentials", "client_secret_1.apps.json": "cloud-credentials", "gh/hosts.yml": "cloud-credentials",
		"/home/me/.kube/config": "kubeconfig", "kubeconfig": "kubeconfig", "kube/config": "", "config": "",
		"a.p12": "key-store", "a.PFX": "key-store", "release.jks": "key-store", "debug.keystore": "key-store", "passwords.kdbx": "key-store",
		".htpasswd": "password-file", "terraform.tfstate": "terraform-state", "terraform.tfstate.backup": "terraform-state", "main.tf": "",
		"/etc/shadow": "system-passwords", "/etc/passwd": "", "server.pem": "", "server.key": "", "keys.go": "", "README.md": "", "": "", "/": "", "https://example.org/.env": "env-file",
	} {
		for _, content := range []string{"", "nothing\n"} {
			found := ScanString(name, content)
			if (len(found) == 1) != (want != "") || len(found) == 1 && (found[0].Line != 0 || found[0].ID == "" || found[0].String() != want) {
				t.Errorf("%s, %q: %v; want %q", name, content, found, want)
			}
		}
	}
}

func TestNamesThatTellTogetherWithTheContent(t *testing.T) {
	key := "-----BEGIN EC PRIVATE KEY-----\n" + newMade(1).of(base64, 64) + "\n-----END EC PRIVATE KEY-----\n"
	for _, c := range []struct {
		name, content string
		want          bool
	}{
		{"server.pem", key, true},
		{"server.pem", "-----BEGIN CERTIFICATE-----\n" + newMade(2).of(base64, 64) + "\n-----END CERTIFICATE-----\n", false},
		{".npmrc", "registry=https://registry.example/\n", false},
		{".npmrc", "//registry.example/:_authToken=${NPM_TOKEN}\n", false},
		{".npmrc", "//registry.example/:_authToken=q7w2mzx9k1\n", true},
		{".npmrc", "//registry.example/:_password=\"c2VzYW1l\"\n", true},
		{".yarnrc.yml", "npmAuthToken: q7w2mzx9k1\n", true},
		{".docker/config.json", `{"auths":{"r":{"auth":"bWU6c2VzYW1l"}}}`, true},
		{".docker/config.json", `{"credsStore":"desktop"}`, false},
		{".docker/config.json", `{}`, false},
		{".docker/config.json", "", false},
	} {
		if found := ScanString(c.name, c.content); (len(found) > 0) != c.want {
			t.Errorf("%s: found %v", c.name, found)
		}
	}
}
