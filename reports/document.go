package reports

// The report document as JSON: written, read back, and the schema that describes it.

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"shopcheck/reports/nesting"
)

// maxDocument bounds what Read takes in, in bytes. A run of a thousand specs with all its exchanges is a tenth of it.
const maxDocument = 512 << 20

// shownFaults is how many places of a document that doesn't fit are named: the first ones are enough to act on.
const shownFaults = 5

//go:embed report.schema.json
var schemaText string

// Schema returns the JSON Schema (draft 2020-12) of the report document.
func Schema() []byte { return []byte(schemaText) }

// WriteJSON writes the report document, complete. Lists that are nil are written as empty ones.
func WriteJSON(w io.Writer, r *Report) error {
	if err := Encode(w, Rewritten(Complete(r), strings.Clone)); err != nil {
		return fmt.Errorf("write the report document: %w", err)
	}
	return nil
}

// Encode writes a value as JSON that people read, too.
func Encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Read reads a report document. It refuses one of another format version, and one that doesn't fit the schema:
// unknown fields, missing fields, unknown words. What doesn't fit is told by misfits, which is validation.Misfits.
func Read(from io.Reader, misfits func(schema, document []byte) ([]string, error)) (*Report, error) {
	text, err := readBounded(from)
	if err != nil {
		return nil, err
	}
	if err := nesting.Check(text); err != nil {
		return nil, fmt.Errorf("this is not a report document (%w): give the report.json that a run wrote", err)
	}
	if err := checkVersion(text); err != nil {
		return nil, err
	}
	if err := checkSchema(text, misfits); err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("read the report document: %w", err)
	}
	return report, nil
}

func readBounded(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("read the report document: %w", err)
	}
	if len(text) > maxDocument {
		return nil, fmt.Errorf("the report document is larger than %d MiB: give the report.json of one run", maxDocument>>20)
	}
	return text, nil
}

// checkVersion comes before the schema, so that a report of another time gets the one message that helps.
func checkVersion(text []byte) error {
	var head struct {
		FormatVersion *int `json:"format_version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("this is not a report document (%w): give the report.json that a run wrote", err)
	}
	switch {
	case head.FormatVersion == nil:
		return errors.New("this is not a report document (it has no format_version): give the report.json that a run wrote")
	case *head.FormatVersion > FormatVersion:
		return fmt.Errorf("the report has format version %d and this program reads version %d: use a newer shopcheck",
			*head.FormatVersion, FormatVersion)
	case *head.FormatVersion < FormatVersion:
		return fmt.Errorf("the report has format version %d and this program reads version %d: run the suites again with this shopcheck",
			*head.FormatVersion, FormatVersion)
	}
	return nil
}

func checkSchema(text []byte, misfits func(schema, document []byte) ([]string, error)) error {
	found, err := misfits(Schema(), text)
	if err != nil {
		return fmt.Errorf("read the report document: %w", err)
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("the report doesn't fit format version %d: %s; write it again with this shopcheck instead of editing it",
		FormatVersion, strings.Join(firstFew(found), "; "))
}

// firstFew returns the first places that don't fit, at most shownFaults of them. The text may hold names from the document, which may
// come from anywhere.
func firstFew(misfits []string) []string {
	lines := make([]string, 0, shownFaults+1)
	for _, misfit := range misfits[:min(len(misfits), shownFaults)] {
		lines = append(lines, SanitizeLine(misfit))
	}
	if more := len(misfits) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}
