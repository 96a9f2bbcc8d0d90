package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// Config says what a [Resolver] may fetch and where it keeps it.
type Config struct {
	// Consent is asked about addresses that are not public. Nil allows none.
	Consent access.Consent
	// Decode makes a content of bytes that are no web page: text, an image, a
	// document. Limit is how many bytes of text are of use, zero for any.
	Decode func(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error)
	// CacheDir is where pages are kept. It is made when the first one is. Empty
	// keeps none.
	CacheDir string
	// Version is that of the program, for the servers that are asked. UserAgent
	// is what they are told in its place, if it is not empty.
	Version, UserAgent string
	// Proxy returns the proxy for a request, nil for none. The default is what
	// the environment says.
	Proxy func(*http.Request) (*url.URL, error)

	Limits Limits
}

// Limits bounds what one mention can cost. Zero means the default.
type Limits struct {
	// Body is the most bytes of an answer that are read, packed or unpacked.
	// Default 32 MB.
	Body int
	// Page is the most bytes of HTML that are read of a page. Default 4 MB.
	Page int
	// Time is how long a mention may take in all. Default 30 s.
	Time time.Duration
	// Cache is the most bytes that are kept on disk, Entry the most of one
	// page. Default 64 MB and 4 MB.
	Cache, Entry int64
}

func (l Limits) orDefault() Limits {
	return Limits{
		Body:  cmp.Or(l.Body, 32<<20),
		Page:  cmp.Or(l.Page, 4<<20),
		Time:  cmp.Or(l.Time, 30*time.Second),
		Cache: cmp.Or(l.Cache, 64<<20),
		Entry: cmp.Or(l.Entry, 4<<20),
	}
}

// Resolver is an [ampersat.Resolver] for addresses. It is safe for concurrent
// use.
type Resolver struct {
	config Config
	limits Limits
	cache  cache
	// converting has room for two: the tree of a page is many times its HTML.
	converting chan struct{}
}

// New returns a resolver. Nothing is opened before it is asked.
func New(c Config) *Resolver {
	if c.Proxy == nil {
		c.Proxy = http.ProxyFromEnvironment
	}
	limits := c.Limits.orDefault()
	return &Resolver{
		config: c, limits: limits,
		cache:      cache{dir: c.CacheDir, total: limits.Cache, entry: limits.Entry},
		converting: make(chan struct{}, 2),
	}
}

// Resolve implements [ampersat.Resolver].
func (r *Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	m, ok := q.Mention.(mention.URL)
	if !ok {
		return ampersat.Content{}, q.Unfit("is not an address")
	}
	if r.config.Proxy == nil {
		return ampersat.Content{}, q.Unfit("needs a resolver that web.New has made")
	}
	within, cancel := context.WithTimeout(ctx, r.limits.Time)
	defer cancel()
	c, err := r.load(within, m, q.Limit)
	if err != nil {
		return ampersat.Content{}, r.miss(ctx, m, err)
	}
	return c, nil
}

// load fetches an address and makes a content of it.
func (r *Resolver) load(ctx context.Context, m mention.URL, limit int) (ampersat.Content, error) {
	target, err := url.Parse(m.URL)
	if err != nil {
		return ampersat.Content{}, &ampersat.Miss{Outcome: ampersat.Failed, Reason: "it is not written as an address is"}
	}
	a, err := r.get(ctx, target)
	if err != nil {
		return ampersat.Content{}, err
	}
	return r.content(ctx, a, limit)
}
