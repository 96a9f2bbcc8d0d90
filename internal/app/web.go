package app

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/web"
)

// newWeb returns the resolver of addresses. It is made when the first one is
// mentioned: most prompts mention none.
func newWeb(consent access.Consent, files *fs.Resolver, userDir string) ampersat.Resolver {
	made := sync.OnceValue(func() *web.Resolver {
		config := web.Config{Consent: consent, Decode: files.Decode}
		if userDir != "" {
			config.CacheDir = filepath.Join(userDir, "cache", "web")
		}
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
			config.Version = info.Main.Version
		}
		return web.New(config)
	})
	return ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		return made().Resolve(ctx, q)
	})
}
