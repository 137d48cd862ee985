package reports

// The lean document: without the exchanges that show no finding. All of them are in a compressed file beside it.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"shopcheck/reports/nesting"
)

// ExchangesFile is the name of the file with all exchanges, beside a lean document.
const ExchangesFile = "exchanges.json.gz"

// WriteLeanJSON writes the document with only those exchanges that a finding points to.
func WriteLeanJSON(w io.Writer, r *Report) error { return WriteJSON(w, lean(Complete(r))) }

// WriteExchanges writes the exchanges of all specs as compressed JSON: id of the spec to its exchanges.
func WriteExchanges(w io.Writer, r *Report) error {
	return writeExchanges(w, func() (block, error) { return zipped(r) })
}

func writeExchanges(w io.Writer, all func() (block, error)) error {
	zipped, err := all()
	if err == nil {
		_, err = w.Write(zipped.bytes)
	}
	if err != nil {
		return fmt.Errorf("write the exchanges: %w", err)
	}
	return nil
}

// block is the exchanges of all specs, compressed as one: most of a report is what answers have in common.
type block struct {
	bytes []byte
	safe  bool // its texts can be shown: Sanitize would change none
}

// zipped returns the block of a report, as all was said.
func zipped(r *Report) (block, error) {
	safe := true
	bytes, err := zip(r, func(text string) string {
		safe = safe && Sanitize(text) == text
		return text
	})
	return block{bytes, safe}, err
}

// zip compresses the exchanges of a report with each text passed through a function. They are encoded a spec at a time: all at once would
// hold a second copy of everything that a run has sent and got.
func zip(r *Report, text func(string) string) ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	encoder := json.NewEncoder(zipped)
	var failed error
	write := func(text string) { _, err := io.WriteString(zipped, text); failed = cmp.Or(failed, err) }
	encode := func(value any) { failed = cmp.Or(failed, encoder.Encode(value)) }
	write("{")
	for i := range r.Specs {
		if i > 0 {
			write(",")
		}
		encode(text(r.Specs[i].ID))
		write(":")
		encode(Rewritten(&r.Specs[i].Exchanges, text))
	}
	write("}")
	failed = cmp.Or(failed, zipped.Close())
	return out.Bytes(), failed
}

// Attach puts all exchanges back into a lean document, from the file beside it. It changes the report.
func Attach(r *Report, file io.Reader) error {
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("read the exchanges: %w", err)
	}
	text, err := readBounded(zipped)
	if err != nil {
		return err
	}
	if err := nesting.Check(text); err != nil {
		return fmt.Errorf("read the exchanges: %w", err)
	}
	var bySpec map[string][]Exchange
	if err := json.Unmarshal(text, &bySpec); err != nil {
		return fmt.Errorf("read the exchanges: %w", err)
	}
	for i := range r.Specs {
		if err := r.Specs[i].attach(bySpec[r.Specs[i].ID]); err != nil {
			return err
		}
	}
	r.ExchangesFile = ""
	return nil
}

// attach puts the exchanges of a spec back, and its findings point to them again.
func (s *Spec) attach(full []Exchange) error {
	if len(full) != s.ExchangeCount {
		return fmt.Errorf("%s is of another run than the report: it has %d exchanges of %s, not %d", ExchangesFile, len(full), s.ID,
			s.ExchangeCount)
	}
	for i := range s.Findings {
		if at := s.Findings[i].Exchange; at >= 0 && at < len(s.Exchanges) {
			s.Findings[i].Exchange = s.Exchanges[at].Number - 1
		}
	}
	s.Exchanges, s.ExchangeCount = full, 0
	return nil
}

// lean returns a copy of a complete report without the exchanges that show nothing.
func lean(r *Report) *Report {
	thin := *r
	thin.ExchangesFile = ExchangesFile
	thin.Specs = slices.Clone(r.Specs)
	for i := range thin.Specs {
		thin.Specs[i] = leanSpec(thin.Specs[i])
	}
	return &thin
}

// leanSpec keeps the exchanges that findings point to, numbered as they were.
func leanSpec(spec Spec) Spec {
	full := spec.Exchanges
	spec.ExchangeCount, spec.Exchanges, spec.Findings = len(full), nil, slices.Clone(spec.Findings)
	place := map[int]int{}
	keep := func(at int) int {
		if at < 0 || at >= len(full) {
			return at
		}
		if _, kept := place[at]; !kept {
			place[at] = len(spec.Exchanges)
			exchange := full[at]
			exchange.Number = at + 1
			spec.Exchanges = append(spec.Exchanges, exchange)
		}
		return place[at]
	}
	for i := range spec.Findings {
		spec.Findings[i].Exchange = keep(spec.Findings[i].Exchange)
	}
	if isDeviation(spec.Outcome) && len(spec.Findings) == 0 {
		keep(len(full) - 1) // where it ended
	}
	return spec
}
