// Package validation says where a JSON document doesn't fit its schema. It is a package of its own since its library compiles the
// schemas of schemas whenever a program starts that links it: 5 ms and 2 MB that shopmock, which reads no reports, has no use for.
package validation

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Misfits names the places of a document that don't fit a schema: none, when it fits.
func Misfits(schema, document []byte) ([]string, error) {
	compiled, err := compile(schema)
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	var misfit *jsonschema.ValidationError
	if !errors.As(compiled.Validate(value), &misfit) {
		return nil, nil
	}
	leaves := Leaves(misfit)
	lines := make([]string, 0, len(leaves))
	for _, leaf := range leaves {
		lines = append(lines, "at /"+strings.Join(leaf.InstanceLocation, "/")+" "+describe(leaf))
	}
	return lines, nil
}

func compile(text []byte) (*jsonschema.Schema, error) {
	const name = "schema.json"
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, schema); err != nil {
		return nil, fmt.Errorf("load the schema: %w", err)
	}
	return compiler.Compile(name)
}

func describe(leaf *jsonschema.ValidationError) string {
	if extra, ok := leaf.ErrorKind.(*kind.AdditionalProperties); ok {
		return "unknown field " + strings.Join(extra.Properties, ", ")
	}
	return leaf.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}

// Leaves returns the errors of a misfit that have no cause of their own: those that name a value instead of a rule.
func Leaves(misfit *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(misfit.Causes) == 0 {
		return []*jsonschema.ValidationError{misfit}
	}
	var leaves []*jsonschema.ValidationError
	for _, cause := range misfit.Causes {
		leaves = append(leaves, Leaves(cause)...)
	}
	return leaves
}
