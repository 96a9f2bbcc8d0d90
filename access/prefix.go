package access

import "strings"

// prefixed is a token that a service made to be recognised: a prefix of its
// own, then characters of one alphabet. At least min of them, and if max is not
// zero at most so many, followed by the end of the word.
type prefixed struct {
	name, prefix string
	of           alphabet
	min, max     int
}

func prefixRules() []rule {
	table := prefixTable()
	rules := make([]rule, len(table))
	for i, token := range table {
		rules[i] = rule{name: token.name, anchors: token.anchors(), match: token.match}
	}
	return rules
}

// prefixTable is the tokens whose prefix says what they are. The formats are
// those that the services document or announced to secret scanners.
func prefixTable() []prefixed {
	return []prefixed{
		{"1password-token", "ops_eyJ", base64, 250, 0},
		{"adobe-secret", "p8e-", alnum, 32, 32},
		{"age-key", "AGE-SECRET-KEY-1", upperCase | digit, 58, 58},
		{"alibaba-key", "LTAI", alnum, 20, 20},
		{"anthropic-key", "sk-ant-", dashed, 80, 0},
		{"artifactory-key", "AKCp", alnum, 69, 69},
		{"artifactory-token", "cmVmd", alnum, 59, 59},
		{"atlassian-token", "ATATT3", dashed | padding, 150, 0},
		{"atlassian-token", "ATCTT3", dashed | padding, 150, 0},
		{"aws-access-key", "A3T", upperCase | digit, 17, 17},
		{"aws-access-key", "AKIA", upperCase | digit, 16, 16},
		{"aws-access-key", "ASIA", upperCase | digit, 16, 16},
		{"aws-access-key", "ABIA", upperCase | digit, 16, 16},
		{"aws-access-key", "ACCA", upperCase | digit, 16, 16},
		{"aws-bedrock-key", "ABSK", base64 | padding, 109, 0},
		{"aws-bedrock-key", "bedrock-api-key-", base64 | padding, 28, 0},
		{"buildkite-token", "bkua_", hexDigit, 40, 40},
		{"clickhouse-key", "4b1d", alnum, 38, 38},
		{"clojars-token", "CLOJARS_", alnum, 60, 60},
		{"contentful-token", "CFPAT-", dashed, 43, 0},
		{"databricks-token", "dapi", hexDigit, 32, 32},
		{"defined-networking-token", "dnkey-", dashed | padding, 79, 0},
		{"digitalocean-token", "dop_v1_", hexDigit, 64, 64},
		{"digitalocean-token", "doo_v1_", hexDigit, 64, 64},
		{"digitalocean-token", "dor_v1_", anyHex, 64, 64},
		{"docker-token", "dckr_pat_", dashed, 27, 0},
		{"docker-token", "dckr_oat_", dashed, 27, 0},
		{"doppler-token", "dp.pt.", alnum, 40, 44},
		{"doppler-token", "dp.st.", alnum | hyphen | underscore | dot, 40, 0},
		{"doppler-token", "dp.ct.", alnum, 40, 44},
		{"duffel-token", "duffel_live_", dashed | padding, 43, 0},
		{"duffel-token", "duffel_test_", dashed | padding, 43, 0},
		{"easypost-key", "EZAK", alnum, 54, 54},
		{"easypost-key", "EZTK", alnum, 54, 54},
		{"facebook-token", "EAAC", alnum, 100, 0},
		{"facebook-token", "EAAM", alnum, 100, 0},
		{"figma-token", "figd_", dashed, 40, 0},
		{"flutterwave-secret", "FLWSECK_TEST-", alnum | hyphen, 12, 0},
		{"flutterwave-secret", "FLWSECK-", alnum | hyphen, 32, 0},
		{"flyio-token", "fo1_", dashed, 43, 43},
		{"flyio-token", "fm1a_", base64, 100, 0},
		{"flyio-token", "fm1r_", base64, 100, 0},
		{"flyio-token", "fm2_", base64, 100, 0},
		{"frameio-token", "fio-u-", dashed | padding, 64, 64},
		{"github-token", "ghp_", alnum, 36, 0},
		{"github-token", "gho_", alnum, 36, 0},
		{"github-token", "ghu_", alnum, 36, 0},
		{"github-token", "ghs_", alnum, 36, 0},
		{"github-token", "ghr_", alnum, 36, 0},
		{"github-token", "github_pat_", word, 82, 0},
		{"gitlab-token", "glpat-", dashed | dot, 20, 0},
		{"gitlab-token", "gldt-", dashed, 20, 0},
		{"gitlab-token", "glft-", dashed, 20, 0},
		{"gitlab-token", "glrt-", dashed | dot, 20, 0},
		{"gitlab-token", "glcbt-", dashed, 20, 0},
		{"gitlab-token", "glptt-", hexDigit, 40, 0},
		{"gitlab-token", "glimt-", dashed, 25, 0},
		{"gitlab-token", "gloas-", dashed, 64, 0},
		{"gitlab-token", "glsoat-", dashed, 20, 0},
		{"gitlab-token", "glffct-", dashed, 20, 0},
		{"gitlab-token", "glagent-", dashed, 50, 0},
		{"gitlab-token", "GR1348941", dashed, 20, 0},
		{"gitlab-session", "_gitlab_session=", alnum, 32, 0},
		{"google-api-key", "AIza", dashed, 35, 35},
		{"google-oauth-secret", "GOCSPX-", dashed, 28, 28},
		{"google-oauth-token", "ya29.", dashed, 40, 0},
		{"grafana-token", "glc_", base64 | padding, 32, 0},
		{"grafana-token", "glsa_", word, 41, 41},
		{"grafana-key", "eyJrIjoi", alnum | padding, 70, 0},
		{"groq-key", "gsk_", alnum, 52, 52},
		{"heroku-key", "HRKU-AA", dashed, 58, 58},
		{"huggingface-token", "hf_", alnum, 34, 34},
		{"huggingface-token", "api_org_", alnum, 34, 34},
		{"infracost-key", "ico-", alnum, 32, 32},
		{"linear-key", "lin_api_", alnum, 40, 40},
		{"lob-key", "live_", hexDigit, 35, 35},
		{"lob-key", "test_", hexDigit, 35, 35},
		{"mailgun-key", "key-", hexDigit, 32, 32},
		{"netlify-token", "nfp_", alnum, 36, 0},
		{"newrelic-key", "NRAK-", alnum, 27, 27},
		{"newrelic-key", "NRII-", alnum | hyphen, 32, 32},
		{"notion-token", "ntn_", alnum, 46, 46},
		{"npm-token", "npm_", alnum, 36, 36},
		{"octopus-key", "API-", upperCase | digit, 26, 32},
		{"openai-key", "sk-proj-", dashed, 60, 0},
		{"openai-key", "sk-svcacct-", dashed, 60, 0},
		{"openai-key", "sk-admin-", dashed, 60, 0},
		{"openrouter-key", "sk-or-v1-", hexDigit, 64, 64},
		{"openshift-token", "sha256~", dashed, 43, 43},
		{"perplexity-key", "pplx-", alnum, 48, 48},
		{"planetscale-token", "pscale_tkn_", tokenish | padding, 32, 0},
		{"planetscale-token", "pscale_oauth_", tokenish | padding, 32, 0},
		{"planetscale-token", "pscale_pw_", tokenish | padding, 32, 0},
		{"postman-key", "PMAK-", anyHex | hyphen, 59, 59},
		{"prefect-key", "pnu_", alnum, 36, 36},
		{"pulumi-token", "pul-", hexDigit, 40, 40},
		{"pypi-token", "pypi-AgEI", dashed, 60, 0},
		{"pypi-token", "pypi-AgEN", dashed, 60, 0},
		{"readme-key", "rdme_", alnum, 70, 70},
		{"replicate-token", "r8_", alnum, 37, 37},
		{"rubygems-key", "rubygems_", hexDigit, 48, 48},
		{"scalingo-token", "tk-us-", dashed, 48, 48},
		{"sendinblue-key", "xkeysib-", alnum | hyphen, 81, 81},
		{"sentry-token", "sntryu_", hexDigit, 64, 64},
		{"sentry-token", "sntrys_eyJ", base64 | padding | underscore, 80, 0},
		{"settlemint-token", "sm_aat_", alnum, 16, 16},
		{"settlemint-token", "sm_pat_", alnum, 16, 16},
		{"settlemint-token", "sm_sat_", alnum, 16, 16},
		{"shippo-token", "shippo_live_", anyHex, 40, 40},
		{"shippo-token", "shippo_test_", anyHex, 40, 40},
		{"shopify-token", "shpat_", anyHex, 32, 32},
		{"shopify-token", "shpca_", anyHex, 32, 32},
		{"shopify-token", "shppa_", anyHex, 32, 32},
		{"shopify-token", "shpss_", anyHex, 32, 32},
		{"sonar-token", "squ_", alnum, 40, 40},
		{"sonar-token", "sqp_", alnum, 40, 40},
		{"sonar-token", "sqa_", alnum, 40, 40},
		{"sourcegraph-token", "sgp_", anyHex | underscore | lowerCase, 40, 0},
		{"square-token", "sq0atp-", dashed, 22, 0},
		{"square-token", "sq0csp-", dashed, 43, 0},
		{"square-token", "EAAA", dashed, 56, 60},
		{"stripe-key", "sk_live_", alnum, 10, 0},
		{"stripe-key", "sk_test_", alnum, 10, 0},
		{"stripe-key", "sk_prod_", alnum, 10, 0},
		{"stripe-key", "rk_live_", alnum, 10, 0},
		{"stripe-key", "rk_test_", alnum, 10, 0},
		{"stripe-key", "rk_prod_", alnum, 10, 0},
		{"webhook-secret", "whsec_", base64, 32, 0},
		{"supabase-key", "sbp_", hexDigit, 40, 40},
		{"supabase-key", "sb_secret_", dashed, 30, 0},
		{"twilio-key", "SK", anyHex, 32, 32},
		{"typeform-token", "tfp_", dashed | dot | padding, 59, 0},
		{"vault-token", "hvs.", dashed, 24, 0},
		{"vault-token", "hvb.", dashed, 90, 0},
		{"vault-token", "hvr.", dashed, 24, 0},
		{"xai-key", "xai-", alnum, 80, 80},
		{"yandex-key", "AQVN", dashed, 35, 38},
	}
}

// anchors is the prefix. Where that is too short, or an ordinary word, it is the
// prefix with each of the digits that can follow, once or twice.
func (p prefixed) anchors() []string {
	all := []string{p.prefix}
	if p.of != hexDigit && p.of != anyHex {
		return all
	}
	for len(all[0]) < 4 || strings.Contains("live_ test_", p.prefix) && len(all[0]) < 6 {
		var longer []string
		for _, literal := range all {
			for _, b := range "0123456789abcdef" {
				longer = append(longer, literal+string(b))
			}
		}
		all = longer
	}
	return all
}

func (p prefixed) match(s *scanner, _ *rule, start, _ int) (from, to int, ok bool) {
	text := s.text[start:]
	if text[:len(p.prefix)] != p.prefix || !boundary(s.text, start) {
		return 0, 0, false
	}
	body := text[len(p.prefix):]
	look := p.max + 1
	if p.max == 0 {
		look = p.min + 32
	}
	n := p.of.run(body, look)
	s.work += n
	if n < p.min || p.max > 0 && (n > p.max || !closed(body, n)) {
		return 0, 0, false
	}
	if !generated(body[:n]) {
		return 0, 0, false
	}
	if p.max == 0 {
		const longest = 8192
		n = p.of.run(body, longest)
		s.work += n
	}
	return start, start + len(p.prefix) + n, true
}

// generated reports whether the characters after a prefix are a key rather
// than a placeholder, a word or a pattern.
func generated(body string) bool {
	least := 3.0
	if len(body) < 20 {
		least = 2.6
	}
	return entropy(body) >= least && !placeholder(body)
}
