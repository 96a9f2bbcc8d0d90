package symbol

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// goDeclarations returns what a Go file declares. A file with errors in it
// declares what can be read of it.
func goDeclarations(text string) []declaration {
	g := &goFile{set: token.NewFileSet()}
	file, _ := parser.ParseFile(g.set, "", text, parser.ParseComments|parser.SkipObjectResolution) // whatever can be read
	if file == nil {
		return nil
	}
	if file.Name != nil {
		g.pkg = file.Name.Name
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil && len(decl.Recv.List) > 0 {
				name = receiver(decl.Recv.List[0].Type) + "." + name
			}
			g.add(name, decl.Doc, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				g.spec(decl, spec)
			}
		}
	}
	return g.found
}

type goFile struct {
	set   *token.FileSet
	pkg   string
	found []declaration
}

// add notes a declaration with its comment.
func (g *goFile) add(name string, doc *ast.CommentGroup, node ast.Node) {
	from := node.Pos()
	if doc != nil {
		from = doc.Pos()
	}
	d := declaration{name: name, first: g.line(from), head: g.line(node.Pos()), last: g.line(node.End())}
	// What breaks off in the middle ends where the parser has no position.
	d.last = max(d.first, d.last)
	if g.pkg != "" {
		d.aliases = []string{g.pkg + "." + name}
	}
	g.found = append(g.found, d)
}

// line is the number of a line as it is in the text, whatever a comment in it
// says about where it came from.
func (g *goFile) line(at token.Pos) int { return g.set.PositionFor(at, false).Line }

func (g *goFile) spec(decl *ast.GenDecl, spec ast.Spec) {
	node, doc := ast.Node(spec), (*ast.CommentGroup)(nil)
	alone := len(decl.Specs) == 1
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if doc = spec.Doc; alone {
			node, doc = decl, decl.Doc
		}
		g.add(spec.Name.Name, doc, node)
		g.members(spec)
	case *ast.ValueSpec:
		// A constant without a value means what those before it make of it.
		implied := decl.Tok == token.CONST && len(spec.Values) == 0
		if doc = spec.Doc; alone || implied {
			node, doc = decl, decl.Doc
		}
		for _, name := range spec.Names {
			if name.Name != "_" {
				g.add(name.Name, doc, node)
			}
		}
	}
}

// members notes the fields of a struct and the methods of an interface.
func (g *goFile) members(spec *ast.TypeSpec) {
	var fields *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	}
	if fields == nil {
		return
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			g.add(spec.Name.Name+"."+name.Name, field.Doc, field)
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(t ast.Expr) string {
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
