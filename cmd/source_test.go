package cmd_test

// How sources are written: the rules of CONTRIBUTING.md that no tool of make lint knows.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 140
	tabColumns = 4
)

// drawings are tables of coordinates: a shape a line, as long as it is.
const drawings = "../fixtures/internal/picgen/motifs_"

var (
	generated  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	vague      = regexp.MustCompile(`(?i)\btells whether\b`)
	wordGoesOn = regexp.MustCompile(`^\w`)
	metaphor   = regexp.MustCompile(
		`(?i)^(foreman|hire|crew|farewell|plantTree|uproot|deaf|scene|sceneOf|rehearse|doubt|spread|outerChain)$`)
)

func TestHowSourcesAreWritten(t *testing.T) {
	t.Parallel()
	for _, path := range sources(t) {
		t.Run(strings.TrimPrefix(path, "../"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if generated.Match(text) {
				return
			}
			if !strings.HasPrefix(path, drawings) {
				for _, line := range longLines(string(text)) {
					t.Errorf("line %d is longer than %d columns: break it, or name a part of it", line, maxColumns)
				}
			}
			for _, fault := range faultsOf(t, path, text) {
				t.Error(fault)
			}
		})
	}
}

// A test over clean sources alone would pass without the rules.
func TestRulesFindWhatBreaksThem(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		source string
		faults int
	}{
		"clean":                  {"// Do does.\nfunc Do() {}\n// A Thing is.\ntype Thing struct{}", 0},
		"no comment":             {"func Do() {}", 0},
		"not exported":           {"// does it.\nfunc do() {}", 0},
		"function":               {"// Makes it.\nfunc Do() {}", 1},
		"method":                 {"type T int\n// Makes it.\nfunc (T) Do() {}", 1},
		"method that nobody has": {"type t int\n// makes it.\nfunc (t) Do() {}", 0},
		"type":                   {"// Holds it.\ntype Thing struct{}", 1},
		"type in a group":        {"type (\n// Holds it.\nThing struct{}\n)", 1},
		"variable":               {"// Holds it.\nvar Thing = 1", 1},
		"constants":              {"// How it may be.\nconst (\nA = 1\nB = 2\n)", 0},
		"vague":                  {"// do tells whether it did.\nfunc do() bool { return true }", 1},
		"metaphor":               {"func do() { foreman := 1; _ = foreman }", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if faults := faultsOf(t, "source.go", []byte("package p\n\n"+test.source)); len(faults) != test.faults {
				t.Errorf("%q, want %d", faults, test.faults)
			}
		})
	}
	fits := "\t" + strings.Repeat("ö", maxColumns-tabColumns)
	if found := longLines(fits + "\n" + fits + "x\n" + fits); !slices.Equal(found, []int{2}) {
		t.Errorf("long lines: %d, want the second only", found)
	}
}

// sources lists the Go files of the repository.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".." {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil || len(files) < len(rooms) {
		t.Fatalf("%d sources, %v", len(files), err)
	}
	return files
}

// longLines returns the numbers of the lines that are too long.
func longLines(text string) []int {
	var found []int
	number := 0
	for line := range strings.Lines(text) {
		number++
		code := strings.TrimLeft(strings.TrimRight(line, "\n"), "\t")
		tabs := strings.Count(line, "\t")
		if utf8.RuneCountInString(code)+tabs*tabColumns-strings.Count(code, "\t") > maxColumns {
			found = append(found, number)
		}
	}
	return found
}

// faultsOf returns what is wrong with the comments and names of a source, each with its place.
func faultsOf(t *testing.T, path string, text []byte) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var faults []string
	fault := func(at ast.Node, what string) { faults = append(faults, files.Position(at.Pos()).String()+": "+what) }
	for _, group := range file.Comments {
		if vague.MatchString(strings.Join(strings.Fields(group.Text()), " ")) {
			fault(group, `say "reports whether"`)
		}
	}
	for _, d := range documented(file) {
		if !strings.HasSuffix(path, "_test.go") && !begins(d.comment.Text(), d.name) {
			fault(d.comment, "the comment of "+d.name+" does not begin with the name")
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && metaphor.MatchString(name.Name) {
			fault(name, name.Name+" is a word of our own: take Go's or testing's term")
		}
		return true
	})
	return faults
}

func begins(comment, name string) bool {
	for _, article := range []string{"A ", "An ", "The "} {
		comment = strings.TrimPrefix(comment, article)
	}
	rest, ok := strings.CutPrefix(comment, name)
	return ok && !wordGoesOn.MatchString(rest)
}

type documentation struct {
	name    string
	comment *ast.CommentGroup
}

// documented lists the exported declarations that have a comment of their own.
func documented(file *ast.File) []documentation {
	var found []documentation
	add := func(name *ast.Ident, comment *ast.CommentGroup) {
		if name.IsExported() && comment != nil {
			found = append(found, documentation{name.Name, comment})
		}
	}
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil || receiver(declared).IsExported() {
				add(declared.Name, declared.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				addSpec(add, declared, spec)
			}
		}
	}
	return found
}

// addSpec adds a type, or a variable or constant that stands alone: the comment of several is about what they share.
func addSpec(add func(*ast.Ident, *ast.CommentGroup), declared *ast.GenDecl, spec ast.Spec) {
	comment := declared.Doc
	if declared.Lparen.IsValid() {
		comment = nil
	}
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Doc != nil {
			comment = spec.Doc
		}
		add(spec.Name, comment)
	case *ast.ValueSpec:
		if len(spec.Names) == 1 {
			add(spec.Names[0], comment)
		}
	}
}

func receiver(method *ast.FuncDecl) *ast.Ident {
	expression := method.Recv.List[0].Type
	for {
		switch of := expression.(type) {
		case *ast.StarExpr:
			expression = of.X
		case *ast.IndexExpr:
			expression = of.X
		case *ast.IndexListExpr:
			expression = of.X
		default:
			return of.(*ast.Ident)
		}
	}
}
