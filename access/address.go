package access

import (
	"net/url"
	"strconv"
	"strings"
)

// RefuseURL returns the [*Denied] for an address that may not be fetched. Its
// grant is the narrowest that allows it: the path, without what follows it, or
// the whole host where the path cannot be named.
func RefuseURL(u *url.URL, detail string) *Denied {
	if u == nil {
		u = new(url.URL)
	}
	denied := &Denied{What: u.Redacted(), Reason: ReasonAddress, Detail: detail}
	origin, err := originOf(u)
	if err != nil {
		return denied
	}
	grant := URL{origin + cleanPath(u)}
	odd := func(r rune) bool { return !strconv.IsPrint(r) }
	if strings.IndexFunc(grant.Prefix, odd) >= 0 || wellFormed(grant) != nil {
		grant = URL{origin}
	}
	denied.Grant = AllowFlag(grant.Prefix)
	return denied
}
