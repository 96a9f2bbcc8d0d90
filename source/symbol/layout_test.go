package symbol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLayout reads languages that people write, as they are usually laid out.
func TestLayout(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   map[string]string // first and last line of each declaration
	}{
		"a.ts": {`import { a } from "./a";

/** Serves. */
export class Server extends Base {
  private port = 1;

  constructor(port: number) {
    super();
  }

  async close(now: boolean): Promise<void> {
    if (now) {
      return;
    }
  }
}

export const make = async (
  a: number,
) => {
  return new Server(a);
};

export interface Options {
  port: number;
}

function helper() {
  run(() => {
    go();
  });
}

type Id = string;
`, map[string]string{
			"Server": "export class..}", "Server.constructor": "constructor(port..}", "Server.close": "async close..}",
			"make": "export const..};", "Options": "export interface..}", "helper": "function..}", "Id": "type Id..type Id",
		}},
		"a.rs": {`/// Serves.
#[derive(Debug)]
pub struct Server {
    port: u16,
}

impl<T> Show for Server {
    pub(crate) fn close(&self) -> Result<()> {
        Ok(())
    }
}

pub const LIMIT: usize = 3;

fn main() {
    let x = 1;
}
`, map[string]string{
			"Server": "#[derive..}", "Server.close": "pub(crate)..}", "LIMIT": "pub const..pub const", "main": "fn main..}", "main.x": "let x..let x",
		}},
		"A.java": {`package a;

public final class Server implements Closeable {
    private final int port;

    @Override
    public void close(boolean now) throws IOException {
        for (int i = 0; i < 3; i++) {
            stop(i);
        }
    }

    static int count() { return 1; }
}
`, map[string]string{
			"Server": "public final..}", "Server.close": "@Override..}", "Server.count": "static int..static int",
		}},
		"a.cpp": {`#include <a>

namespace net {

class Server {
public:
    void close();
};

void Server::close()
{
    if (open_) {
        stop();
    }
}

}  // namespace net

static int helper(int a,
                  int b) {
    return a + b;
}
`, map[string]string{
			"net": "namespace..}", "Server": "class..};", "Server.close": "void Server::..}",
		}},
		"a.rb": {`module Net
  # Serves.
  class Server < Base
    def close?(now)
      stop if now
    end

    def self.make
      new
    end
  end
end
`, map[string]string{
			"Net": "module..end", "Net.Server": "# Serves..end", "Net.Server.close": "def close..end", "Net.Server.self.make": "def self..end",
		}},
		"a.sql": {`CREATE TABLE users (
    id INT
);

create or replace view names as
    select 1;
`, map[string]string{
			"users": "CREATE..);", "names": "create or..select 1;",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			all := strings.Split(c.source, "\n")
			have := map[string]string{}
			for _, d := range layoutDeclarations(c.source) {
				for wanted, span := range c.want {
					if wanted != d.name {
						continue
					}
					// The lines are told by how they begin.
					first, last, _ := strings.Cut(span, "..")
					if strings.Contains(strings.Join(all[d.first-1:min(d.first+1, len(all))], "\n"), first) && strings.HasPrefix(strings.TrimSpace(all[d.last-1]), last) {
						have[wanted] = span
					} else {
						have[wanted] = strings.TrimSpace(all[d.first-1]) + ".." + strings.TrimSpace(all[d.last-1])
					}
				}
			}
			if diff := cmp.Diff(c.want, have); diff != "" {
				t.Error(diff)
				for _, d := range layoutDeclarations(c.source) {
					t.Logf("%s: %d-%d", d.name, d.first, d.last)
				}
			}
		})
	}
}
