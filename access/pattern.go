package access

import (
	"regexp"
	"sync"
)

// pattern is a token of several parts, as a regular expression that begins at
// the anchor. If it has a group, the group is the secret.
type pattern struct {
	name   string
	anchor string
	expr   string
}

// window is how far a pattern may look. It bounds the work of an anchor that
// is repeated all over a text.
const window = 512

func patternRules() []rule {
	table := []pattern{
		{"1password-key", "A3-", `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}`},
		{"asana-token", "1/1", `1/1\d{15}:[0-9a-f]{32}`},
		{"authress-key", "scauth_", `scauth_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}`},
		{"authress-key", "authress_", `authress_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}`},
		{"azure-storage-key", "AccountKey=", `AccountKey=([A-Za-z0-9+/]{86}==)`},
		{"azure-bus-key", "SharedAccessKey=", `SharedAccessKey=([A-Za-z0-9+/]{43}=)`},
		{"azure-signature", "sig=", `sig=([A-Za-z0-9%/+]{43,60}(?:%3[Dd]|=))`},
		{"cloudflare-origin-key", "v1.0-", `v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`},
		{"discord-webhook", "discord.com/api/webhooks/", `discord\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,80})`},
		{"discord-webhook", "discordapp.com/api/webhooks/", `discordapp\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,80})`},
		{"dropbox-token", "sl.", `sl\.[A-Za-z0-9_=-]{130,152}`},
		{"dynatrace-token", "dt0c01.", `dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`},
		{"harness-key", "pat.", `pat\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`},
		{"harness-key", "sat.", `sat\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`},
		{"intra42-secret", "s-s4t2", `s-s4t2(?:ud|af)-[a-f0-9]{64}`},
		{"mapbox-secret", "sk.eyJ", `sk\.eyJ[A-Za-z0-9_-]{50,120}\.[A-Za-z0-9_-]{20,30}`},
		{"plaid-token", "access-", `access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`},
		{"sendgrid-key", "SG.", `SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}`},
		{"slack-app-token", "xapp-", `xapp-\d-[A-Za-z0-9]+-\d+-[A-Za-z0-9]{20,}`},
		{"slack-token", "xoxb-", `xoxb-[0-9]{8,14}-[A-Za-z0-9-]{18,80}`},
		{"slack-token", "xoxp-", `xoxp-(?:[0-9]{10,13}-){2,3}[A-Za-z0-9-]{28,40}`},
		{"slack-token", "xoxe-", `xoxe-(?:\d-[A-Za-z0-9]{120,200}|(?:[0-9]{10,13}-){3}[A-Za-z0-9-]{28,40})`},
		{"slack-token", "xoxe.xox", `xoxe\.xox[bp]-\d-[A-Za-z0-9]{120,200}`},
		{"slack-token", "xoxa-", `xoxa-(?:\d-)?[0-9A-Za-z-]{10,80}`},
		{"slack-token", "xoxr-", `xoxr-(?:\d-)?[0-9A-Za-z-]{10,80}`},
		{"slack-token", "xoxs-", `xoxs-\d+-\d+-\d+-[a-fA-F\d]{10,}`},
		{"slack-token", "xoxo-", `xoxo-\d+-\d+-\d+-[a-fA-F\d]{10,}`},
		{"slack-webhook", "hooks.slack.com/", `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,80})`},
		{"teams-webhook", ".webhook.office.com/webhookb2/", `\.webhook\.office\.com/webhookb2/([0-9a-z@-]{73}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36})`},
	}
	rules := make([]rule, len(table))
	for i, p := range table {
		compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + p.expr) })
		rules[i] = rule{name: p.name, anchors: []string{p.anchor}, match: p.matcher(compiled)}
	}
	return rules
}

func (p pattern) matcher(compiled func() *regexp.Regexp) func(*scanner, *rule, int, int) (int, int, bool) {
	return func(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
		if s.text[start:end] != p.anchor || !boundary(s.text, start) && alnum.has(p.anchor[0]) && p.anchor != "sig=" {
			return 0, 0, false
		}
		view := s.text[start:min(len(s.text), start+window)]
		s.work += len(view)
		at := compiled().FindStringSubmatchIndex(view)
		if at == nil {
			return 0, 0, false
		}
		from, to = start+at[len(at)-2], start+at[len(at)-1]
		secret := s.text[from:to]
		if closes := closed(s.text, start+at[1]); !closes || !generated(secret) {
			return 0, 0, false
		}
		return from, to, true
	}
}
