package symbol

import (
	"strings"
	"testing"
	"time"

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
			for _, d := range layoutDeclarations(name, c.source) {
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
				for _, d := range layoutDeclarations(name, c.source) {
					t.Logf("%s: %d-%d", d.name, d.first, d.last)
				}
			}
		})
	}
}

// TestHostileLayout holds that no file takes for ever. A megabyte of each takes a
// moment, and would take minutes if all that is above or below a line were looked
// at again for each.
func TestHostileLayout(t *testing.T) {
	const size = 1 << 20
	var deep strings.Builder
	for depth := 0; deep.Len() < size; depth++ {
		deep.WriteString(strings.Repeat(" ", depth) + "class A:\n")
	}
	for what, text := range map[string]string{
		"bodies that follow":         strings.Repeat("a } b() {\n", size/10),
		"parameters that follow":     strings.Repeat(") b() {\n", size/8),
		"words in a line":            strings.Repeat("static ", size/7) + "(",
		"attributes that declare":    strings.Repeat("template<T> f() {}\n", size/19),
		"attributes that never end":  strings.Repeat("@a(\ndef f(\n", size/11),
		"attributes":                 strings.Repeat("@a\n", size/3) + "def f():\n",
		"a comment that never began": strings.Repeat("a\n*/\nclass A {\n", size/14),
		"classes in classes":         deep.String() + strings.Repeat("\n", size),
		"long names in long names":   strings.ReplaceAll(deep.String(), "A", strings.Repeat("A", 200)),
		"braces":                     strings.Repeat("{", size),
		"braces in lines":            strings.Repeat("f() {\n", size/6),
		"comments":                   strings.Repeat("class A {\n// a\n# a\n", size/19),
	} {
		t.Run(what, func(t *testing.T) {
			for _, name := range []string{"a.ts", "a.unknown"} {
				from := time.Now()
				declared := layoutDeclarations(name, text)
				if took := time.Since(from); took > 10*time.Second {
					t.Errorf("%s: %d declarations took %v", name, len(declared), took)
				}
			}
		})
	}
}
