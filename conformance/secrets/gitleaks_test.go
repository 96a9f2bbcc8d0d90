package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// A placement is a line of a file as people write it; NAME and SECRET are
// replaced.
type placement struct{ file, before, line, after string }

var placements = []placement{
	{"config/prod.properties", "# deployment\nserver.port=8080\n", "NAME=SECRET\n", "logging.level=INFO\n"},
	{"settings.yaml", "service:\n  replicas: 3\n", "  NAME: SECRET\n", "  region: eu-west-1\n"},
	{"values.yaml", "env:\n", "  NAME: \"SECRET\"\n", "  DEBUG: \"false\"\n"},
	{"config.json", "{\n  \"debug\": false,\n", "  \"NAME\": \"SECRET\",\n", "  \"port\": 8080\n}\n"},
	{"main.go", "package main\n\nimport \"fmt\"\n\n", "const NAME = \"SECRET\"\n", "\nfunc main() { fmt.Println(\"hello\") }\n"},
	{"client.py", "import os\n\nclass Client:\n", "    NAME = 'SECRET'\n", "    timeout = 30\n"},
	{"client.ts", "import { Client } from './client';\n", "const NAME = `SECRET`;\n", "export default new Client();\n"},
	{"deploy.sh", "#!/bin/sh\nset -e\n", "export NAME=\"SECRET\"\n", "make deploy\n"},
	{"change.diff", "--- a/c.ini\n+++ b/c.ini\n@@ -1,2 +1,3 @@\n [main]\n", "+NAME = SECRET\n", " port = 1\n"},
}

// leftOut are the rules of gitleaks that we do not follow, and why.
var leftOut = map[string]string{
	"adobe-client-id":             "an identifier, not a secret",
	"asana-client-id":             "an identifier, not a secret",
	"bitbucket-client-id":         "an identifier, not a secret",
	"discord-client-id":           "an identifier, not a secret",
	"linkedin-client-id":          "an identifier, not a secret",
	"messagebird-client-id":       "an identifier, not a secret",
	"plaid-client-id":             "an identifier, not a secret",
	"sendbird-access-id":          "an identifier, not a secret",
	"flutterwave-public-key":      "public by design",
	"lob-pub-api-key":             "public by design",
	"mailgun-pub-key":             "public by design",
	"mapbox-api-token":            "public by design: those that begin pk.",
	"new-relic-browser-api-token": "public by design: it is in every page",
	"curl-auth-header":            "its token is found as an authorization header, by what it is; a short one is not told from an example",
	"freemius-secret-key":         "one vendor's PHP idiom; the value is found if it is random",
	"generic-api-key":             "measured on its own",
	"hashicorp-tf-password":       "passwords of eight letters in quotes are mostly examples",
	"jwt-base64":                  "base64 of a token; nothing is decoded",
	"kubernetes-secret-yaml":      "needs a document of its own; measured on its own",
	"nuget-config-password":       "any eight letters in an attribute; found if they are random",
	"private-key":                 "needs lines of its own; measured on its own",
	"curl-auth-user":              "passwords of three letters on a command line are mostly examples; measured on its own",
	"pkcs12-file":                 "by name; measured on its own",
	"sidekiq-secret":              "two groups of eight digits are not random enough to tell",
	"sidekiq-sensitive-url":       "the same in a URL",
	"facebook-access-token":       "an application's number and a bar: too many other things look so",
}

// high are the rules with a format of their own for the services that are met
// most. All of what gitleaks finds of these, or all but a few in a thousand
// that look like a placeholder by chance, must be found.
var high = []string{
	"anthropic-admin-api-key", "anthropic-api-key", "atlassian-api-token", "aws-access-token", "azure-ad-client-secret", "databricks-api-token",
	"digitalocean-access-token", "digitalocean-pat", "discord-api-token", "doppler-api-token", "gcp-api-key", "github-app-token", "github-fine-grained-pat",
	"github-oauth", "github-pat", "github-refresh-token", "gitlab-pat", "gitlab-deploy-token", "gitlab-runner-authentication-token", "gitlab-ptt",
	"grafana-service-account-token", "hashicorp-tf-api-token", "heroku-api-key-v2", "huggingface-access-token", "jwt", "linear-api-key", "mailchimp-api-key",
	"mailgun-private-api-token", "new-relic-user-api-key", "notion-api-token", "npm-access-token", "openai-api-key", "perplexity-api-key", "postman-api-token",
	"pulumi-api-token", "pypi-upload-token", "rubygems-api-token", "sendgrid-api-token", "sentry-user-token", "shopify-access-token", "slack-app-token",
	"slack-bot-token", "slack-user-token", "slack-webhook-url", "stripe-access-token", "telegram-bot-api-token", "twilio-api-key", "vault-batch-token",
}

// issued are the formats that services issue, where gitleaks' expression is so
// much looser (any case, any length, any character for a dot) that what is made
// from it is no token. Gitleaks must still find them.
var issued = map[string]string{
	// With the prefixes sc_ and ext_ too many names begin.
	"authress-service-client-access-key": `(?:authress|scauth)_[a-z0-9]{20}\.[a-z0-9]{4}\.acc-[a-z0-9-]{20}\.[A-Za-z0-9+/_-]{60}`,
	// Forty hexadecimal digits alone are a commit.
	"sourcegraph-access-token":     `sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}`,
	"slack-legacy-workspace-token": `xox[ar]-2-[0-9a-zA-Z]{30,48}`,
	// The older s. and 24 letters looks like a method call.
	"vault-service-token":          `hvs\.[A-Za-z0-9_-]{90,110}`,
	"clojars-api-token":            `CLOJARS_[a-z0-9]{60}`,
	"digitalocean-refresh-token":   `dor_v1_[a-f0-9]{64}`,
	"dropbox-long-lived-api-token": `[a-z0-9]{11}A{10}[A-Za-z0-9_-]{43}`,
	"grafana-api-key":              `eyJrIjoi[A-Za-z0-9]{80}`,
	"intra42-client-secret":        `s-s4t2(?:ud|af)-[a-f0-9]{64}`,
	"jwt":                          `eyJ[A-Za-z0-9]{30}\.eyJ[A-Za-z0-9_-]{80}\.[A-Za-z0-9_-]{42}[A-Za-z0-9]`,
	"lob-api-key":                  `(?:live|test)_[a-f0-9]{35}`,
	"mailchimp-api-key":            `[a-f0-9]{32}-us[0-9]{2}`,
	"mailgun-private-api-token":    `key-[a-f0-9]{32}`,
	"new-relic-insert-key":         `NRII-[A-Za-z0-9-]{31}[A-Za-z0-9]`,
	"new-relic-user-api-key":       `NRAK-[A-Z0-9]{27}`,
	"plaid-api-token":              `access-(?:sandbox|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
	"sendgrid-api-token":           `SG\.[A-Za-z0-9_-]{21}[A-Za-z0-9]\.[A-Za-z0-9_-]{42}[A-Za-z0-9]`,
	"slack-app-token":              `xapp-1-A[A-Z0-9]{10}-[0-9]{13}-[a-f0-9]{64}`,
	"slack-bot-token":              `xoxb-[0-9]{12}-[0-9]{13}-[A-Za-z0-9]{24}`,
	"microsoft-teams-webhook":      `https://a[a-z0-9]{8}\.webhook\.office\.com/webhookb2/[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}@[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}`,
	"slack-config-access-token":    `xoxe\.xox[bp]-1-[A-Za-z0-9]{163}`,
	"sonar-api-token":              `sq[upa]_[a-f0-9]{40}`,
	"slack-legacy-token":           `xoxs-[0-9]{10}-[0-9]{10}-[0-9]{10}-[a-f0-9]{10}`,
	"slack-webhook-url":            `https://hooks\.slack\.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}`,
	"square-access-token":          `EAAA[A-Za-z0-9_-]{59}[A-Za-z0-9]|sq0atp-[A-Za-z0-9_-]{21}[A-Za-z0-9]`,
	"telegram-bot-api-token":       `[1-9][0-9]{9}:AA[A-Za-z0-9_-]{32}[A-Za-z0-9]`,
	"twilio-api-key":               `SK[a-f0-9]{32}`,
	"twitter-access-token":         `[1-9][0-9]{18}-[A-Za-z0-9]{30}`,
	"twitter-bearer-token":         `A{22}[A-Za-z0-9%]{80}`,
	"yandex-api-key":               `AQVN[A-Za-z0-9_-]{34}[A-Za-z0-9]`,
	"yandex-access-token":          `t1\.[A-Za-z0-9_-]{40}\.[A-Za-z0-9_-]{86}`,
}

// names are what tells the service, where it is not a keyword of the rule.
var names = map[string]string{
	"airtable-personnal-access-token": "airtable",
	"defined-networking-api-token":    "dnkey",
	"new-relic-insert-key":            "new_relic",
	"new-relic-user-api-key":          "new_relic",
	"sonar-api-token":                 "sonar_token",
}

func detector(t testing.TB) *detect.Detector {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// overlap reports whether one of our findings covers part of secret in text.
func overlap(found []access.Finding, text, secret string) bool {
	start := strings.Index(text, secret)
	return start >= 0 && slices.ContainsFunc(found, func(f access.Finding) bool { return f.Start < start+len(secret) && f.End > start })
}

func TestRecallAgainstGitleaks(t *testing.T) {
	const perRule = 45
	judge := detector(t)
	type score struct{ theirs, ours int }
	scores := map[string]*score{}
	missed := map[string]string{}
	clean, alarms := 0, 0
	for id, rule := range judge.Config.Rules {
		if rule.Regex == nil || leftOut[id] != "" {
			continue
		}
		seed := uint64(len(id))
		for _, b := range []byte(id) {
			seed = seed*131 + uint64(b)
		}
		m := maker{rand.New(rand.NewPCG(seed, 2)), 8}
		scores[id] = &score{}
		for i := range perRule {
			expr := rule.Regex.String()
			if format := issued[id]; format != "" {
				expr = format
			}
			secret, err := m.secret(expr)
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			place := placements[i%len(placements)]
			name := "value"
			if given := names[id]; given != "" {
				name = given
			} else if context := strings.Contains(rule.Regex.String(), `{0,50}?`); context {
				// The service's name is all that tells.
				name = serviceName(id, rule.Keywords) + []string{"", "_token", "ApiKey"}[i%3]
			}
			text := place.before + strings.NewReplacer("NAME", name, "SECRET", secret).Replace(place.line) + place.after
			ours := access.ScanString(place.file, text)
			for _, finding := range judge.Detect(fragment{Raw: text, FilePath: place.file}) {
				if finding.RuleID != id {
					continue
				}
				scores[id].theirs++
				if overlap(ours, text, finding.Secret) {
					scores[id].ours++
				} else {
					missed[id] = fmt.Sprintf("%s in %s", shape(finding.Secret), strings.TrimSpace(strings.Replace(place.line, "NAME", name, 1)))
				}
			}
			// The same file with a placeholder is clean.
			for _, stand := range []string{"your-api-key", "${TOKEN}", "<token>", "changeme", "process.env.TOKEN"} {
				clean++
				text := place.before + strings.NewReplacer("NAME", name, "SECRET", stand).Replace(place.line) + place.after
				if found := access.ScanString(place.file, text); len(found) > 0 {
					alarms++
					t.Logf("false alarm: %v in %q", found, text)
				}
			}
		}
	}

	var ids []string
	all, allOurs, top, topOurs := 0, 0, 0, 0
	var silent []string
	for id, s := range scores {
		if s.theirs == 0 {
			silent = append(silent, id)
			continue
		}
		ids = append(ids, id)
		all, allOurs = all+s.theirs, allOurs+s.ours
		if slices.Contains(high, id) {
			top, topOurs = top+s.theirs, topOurs+s.ours
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if s := scores[id]; s.ours < s.theirs {
			t.Logf("%-45s %3d of %3d   missed: %s", id, s.ours, s.theirs, missed[id])
		}
	}
	t.Logf("%d rules: %d of %d (%.1f %%); %d high-confidence rules: %d of %d (%.1f %%); %d rules left out; %d false alarms in %d clean files",
		len(ids), allOurs, all, percent(allOurs, all), len(high), topOurs, top, percent(topOurs, top), len(leftOut), alarms, clean)

	for _, id := range high {
		s := scores[id]
		switch {
		case s == nil || s.theirs < perRule/3:
			t.Errorf("%s: gitleaks found too few to judge: %+v", id, s)
		case percent(s.ours, s.theirs) < 97:
			t.Errorf("%s: %d of %d", id, s.ours, s.theirs)
		}
	}
	if percent(topOurs, top) < 99.5 {
		t.Errorf("high-confidence rules: %.1f %% of what gitleaks finds, want 99.5", percent(topOurs, top))
	}
	if percent(allOurs, all) < 98 {
		t.Errorf("all rules: %.1f %% of what gitleaks finds, want 98", percent(allOurs, all))
	}
	if len(silent) > 0 {
		t.Errorf("gitleaks finds nothing in what was made for %v", silent)
	}
	if alarms > 0 {
		t.Errorf("%d false alarms in %d clean files", alarms, clean)
	}
	for id := range leftOut {
		if _, known := judge.Config.Rules[id]; !known {
			t.Errorf("%s is left out, and gitleaks has no such rule", id)
		}
	}
	for id := range issued {
		if scores[id] == nil || scores[id].theirs == 0 {
			t.Errorf("%s: gitleaks does not find the format that is given for it", id)
		}
	}
}

// serviceName is the word that the rule's expression begins with.
func serviceName(id string, keywords []string) string {
	for _, keyword := range keywords {
		if strings.Contains(strings.ReplaceAll(id, "-", ""), strings.Trim(strings.NewReplacer("-", "", "_", "").Replace(keyword), ".")) {
			return strings.ReplaceAll(keyword, "-", "_")
		}
	}
	name, _, _ := strings.Cut(id, "-")
	return name
}

// shape tells what a secret looked like without showing it.
func shape(secret string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r >= 'a' && r <= 'z':
			return 'a'
		case r >= 'A' && r <= 'Z':
			return 'A'
		}
		return r
	}, secret[:min(len(secret), 60)])
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// fragment is a text as the judge takes it.
//
//lint:ignore SA1019 its next version has another type, this one takes no other
type fragment = detect.Fragment
