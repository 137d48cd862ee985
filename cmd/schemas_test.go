package cmd_test

// What other programs read of ours, held against what they say that they read: by their schemas, or by their own code.

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"shopcheck/fixtures"
)

// A bend is something right in a file, and what is wrong in its place: its reader has to refuse it.
type bends map[string]string

// mustBeTaken has a file taken by its reader, and refused with each of the bends.
func (b bends) mustBeTaken(t *testing.T, text string, read func(text string) error) {
	t.Helper()
	if err := read(text); err != nil {
		t.Error(err)
	}
	for right, wrong := range b {
		if bent := strings.Replace(text, right, wrong, 1); bent == text || read(bent) == nil {
			t.Errorf("%q in place of %q is taken, or there is no such place", wrong, right)
		}
	}
}

// schemaReader reads a file of YAML documents as a program does that has a schema.
func schemaReader(t *testing.T, name string) func(text string) error {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../fixtures/testdata/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		for document := range strings.SplitSeq(text, "\n---\n") {
			text, err := yaml.YAMLToJSON([]byte(document))
			if err != nil {
				return err
			}
			object, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				return err
			}
			if err := schema.Validate(object); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestKubernetesTakesTheManifests(t *testing.T) {
	t.Parallel()
	pipeline, err := fixtures.Pipeline("kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	bends{
		"containers:":   "container:",
		"mountPath:":    "mountpath:",
		"name: data\n":  "name: 7\n",
		"apps/v1":       "apps/v2",
		"completions: ": "completions: about ",
		"claimName:":    "claim:",
	}.mustBeTaken(t, pipeline+"\n---\n"+readGuide(t, "shopmock/kubernetes.yaml"), schemaReader(t, "kubernetes"))
}

func TestGoReleaserTakesTheReleases(t *testing.T) {
	t.Parallel()
	bends{
		"version: 2":         "version: two",
		"mod_timestamp:":     "timestamp:",
		"formats: [tar.gz]":  "formats: {tar.gz}",
		"artifacts: archive": "artefacts: archive",
		"section: devel":     "sections: devel",
		"disable: true":      "disabled: true",
	}.mustBeTaken(t, readGuide(t, "../.goreleaser.yaml"), schemaReader(t, "goreleaser"))
}

// Compose reads its file by this library.
func TestComposeTakesItsFile(t *testing.T) {
	t.Parallel()
	var services []string
	read := func(text string) error {
		details := types.ConfigDetails{WorkingDir: "..", ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: []byte(text)}}}
		project, err := loader.LoadWithContext(t.Context(), details, func(options *loader.Options) {
			options.SetProjectName("shopcheck", true)
			options.Profiles = []string{"*"}
		})
		if err == nil {
			services = slices.Sorted(maps.Keys(project.Services))
		}
		return err
	}
	bends{
		"depends_on: [nats]": "depends_on: [queue]",
		"service_healthy":    "healthy",
		"network_mode:":      "network:",
		"replicas: 3":        "replicas: three",
		"  shop:\n":          "  shops:\n",
		"8081-8083:8080":     "8081-8083",
		"target: shopmock":   "stage: shopmock",
	}.mustBeTaken(t, readGuide(t, "../compose.yaml"), read)
	if want := []string{"mock", "nats", "replica", "shopcheck"}; !slices.Equal(services, want) {
		t.Errorf("the services are %q, want %q", services, want)
	}
}
