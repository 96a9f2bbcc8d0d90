package process

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables that programs need to find themselves, their user's
// files and the network. All others stay here: the keys of model providers are
// among them.
var passed = [...]string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "TERM",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	// Windows
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES",
	"PROGRAMFILES(X86)", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR",
}

// Environment is what a program sees of ours, and what was set for it.
func Environment(set map[string]string) []string {
	var env []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		upper := strings.ToUpper(name)
		if slices.Contains(passed[:], upper) || strings.HasPrefix(upper, "LC_") || strings.HasPrefix(upper, "XDG_") {
			if _, other := set[name]; !other {
				env = append(env, setting)
			}
		}
	}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}
