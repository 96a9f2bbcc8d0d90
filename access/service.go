package access

import "strings"

// service is one whose keys look like any other random characters, so that
// only its name nearby tells.
type service struct {
	name string
	// written are the spellings of the name, if more than one.
	written []string
	shapes  []shape
}

// shape is how a service's keys look: of an alphabet, min to max long.
type shape struct {
	of       alphabet
	min, max int
}

// uuidShape stands for a UUID.
var uuidShape = shape{}

func services() []service {
	some := func(of alphabet, lengths ...int) (all []shape) {
		for _, n := range lengths {
			all = append(all, shape{of, n, n})
		}
		return all
	}
	identifier := []shape{uuidShape}
	return []service{
		{"adafruit", nil, some(dashed, 32)},
		{"airtable", nil, append(some(alnum, 17), shape{alnum | dot, 82, 82})},
		{"algolia", nil, some(alnum, 32)},
		{"alibaba", nil, some(alnum, 30)},
		{"asana", nil, some(alnum, 32)},
		{"atlassian", []string{"atlassian", "confluence", "jira"}, some(alnum, 24)},
		{"aws", []string{"secret_access_key", "secretaccesskey", "secret-access-key", "aws_secret"}, some(base64, 40)},
		{"beamer", nil, some(dashed, 46)},
		{"bitbucket", nil, some(dashed, 64)},
		{"bittrex", nil, some(alnum, 32)},
		{"cloudflare", nil, append(some(dashed, 40), shape{anyHex, 37, 37})},
		{"codecov", nil, append(some(alnum, 32), uuidShape)},
		{"cohere", []string{"cohere", "co_api_key"}, some(alnum, 40)},
		{"coinbase", nil, some(dashed, 64)},
		{"confluent", nil, some(base64, 16, 64)},
		{"contentful", nil, some(dashed, 43)},
		{"datadog", []string{"datadog", "dd_api_key", "dd_app_key"}, some(alnum, 32, 40)},
		{"discord", nil, append(some(dashed, 32, 64), shape{dashed | dot, 59, 80})},
		{"droneci", nil, some(alnum, 32)},
		{"dropbox", nil, append(some(alnum, 15), some(dashed, 64)...)},
		{"etsy", nil, some(alnum, 24)},
		{"facebook", nil, some(anyHex, 32)},
		{"fastly", nil, some(dashed, 32)},
		{"finicity", nil, some(alnum, 20, 32)},
		{"finnhub", nil, some(alnum, 20)},
		{"flickr", nil, some(alnum, 32)},
		{"freshbooks", nil, some(alnum, 64)},
		{"gitter", nil, some(dashed, 40)},
		{"gocardless", nil, some(dashed, 45)},
		{"heroku", nil, identifier},
		{"hubspot", nil, identifier},
		{"intercom", nil, some(dashed, 60)},
		{"jfrog", []string{"jfrog", "artifactory", "xray"}, some(alnum, 64, 73)},
		{"kraken", nil, []shape{{base64 | dashed, 80, 90}}},
		{"kucoin", nil, append(some(anyHex, 24), uuidShape)},
		{"launchdarkly", nil, some(dashed, 40)},
		{"linear", nil, some(anyHex, 32)},
		{"linkedin", []string{"linkedin", "linked_in", "linked-in"}, some(alnum, 16)},
		{"looker", nil, some(alnum, 20, 24)},
		{"mailgun", nil, append(some(alnum|hyphen, 50), shape{anyHex, 32, 32})},
		{"mattermost", nil, some(alnum, 26)},
		{"meraki", nil, some(anyHex, 40)},
		{"messagebird", []string{"messagebird", "message-bird", "message_bird"}, some(alnum, 25)},
		{"netlify", nil, []shape{{dashed, 40, 46}}},
		{"newrelic", []string{"newrelic", "new-relic", "new_relic"}, some(alnum, 64)},
		{"nytimes", nil, some(dashed, 32)},
		{"okta", nil, some(dashed, 42)},
		{"plaid", nil, some(alnum, 30)},
		{"privateai", []string{"privateai", "private_ai", "private-ai"}, some(alnum, 32)},
		{"rapidapi", nil, some(dashed, 50)},
		{"sendbird", nil, some(anyHex, 40)},
		{"sentry", nil, some(anyHex, 64)},
		{"snyk", nil, identifier},
		{"sonar", nil, some(dashed, 40, 44)},
		{"squarespace", nil, identifier},
		{"sumologic", []string{"sumo"}, some(alnum, 14, 64)},
		{"travis", nil, some(alnum, 22)},
		{"twitch", nil, some(alnum, 30)},
		{"twitter", nil, append(some(alnum, 25, 45, 50), shape{alnum | hyphen, 36, 66})},
		{"yandex", nil, append(some(dashed, 40), shape{dashed | dot | padding, 90, 300})},
		{"zendesk", nil, some(alnum, 40)},
	}
}

func (s service) anchors() []string {
	if s.written == nil {
		return []string{s.name}
	}
	return s.written
}

// fits reports whether value looks like one of the service's keys.
func (s service) fits(value string) bool {
	bare := strings.TrimRight(value, "=")
	for _, shape := range s.shapes {
		if shape == uuidShape {
			if uuid(value) {
				return true
			}
			continue
		}
		if len(value) < shape.min || len(bare) > shape.max || shape.of.run(bare, len(bare)) != len(bare) {
			continue
		}
		// Some of Dropbox's hold ten times A, for zeroes.
		return random(value) && !placeholder(strings.Replace(value, "AAAAAAAAAA", "", 1))
	}
	return false
}
