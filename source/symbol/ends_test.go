package symbol

import (
	"fmt"
	"strings"
	"testing"
)

// TestEnds reads what stands in the first column in the middle of something: it
// does not end it, and what is in strings and comments declares nothing.
func TestEnds(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"comment.py", `class A:
    def f(self):
        pass
## A line of these.

    def g(self):
        pass
#       old()

    # of h
    def h(self):
        pass
        # its end

# of b
def b():
    pass
`, "A 1-13, A.f 2-3, A.g 6-7, A.h 10-13, b 15-17"},
		{"text.py", `class A:
    sql = """
select 1
def notreal():
    """

    def f(self):
        return '''
class Nor: this
'''

    def g(self):  # class C
        pass
`, "A 1-13, A.f 7-10, A.g 12-13"},
		{"decorator.py", `@app.route(
"/x",
)
@cached
def routed():
    pass

class A(
    B,
):
    @over("""
text""",
        2)
    def f(self):
        pass
`, "routed 1-6, A 8-15, A.f 11-15"},
		{"w.ts", "class Service {\n  q = `\nselect ${\n  {a: `}`}.a\n}\nfunction no() {\n`;\n  /*\nfunction commented() {\n}\n  */\n  list() { // all\n    return 1;\n  }\n}\n", "Service 1-15, Service.list 8-14"},
		{"parameters.ts", `function resolve(root, // of it {
ref // to it
) {
  let sch;
}

function brace(a)
// the reason
{
  run();
}

interface Z<
  T,
>
  extends Y<T> {
  a: T;
}

function unindented() {
  a();
b();
  c();
}
`, "resolve 1-5, brace 7-11, Z 13-18, unindented 20-24"},
		{"w.rs", "impl Db {\n    fn list(&self) -> &'a str {\n        let q = r#\"\nselect \"x\"\nfn no() {\n\"#;\n    }\n    fn c() -> char {\n        '{'\n    }\n}\n", "Db.list 2-7, Db.list.q 3-6, Db.c 8-10"},
		{"attribute.rs", "/// A.\n#[derive(\n    Debug,\n)]\nstruct A {\n    a: u8,\n}\n", "A 1-7"},
		{"w.php", "<?php\nclass A {\n    function f() {\n        return <<<SQL\nselect\nfunction no() {\nSQL;\n    }\n\n    function g() {\n        return 'a\nb';\n    }\n}\n", "A 2-14, A.f 3-8, A.g 10-13"},
		{"w.kt", "class A {\n    val q = \"\"\"\nselect\n\"\"\"\n    fun f() {\n    }\n}\n", "A 1-7, A.q 2-4, A.f 5-6"},
		{"w.rb", "class A\n  def f\n    <<~X\ndef no\n    X\n  end\n=begin\ndef nor\n=end\n  def g\n  end\nend\n", "A 1-12, A.f 2-6, A.g 10-11"},
		{"w.sh", "f() {\n  cat <<X\nfunction no {\n}\nX\n  echo \"a\n}\n\"\n}\ng() {\n  f\n}\n", "f 1-9, g 10-12"},
		{"w.cpp", `// F.
int f(int a)
{
    if (a)
        goto out;
#ifdef X
    a++;
#define Y {
#endif
out:
    return a;
}
#ifdef Z

class A {
public:
    int g() { return 1; }
private:
    int h() {
// nothing
        return R"(
}
)";
    }
};
#endif
`, "f 1-12, A 15-25, A.g 17-17, A.h 19-24"},
		{"extern.h", `extern "C" {

struct A {
    int a;
#if X
    int b;
#endif
// c
};

// Nothing.
#define Y 1

struct B {
    int a;
};

#ifdef Z
}
#endif
`, "A 3-9, B 14-16"},
		{"unterminated.java", "class A {\n    String a = \"b;\n    int f() {\n        return '{';\n    }\n}\n/* the rest\nclass B {\n}\n", "A 1-6, A.f 3-5"},
		{"not.known", "class A {\n  a = `\nb`\n}\nclass B {\n}\n", "A 1-2, B 5-6"},
	} {
		var have []string
		for _, d := range find(c.name, c.source) {
			have = append(have, fmt.Sprintf("%s %d-%d", d.name, d.first, d.last))
		}
		if got := strings.Join(have, ", "); got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}
