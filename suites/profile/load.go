package profile

// Reading a profile: YAML, ${VAR} expanded, unknown keys refused, environment and flags on top.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"shopcheck/fixtures/dialects"
	"shopcheck/reports/nesting"
	"shopcheck/suites/suggest"
)

const maxProfile = 1 << 20 // bytes

// Lookup finds an environment variable, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// Load reads the profile file over base. lookup resolves ${VAR}.
func Load(file string, base Profile, lookup Lookup) (Profile, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Profile{}, fmt.Errorf("read the profile: %w", err)
	}
	if info.Size() > maxProfile {
		return Profile{}, fmt.Errorf("the profile %s has more than %d bytes; is it the right file?", file, maxProfile)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Profile{}, fmt.Errorf("read the profile: %w", err)
	}
	p, err := Parse(text, base, lookup)
	if err != nil {
		return Profile{}, fmt.Errorf("profile %s: %w", file, err)
	}
	p.Dialect = dialects.Place(p.Dialect, filepath.Dir(file))
	if p.CAFile != base.CAFile && !filepath.IsAbs(p.CAFile) {
		p.CAFile = filepath.Join(filepath.Dir(file), p.CAFile)
	}
	return p, nil
}

// Parse reads profile YAML over base: what the text leaves out stays as base has it.
func Parse(text []byte, base Profile, lookup Lookup) (Profile, error) {
	tree, err := readTree(text)
	if err != nil {
		return Profile{}, errors.New(yaml.FormatError(err, false, false)) // the lines around it may hold secrets
	}
	expanded, err := expand(tree, "", lookup)
	if err != nil {
		return Profile{}, err
	}
	if err := fit(expanded, reflect.TypeFor[Profile](), ""); err != nil {
		return Profile{}, err
	}
	clean, err := yaml.Marshal(expanded)
	if err != nil {
		return Profile{}, err
	}
	if err := yaml.Unmarshal(clean, &base); err != nil {
		return Profile{}, errors.New(yaml.FormatError(err, false, false))
	}
	return base, nil
}

// readTree reads YAML with its numbers as they are written: a postcode 02134 is not 1116, and a secret 1.50 not 1.5.
func readTree(text []byte) (map[string]any, error) {
	if err := nesting.CheckYAML(text); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(string(text))
	for _, t := range tokens {
		switch t.Type {
		case token.AliasType: // a few of them in each other are billions of values
			return nil, fmt.Errorf("line %d holds an alias (*name), which a profile cannot have: write the value out", t.Position.Line)
		case token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType, token.FloatType, token.InfinityType,
			token.NanType:
			t.Type = token.StringType
		}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil || len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, err
	}
	var tree map[string]any
	return tree, yaml.NodeToValue(file.Docs[0].Body, &tree)
}

// fit walks the file's tree beside the profile's type and names the first key that has no place there, or that has a value of
// another kind than it takes. What stands where keys belong is not told: it may be a secret, without the key of its own.
func fit(node any, typ reflect.Type, path string) error {
	if node == nil { // a key with nothing after it: the default
		return nil
	}
	switch typ.Kind() {
	case reflect.Struct:
		return fitGroup(node, typ, path)
	case reflect.Slice:
		return fitList(node, typ, path)
	case reflect.Map:
		if _, isGroup := node.(map[string]any); !isGroup {
			return holdsKeys(path)
		}
		return nil
	}
	switch node.(type) {
	case map[string]any, []any:
		return fmt.Errorf("%s takes one value", path)
	}
	if err := setLeaf(reflect.New(typ).Elem(), fmt.Sprint(node)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func fitGroup(node any, typ reflect.Type, path string) error {
	group, ok := node.(map[string]any)
	if !ok {
		return holdsKeys(path)
	}
	known := yamlFields(typ)
	for _, key := range sortedKeys(group) {
		field, ok := known[key]
		if !ok {
			return fmt.Errorf("unknown key %s%s", dotted(path, key), suggest.DidYouMean(key, sortedKeys(known)))
		}
		if err := fit(group[key], field.Type, dotted(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func holdsKeys(path string) error { return fmt.Errorf("%s holds keys of its own, and no value", path) }

func fitList(node any, typ reflect.Type, path string) error {
	list, ok := node.([]any)
	if !ok {
		return fmt.Errorf("%s is a list; write [%v]", path, node)
	}
	for i, item := range list {
		if err := fit(item, typ.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func yamlFields(typ reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for i := range typ.NumField() {
		fields[typ.Field(i).Tag.Get("yaml")] = typ.Field(i)
	}
	return fields
}

// expand replaces ${VAR} in every string of the tree.
func expand(node any, path string, lookup Lookup) (any, error) {
	switch value := node.(type) {
	case string:
		return expandText(value, path, lookup)
	case map[string]any:
		out := map[string]any{}
		for _, key := range sortedKeys(value) {
			item, err := expand(value[key], dotted(path, key), lookup)
			if err != nil {
				return nil, err
			}
			out[key] = item
		}
		return out, nil
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			expanded, err := expand(item, fmt.Sprintf("%s[%d]", path, i), lookup)
			if err != nil {
				return nil, err
			}
			out[i] = expanded
		}
		return out, nil
	default:
		return node, nil
	}
}

func variablePattern() *regexp.Regexp { return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`) }

func expandText(text, path string, lookup Lookup) (any, error) {
	if !strings.Contains(text, "${") {
		return text, nil
	}
	var missing string
	out := variablePattern().ReplaceAllStringFunc(text, func(reference string) string {
		name := reference[2 : len(reference)-1]
		value, ok := lookup(name)
		if !ok {
			missing = name
		}
		return value
	})
	if missing != "" {
		return nil, fmt.Errorf("%s needs the environment variable %s, which is not set", path, missing)
	}
	if out == "true" || out == "false" {
		return out == "true", nil
	}
	return out, nil
}

func dotted(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
