package cmd_test

// The manifests for clusters, as Kubernetes itself describes them.

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"shopcheck/fixtures"
)

func kubernetesSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../fixtures/testdata/kubernetes.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// manifests are those that the programs print.
func manifests(t *testing.T) map[string]string {
	t.Helper()
	pipeline, err := fixtures.Pipeline("kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	shop, err := os.ReadFile("shopmock/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"shopcheck init ci kubernetes": pipeline, "shopmock init kubernetes": string(shop)}
}

// invalid is what the schema has against the first object of a manifest that does not fit it.
func invalid(t *testing.T, schema *jsonschema.Schema, manifest string) error {
	t.Helper()
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		text, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(object); err != nil {
			return err
		}
	}
	return nil
}

func TestKubernetesTakesTheManifests(t *testing.T) {
	t.Parallel()
	schema := kubernetesSchema(t)
	for name, manifest := range manifests(t) {
		t.Run(name, func(t *testing.T) {
			if err := invalid(t, schema, manifest); err != nil {
				t.Error(err)
			}
			for right, wrong := range map[string]string{
				"containers:":   "container:",
				"mountPath:":    "mountpath:",
				"name: data\n":  "name: 7\n",
				"apps/v1":       "apps/v2",
				"completions: ": "completions: about ",
				"claimName:":    "claim:",
			} {
				bent := strings.Replace(manifest, right, wrong, 1)
				if bent != manifest && invalid(t, schema, bent) == nil {
					t.Errorf("%q in place of %q is taken", wrong, right)
				}
			}
		})
	}
}
