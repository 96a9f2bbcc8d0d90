package app

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/web"
)

// newWeb returns the resolver of addresses. It is made when the first one is
// mentioned: most prompts mention none.
func newWeb(set config.Web, consent access.Consent, files *fs.Resolver, userDir string) ampersat.Resolver {
	made := sync.OnceValue(func() *web.Resolver {
		c := web.Config{
			Consent: consent, Decode: files.Decode, UserAgent: set.UserAgent, Version: Version(),
			Limits: web.Limits{Time: time.Duration(set.Timeout), Body: int(set.Limit)},
		}
		if userDir != "" && set.Cache {
			c.CacheDir = filepath.Join(userDir, "cache", "web")
		}
		return web.New(c)
	})
	return ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		return made().Resolve(ctx, q)
	})
}
