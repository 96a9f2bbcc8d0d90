package access

import (
	encoding "encoding/base64"
	"strings"
)

// structureRules are the secrets that a prefix and an alphabet do not describe:
// the anchor stands inside them, or what makes them a secret is what they mean.
func structureRules() []rule {
	inside := func(name, anchor string, match func(s *scanner, start, end int) (int, int, bool)) rule {
		return rule{name: name, anchors: []string{anchor}, match: func(s *scanner, _ *rule, start, end int) (int, int, bool) {
			if s.text[start:end] != anchor {
				return 0, 0, false
			}
			return match(s, start, end)
		}}
	}
	azure := rule{name: "azure-client-secret", match: azureSecret}
	mailchimp := rule{name: "mailchimp-key", match: mailchimpKey}
	for _, d := range "0123456789" {
		azure.anchors = append(azure.anchors, string(d)+"Q~")
		mailchimp.anchors = append(mailchimp.anchors, "-us"+string(d))
	}
	login := rule{name: "password-in-url", match: urlPassword}
	// The last letter of http, https, ftp, ssh, postgres, mysql, redis, amqp,
	// mongodb, mongodb+srv, rabbitmq, sqlserver and the like.
	for _, last := range "psbhlqrtvxemnkcd" {
		login.anchors = append(login.anchors, string(last)+"://")
	}
	return []rule{
		azure,
		mailchimp,
		login,
		inside("maxmind-key", "_mmk", maxmindKey),
		inside("openai-key", "T3BlbkFJ", openaiKey),
		inside("telegram-token", ":AA", telegramToken),
		inside("terraform-token", ".atlasv1.", terraformToken),
		inside("twitter-bearer-token", strings.Repeat("A", 22), twitterBearer),
		{name: "private-key", anchors: []string{"-----BEGIN"}, match: privateKey},
		{name: "private-key", anchors: []string{"Private-Lines: "}, match: puttyKey},
		{name: "jwt", anchors: []string{"eyJ"}, match: jsonWebToken},
		{name: "authorization-header", anchors: []string{"bearer "}, generic: true, match: bearer},
		{name: "authorization-header", anchors: []string{"basic "}, generic: true, match: basic},
		{name: "curl-password", anchors: []string{"curl "}, generic: true, match: curlUser},
		{name: "kubernetes-secret", anchors: []string{"kind:"}, match: kubernetesSecret},
	}
}

// azureSecret is three characters, a digit, Q~ and 31 to 34 more.
func azureSecret(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	const of = word | tilde | dot
	if s.text[start+1:end] != "Q~" || of.back(s.text, start, 4) != 3 {
		return 0, 0, false
	}
	n := (of | hyphen).run(s.text[end:], 35)
	s.work += n + 4
	from, to = start-3, end+n
	return from, to, n >= 31 && n <= 34 && generated(s.text[from:to])
}

// mailchimpKey is 32 hexadecimal digits and the data centre, as in -us12.
func mailchimpKey(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	n := hexDigit.back(s.text, start, 33)
	s.work += n
	to = end + digit.run(s.text[end:], 2)
	if n != 32 || !closed(s.text, to) || !boundary(s.text, start-n) {
		return 0, 0, false
	}
	return start - n, to, generated(s.text[start-n : start])
}

// maxmindKey is six characters, an underscore, 29 characters and _mmk.
func maxmindKey(s *scanner, start, end int) (from, to int, ok bool) {
	n := word.back(s.text, start, 37)
	s.work += n
	from = start - 36
	if n != 36 || s.text[from+6] != '_' || !closed(s.text, end) {
		return 0, 0, false
	}
	return from, end, generated(s.text[from:start])
}

// openaiKey has the letters T3BlbkFJ, "OpenAI" in base64, in its middle.
func openaiKey(s *scanner, start, end int) (from, to int, ok bool) {
	n := dashed.back(s.text, start, 200)
	m := dashed.run(s.text[end:], 200)
	s.work += n + m
	prefix := strings.Index(s.text[start-n:start], "sk-")
	if prefix < 0 || n-prefix < 20 || m < 20 {
		return 0, 0, false
	}
	from, to = start-n+prefix, end+m
	return from, to, generated(s.text[from:to])
}

// telegramToken is a bot's number, a colon, and 35 characters that begin AA.
func telegramToken(s *scanner, start, end int) (from, to int, ok bool) {
	n := digit.back(s.text, start, 17)
	m := dashed.run(s.text[end:], 34)
	s.work += n + m
	if n < 6 || n > 16 || m != 33 || !boundary(s.text, start-n) {
		return 0, 0, false
	}
	return start - n, end + m, generated(s.text[end : end+m])
}

func terraformToken(s *scanner, start, end int) (from, to int, ok bool) {
	const of = dashed | padding
	n := alnum.back(s.text, start, 14)
	m := of.run(s.text[end:], 200)
	s.work += n + m
	if n != 14 || m < 50 {
		return 0, 0, false
	}
	return start - n, end + m, generated(s.text[end : end+m])
}

// twitterBearer begins with 22 letters A, as base64 of zeroes does too; what
// follows tells them apart.
func twitterBearer(s *scanner, start, end int) (from, to int, ok bool) {
	if !boundary(s.text, start) {
		return 0, 0, false
	}
	n := (alnum | percent).run(s.text[end:], 120)
	s.work += n
	rest := s.text[end : end+n]
	return start, end + n, n >= 60 && n < 120 && closed(s.text, end+n) && !strings.HasPrefix(rest, "AAAA") && entropy(rest) >= 4
}

// urlPassword is what stands between the colon and the at-sign in
// scheme://user:password@host.
func urlPassword(s *scanner, _ *rule, _, end int) (from, to int, ok bool) {
	const longest = 256
	colon, at := -1, -1
scan:
	for i := end; i < min(len(s.text), end+longest); i++ {
		s.work++
		switch b := s.text[i]; {
		case b == ':' && colon < 0:
			colon = i
		case b == '@':
			at = i
		case b <= ' ' || b >= 0x7f || strings.IndexByte("/?#\"'`<>\\|^{}()[],", b) >= 0:
			break scan
		}
	}
	if colon < 0 || at < colon {
		return 0, 0, false
	}
	return colon + 1, at, likelyPassword(s.text[colon+1 : at])
}

// bearer is a random token after the word.
func bearer(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	if !boundary(s.text, start) {
		return 0, 0, false
	}
	n := tokenish.run(s.text[end:], maxValue)
	s.work += n
	value := s.text[end : end+n]
	return end, end + n, n >= 16 && n < maxValue && !placeholder(value) && (random(value) || uuid(value))
}

// basic is base64 that holds a name, a colon and a password.
func basic(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	if !boundary(s.text, start) {
		return 0, 0, false
	}
	n := (base64 | padding).run(s.text[end:], maxValue)
	s.work += n
	if n < 12 || n == maxValue {
		return 0, 0, false
	}
	plain, err := encoding.RawStdEncoding.DecodeString(strings.TrimRight(s.text[end:end+n], "="))
	if err != nil {
		return 0, 0, false
	}
	name, password, found := strings.Cut(string(plain), ":")
	printable := strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	return end, end + n, found && printable && likelyPassword(password)
}

// curlUser is the password in curl -u name:password. The command ends with its
// line, unless a backslash continues it.
func curlUser(s *scanner, r *rule, start, end int) (from, to int, ok bool) {
	if start < s.upTo(r) || !boundary(s.text, start) {
		return 0, 0, false
	}
	limit := min(len(s.text), end+window)
	at := end
	for ; at < limit; at++ {
		b := s.text[at]
		if b == '\n' && s.text[at-1] != '\\' && s.text[at-1] != '\r' {
			break
		}
		if b != '-' || s.text[at-1] > ' ' {
			continue
		}
		rest := s.text[at:limit]
		if flag := len("-u"); strings.HasPrefix(rest, "-u") && len(rest) > flag && !letter.has(rest[flag]) {
			from = at + flag
			break
		}
		if strings.HasPrefix(rest, "--user ") || strings.HasPrefix(rest, "--user=") {
			from = at + len("--user")
			break
		}
	}
	s.work += at - end
	s.looked(r, at)
	if from == 0 {
		return 0, 0, false
	}
	from = skip(s.text, from, " \t=", 4)
	ends := " \t\r\n"
	if from < len(s.text) && (s.text[from] == '"' || s.text[from] == '\'') {
		ends = s.text[from:from+1] + "\n"
		from++
	}
	login := s.text[from:min(len(s.text), from+maxValue)]
	if n := strings.IndexAny(login, ends); n >= 0 {
		login = login[:n]
	}
	s.work += len(login)
	name, password, found := strings.Cut(login, ":")
	from += len(name) + 1
	return from, from + len(password), found && likelyPassword(password)
}

// upTo and looked keep rules that look far ahead from looking at the same
// bytes again at the next anchor.
func (s *scanner) upTo(r *rule) int { return s.seen[r] }

func (s *scanner) looked(r *rule, to int) {
	if s.seen == nil {
		s.seen = make(map[*rule]int)
	}
	s.seen[r] = to
}
