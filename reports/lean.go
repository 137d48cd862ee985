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
func zipped(r *Report) (block, error) { return zip(r, asItIs) }

func asItIs(text string) string { return text }

// zip compresses the exchanges of a report with each text passed through a function.
func zip(r *Report, text func(string) string) (block, error) {
	p := newPacker(text)
	for i := range r.Specs {
		p.add(&r.Specs[i])
	}
	return p.close()
}

// packer compresses exchanges with each text passed through a function. They are encoded a spec at a time: all at once would hold a second
// copy of everything that a run has sent and got.
type packer struct {
	text    func(string) string
	safe    bool
	between string // what stands before the next spec
	out     bytes.Buffer
	zipped  *gzip.Writer
	encoder *json.Encoder
	failed  error
}

func newPacker(text func(string) string) *packer {
	p := &packer{safe: true, between: "{"}
	p.text = func(from string) string {
		to := text(from)
		p.safe = p.safe && Sanitize(to) == to
		return to
	}
	p.zipped = gzip.NewWriter(&p.out)
	p.encoder = json.NewEncoder(p.zipped)
	return p
}

func (p *packer) add(s *Spec) {
	p.write(p.between)
	p.encode(p.text(s.ID))
	p.write(":")
	p.encode(Rewritten(&s.Exchanges, p.text))
	p.between = ","
}

func (p *packer) write(text string) {
	_, err := io.WriteString(p.zipped, text)
	p.failed = cmp.Or(p.failed, err)
}

func (p *packer) encode(value any) { p.failed = cmp.Or(p.failed, p.encoder.Encode(value)) }

// close returns what was compressed.
func (p *packer) close() (block, error) {
	if p.between == "{" { // no spec
		p.write("{")
	}
	p.write("}")
	p.failed = cmp.Or(p.failed, p.zipped.Close())
	return block{p.out.Bytes(), p.safe}, p.failed
}

// Attach puts all exchanges back into a lean document, from the file beside it. It changes the report.
func Attach(r *Report, file io.Reader) error {
	bySpec, err := unzip(file)
	if err != nil {
		return err
	}
	for i := range r.Specs {
		if err := r.Specs[i].attach(bySpec[r.Specs[i].ID]); err != nil {
			return err
		}
	}
	r.ExchangesFile = ""
	return nil
}

// unzip reads the exchanges of all specs.
func unzip(file io.Reader) (bySpec map[string][]Exchange, err error) {
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("read the exchanges: %w", err)
	}
	text, err := readBounded(zipped)
	if err != nil {
		return nil, err
	}
	if err := nesting.Check(text); err != nil {
		return nil, fmt.Errorf("read the exchanges: %w", err)
	}
	if err := json.Unmarshal(text, &bySpec); err != nil {
		return nil, fmt.Errorf("read the exchanges: %w", err)
	}
	return bySpec, nil
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
