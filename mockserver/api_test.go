package mockserver_test

// The exported API: a golden file lists it, so that a change of it is a decision, and nothing in it is of a type that importers
// cannot name.

import (
	"bytes"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/api.txt anew")

const apiFile = "testdata/api.txt"

func TestExportedAPI(t *testing.T) {
	t.Parallel()
	got := strings.Join(exported(loadSelf(t)), "\n") + "\n"
	if *update {
		if err := os.WriteFile(apiFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	for line := range strings.Lines(string(want)) {
		if !strings.Contains(got, line) {
			t.Errorf("gone:  %s", strings.TrimSuffix(line, "\n"))
		}
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(want), line) {
			t.Errorf("new:   %s", strings.TrimSuffix(line, "\n"))
		}
	}
	t.Errorf("the exported API is not that of %s. If importers are to get it: go test ./mockserver -run TestExportedAPI -update", apiFile)
}

// TestExportedTypesCanBeNamed finds types of internal packages, and unexported ones, in what importers see.
func TestExportedTypesCanBeNamed(t *testing.T) {
	t.Parallel()
	scope := loadSelf(t).Scope()
	seen := map[types.Type]bool{}
	for _, name := range scope.Names() {
		if object := scope.Lookup(name); object.Exported() {
			for _, hidden := range unnameable(object.Type(), seen) {
				t.Errorf("%s shows %s, which importers cannot name", name, hidden)
			}
		}
	}
}

func TestUnnameableTypesAreFound(t *testing.T) {
	t.Parallel()
	inside := types.NewPackage("shopcheck/mockserver/internal/shop", "shop")
	hidden := types.NewNamed(types.NewTypeName(token.NoPos, inside, "Shop", nil), types.NewStruct(nil, nil), nil)
	outside := types.NewPackage("shopcheck/mockserver", "mockserver")
	variable := func(name string, of types.Type) *types.Var { return types.NewVar(token.NoPos, outside, name, of) }
	tuple := func(of types.Type) *types.Tuple { return types.NewTuple(variable("", of)) }
	for name, shown := range map[string]types.Type{
		"pointer":   types.NewPointer(hidden),
		"parameter": types.NewSignatureType(nil, nil, nil, tuple(hidden), nil, false),
		"result":    types.NewSignatureType(nil, nil, nil, nil, tuple(types.NewSlice(hidden)), false),
		"map":       types.NewMap(types.Typ[types.String], types.NewChan(types.SendRecv, hidden)),
		"field":     types.NewStruct([]*types.Var{variable("Shown", types.NewArray(hidden, 2))}, nil),
	} {
		if len(unnameable(shown, map[types.Type]bool{})) == 0 {
			t.Errorf("%s: %s is not found in %s", name, hidden, shown)
		}
	}
	unexported := types.NewStruct([]*types.Var{variable("shown", hidden)}, nil)
	if found := unnameable(unexported, map[types.Type]bool{}); len(found) != 0 {
		t.Errorf("an unexported field shows %v", found)
	}
}

// unnameable returns the types that are part of a type as importers see it, and that they cannot name.
func unnameable(shown types.Type, seen map[types.Type]bool) []string {
	if seen[shown] {
		return nil
	}
	seen[shown] = true
	var found []string
	look := func(at types.Type) { found = append(found, unnameable(at, seen)...) }
	switch shown := shown.(type) {
	case *types.Alias:
		look(types.Unalias(shown))
	case *types.Named:
		object := shown.Obj()
		switch {
		case object.Pkg() == nil: // error, comparable
		case strings.Contains(object.Pkg().Path(), "/internal/") || !object.Exported():
			found = append(found, shown.String())
		case strings.HasPrefix(object.Pkg().Path(), "shopcheck/"):
			look(shown.Underlying())
			for method := range shown.Methods() {
				if method.Exported() {
					look(method.Type())
				}
			}
		}
	case *types.Struct:
		for field := range shown.Fields() {
			if field.Exported() {
				look(field.Type())
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{shown.Params(), shown.Results()} {
			for variable := range tuple.Variables() {
				look(variable.Type())
			}
		}
	case *types.Interface:
		for method := range shown.Methods() {
			look(method.Type())
		}
	case *types.Map:
		look(shown.Key())
		look(shown.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		look(shown.Elem())
	}
	return found
}

// exported lists what a package exports, a line each: constants with their values, functions, types with their exported fields
// and methods.
func exported(self *types.Package) []string {
	var lines []string
	short := func(other *types.Package) string {
		if other == self {
			return ""
		}
		return other.Name()
	}
	for _, name := range self.Scope().Names() {
		object := self.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			lines = append(lines, types.ObjectString(object, short)+" = "+object.Val().ExactString())
		case *types.TypeName:
			lines = append(lines, typeLines(object, short)...)
		default:
			lines = append(lines, types.ObjectString(object, short))
		}
	}
	return lines
}

func typeLines(object *types.TypeName, short types.Qualifier) []string {
	var lines []string
	if record, is := object.Type().Underlying().(*types.Struct); is {
		lines = append(lines, "type "+object.Name()+" struct")
		for field := range record.Fields() {
			if field.Exported() {
				lines = append(lines, "field "+object.Name()+"."+field.Name()+" "+types.TypeString(field.Type(), short))
			}
		}
	} else {
		lines = append(lines, types.ObjectString(object, short))
	}
	methods := types.NewMethodSet(types.NewPointer(object.Type()))
	for i := range methods.Len() {
		if method := methods.At(i).Obj(); method.Exported() {
			lines = append(lines, types.ObjectString(method, short))
		}
	}
	return lines
}

// loadSelf reads the package's types from what the compiler exported.
func loadSelf(t *testing.T) *types.Package {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles all of it again where the tests are compiled otherwise, as for the race detector")
	}
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", ".")
	var problems bytes.Buffer
	list.Stderr = &problems
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &problems)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("%s is compiled nowhere", path)
		}
		return os.Open(files[path])
	})
	self, err := compiled.Import("shopcheck/mockserver")
	if err != nil {
		t.Fatal(err)
	}
	return self
}
