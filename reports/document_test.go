package reports

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"shopcheck/reports/validation"
)

func samples() map[string]*Report {
	return map[string]*Report{"passing": passingSample(), "failing": failingSample(), "empty": emptySample()}
}

func TestWrittenReportsFitTheSchemaAndReadBackTheSame(t *testing.T) {
	for name, sample := range samples() {
		t.Run(name, func(t *testing.T) {
			back, err := Read(bytes.NewReader(jsonOf(t, sample)), validation.Misfits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Complete(sample), back, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("reading back what was written changed it (-written +read):\n%s", diff)
			}
		})
	}
}

func TestTheSampleHasEveryOutcome(t *testing.T) {
	tally := Summarize(failingSample())
	for _, outcome := range Outcomes() {
		if tally.Specs[outcome]+tally.Requirements[outcome] == 0 {
			t.Errorf("no spec and no requirement of the sample is %s, so the tests never see one", outcome)
		}
	}
}

func jsonOf(t *testing.T, r *Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteJSON(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadRefuses(t *testing.T) {
	whole := string(jsonOf(t, failingSample()))
	replaced := func(old, new string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("the sample holds no %s", old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"nothing":           {"", "not a report document"},
		"another document":  {`{"openapi": "3.1.0"}`, "it has no format_version"},
		"an older version":  {replaced(`"format_version": 1`, `"format_version": 0`), "run the suites again"},
		"a newer version":   {replaced(`"format_version": 1`, `"format_version": 2, "mood": "fine"`), "use a newer shopcheck"},
		"an unknown field":  {replaced(`"strict": false`, `"strict": false, "mood\u001b[2J": 1`), "at / unknown field mood␛[2J"},
		"a nested unknown":  {replaced(`"seed":`, `"mood": 1, "seed":`), "at /tool unknown field mood"},
		"a missing field":   {replaced(`"strict": false,`, ``), "at / missing property 'strict'"},
		"an unknown word":   {replaced(`"verdict": "not_conformant"`, `"verdict": "splendid"`), "at /verdict value must be one of"},
		"a value mistyped":  {replaced(`"strict": false`, `"strict": "no"`), "at /strict got string, want boolean"},
		"a time mistyped":   {replaced(`"2024-11-20T19:44:01Z"`, `"yesterday"`), "at /started_at"},
		"two documents":     {whole + whole, "not a report document"},
		"half of it":        {whole[:len(whole)/2], "not a report document"},
		"a null for a list": {replaced(`"leftovers": [`, `"leftovers": null, "errors": [`), "at /leftovers got null, want array"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(test.text), validation.Misfits)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, wanted one with %q", err, test.want)
			}
		})
	}
}

func TestReadRefusesWhatIsTooDeep(t *testing.T) {
	deep := `{"format_version":1,"x":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "}"
	if _, err := Read(strings.NewReader(deep), validation.Misfits); err == nil || !strings.Contains(err.Error(), "deeper than 128 levels") {
		t.Errorf("%v", err)
	}
}

func TestReadNamesOnlyTheFirstFaults(t *testing.T) {
	text := strings.ReplaceAll(string(jsonOf(t, passingSample())), `"flaky": false`, `"flaky": 0`)
	_, err := Read(strings.NewReader(text), validation.Misfits)
	if err == nil || !strings.Contains(err.Error(), "and 112 more") || len(err.Error()) > 1000 {
		t.Errorf("got %v, wanted a short error that counts the other faults", err)
	}
}

func TestEveryFieldIsInTheSchemaAndDescribed(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties           map[string]struct{ Description string }
			Required             []string
			AdditionalProperties *bool
			Enum                 []string
		} `json:"$defs"`
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for _, structure := range structuresOf(reflect.TypeFor[Report]()) {
		definition := schema.Defs[structure.Name()]
		if definition.AdditionalProperties == nil || *definition.AdditionalProperties {
			t.Errorf("%s: the schema allows any further field", structure.Name())
		}
		var names, required []string
		for field := range fieldsOf(structure) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
			if options == "" {
				required = append(required, name)
			}
			if definition.Properties[name].Description == "" {
				t.Errorf("%s.%s is not described in the schema", structure.Name(), name)
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff(names, slices.Sorted(maps.Keys(definition.Properties))); diff != "" {
			t.Errorf("%s: the fields differ (-Go +schema):\n%s", structure.Name(), diff)
		}
		if diff := cmp.Diff(required, definition.Required); diff != "" {
			t.Errorf("%s: what is always there differs (-Go +schema):\n%s", structure.Name(), diff)
		}
	}
	var outcomes []string
	for _, outcome := range Outcomes() {
		outcomes = append(outcomes, string(outcome))
	}
	if diff := cmp.Diff(outcomes, schema.Defs["Outcome"].Enum, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("the outcomes differ (-Go +schema):\n%s", diff)
	}
}

// structuresOf returns the type and every struct type of ours below it, each once.
func structuresOf(root reflect.Type) []reflect.Type {
	var found []reflect.Type
	var visit func(reflect.Type)
	visit = func(at reflect.Type) {
		switch {
		case at.Kind() == reflect.Slice || at.Kind() == reflect.Map || at.Kind() == reflect.Pointer:
			visit(at.Elem())
		case at.Kind() == reflect.Struct && at != reflect.TypeFor[time.Time]() && !slices.Contains(found, at):
			found = append(found, at)
			for field := range fieldsOf(at) {
				visit(field.Type)
			}
		}
	}
	visit(root)
	return found
}

// fieldsOf yields the fields that are in the document.
func fieldsOf(structure reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for _, field := range reflect.VisibleFields(structure) {
			if field.Tag.Get("json") != "-" && !yield(field) {
				return
			}
		}
	}
}
