package process

import "strings"

// GitEnvironment is what git sees of an environment where it is only asked, in a
// repository that anybody may have written: without the variables that would
// point it elsewhere or make it write, and with those that keep it quiet.
func GitEnvironment(ours []string) []string {
	var env []string
	for _, setting := range ours {
		name, _, _ := strings.Cut(setting, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "GIT_CONFIG_NOSYSTEM", upper == "GIT_CONFIG_SYSTEM", upper == "GIT_CONFIG_GLOBAL":
			// Where the person's own configuration is: safe.directory and
			// core.excludesFile count.
		case strings.HasPrefix(upper, "GIT_"), upper == "LC_ALL", upper == "LANGUAGE":
			continue
		}
		env = append(env, setting)
	}
	// An incomplete clone would fetch what it lacks, and so start the programs
	// that its remote names. The list of protocols that may be used wins over
	// any configuration; older versions of git know only that.
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}
