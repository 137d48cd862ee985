package main

// shopmock import --from: a live shop, read through its management API, as a document that serve --seed takes.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/fixtures/seedfile"
	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// copyFlags say which shop is copied, and where to.
type copyFlags struct{ from, profile, file string }

// runCopy copies a shop into a file, or to out.
func runCopy(ctx context.Context, out, progress io.Writer, flags copyFlags) error {
	p, err := flags.target(os.LookupEnv)
	if err != nil {
		return err
	}
	redactor := client.NewRedactor(p)
	shop := client.New(p, redactor, func(reports.Exchange) int { return 0 }, nil)
	defer shop.Close()
	document, err := copyShop(ctx, shop, p, progress)
	if err != nil {
		return redactor.Error(err)
	}
	if err := tellWhatDoesNotFit(document, progress); err != nil {
		return err
	}
	if flags.file == "" {
		_, err = out.Write(document)
		return err
	}
	if err := os.WriteFile(flags.file, document, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(progress, "shopmock: written to %s: shopmock serve --seed %[1]s serves it\n", flags.file)
	return nil
}

// target is the profile of the shop that is copied, which is only read.
func (f copyFlags) target(lookup profile.Lookup) (profile.Profile, error) {
	p, err := profile.New(f.from), error(nil)
	if f.profile != "" {
		if p, err = profile.Load(f.profile, p, lookup); err != nil {
			return p, err
		}
	}
	if err := p.OverrideFromEnvironment(lookup); err != nil {
		return p, err
	}
	if f.from != "" {
		p.Target = f.from
	}
	if p.Credentials.Read.Given() {
		p.Credentials.ReadWrite = p.Credentials.Read
	}
	p.ReadOnly = true
	p = p.AtSite()
	return p, p.Validate()
}

// tellWhatDoesNotFit makes a shop of a copy, and says what is left out of it.
func tellWhatDoesNotFit(document []byte, progress io.Writer) error {
	made, err := mockserver.New(mockserver.Options{SeedData: document})
	if err != nil {
		return fmt.Errorf("what the shop showed makes no shop: %w", err)
	}
	defer made.Close()
	for _, note := range made.SeedNotes() {
		fmt.Fprintln(progress, "shopmock: "+printable(note))
	}
	return nil
}

// copier reads a shop and writes what it found.
type copier struct {
	ctx      context.Context
	shop     *client.Client
	auth     client.Auth
	mask     *mask
	progress io.Writer
	out      bytes.Buffer
	known    map[string]map[string]string // names in the catalogue by the kind and id of their records: texts that orders may have
}

// Bounds of what is taken from a shop.
const (
	copiedPage = 100       // records of a page
	maxPages   = 20_000    // of a list
	maxRecords = 1_000_000 // of a list
)

// copyShop returns a shop as a document.
func copyShop(ctx context.Context, shop *client.Client, p profile.Profile, progress io.Writer) ([]byte, error) {
	if err := client.FindShop(ctx, shop); err != nil {
		return nil, err
	}
	c := &copier{ctx: ctx, shop: shop, auth: client.KeyOf(p.Credentials.ReadWrite), mask: newMask(), progress: progress,
		known: map[string]map[string]string{}}
	fmt.Fprintf(&c.out, "{%q:%d", seedfile.CopyMark, seedfile.CopyVersion)
	for _, part := range []func() error{c.copySettings, c.copyTaxes, c.copyTerms, c.copyProducts, c.copyShipping, c.copyCoupons,
		c.copyCustomers, c.copyOrders, c.copyReviews} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	c.out.WriteString("\n}\n")
	if c.out.Len() > seedfile.MaxFile {
		return nil, errTooLarge
	}
	return c.out.Bytes(), nil
}

var errTooLarge = fmt.Errorf("the copy would have more than the %d MB that a seed may have", seedfile.MaxFile>>20)

// each reads a list to its end, and does something with each record. A record that came before is left out, so that a shop which
// shows one page again and again comes to an end.
func (c *copier) each(path string, query url.Values, do func(gjson.Result) error) (count int, err error) {
	seen := digests{}
	for page := 1; page <= maxPages && count < maxRecords; page++ {
		answer, err := c.get(path, query, page)
		if err != nil {
			return count, err
		}
		before := count
		for _, record := range answer.JSON().Array() {
			if !record.IsObject() {
				fmt.Fprintf(c.progress, "shopmock: %s: a record that is no object is left out\n", path)
				continue
			}
			if !seen.add(cmp.Or(record.Get("id").Raw, record.Raw)) {
				continue
			}
			count++
			if err := do(record); err != nil {
				return count, err
			}
		}
		pages, err := strconv.Atoi(c.shop.Header(answer.Header).Get("X-Shop-TotalPages"))
		if count == before || err == nil && page >= pages {
			return count, nil
		}
	}
	return count, fmt.Errorf("%s does not end: %d records were read", path, count)
}

// digests are those of names: a name itself would keep the page in memory that it stands on.
type digests map[[sha256.Size]byte]bool

// add reports whether a name was not there yet.
func (d digests) add(name string) bool {
	digest := sha256.Sum256([]byte(name))
	known := d[digest]
	d[digest] = true
	return !known
}

// errNoList is the error of a list that a shop does not have.
var errNoList = errors.New("there is no such list")

func (c *copier) get(path string, query url.Values, page int) (*client.Answer, error) {
	asked := url.Values{"per_page": {strconv.Itoa(copiedPage)}, "page": {strconv.Itoa(page)}}
	for name, values := range query {
		asked[name] = values
	}
	answer := c.shop.Do(c.ctx, client.Request{Method: http.MethodGet, Path: client.Management + path, Query: asked, Auth: c.auth})
	switch {
	case answer.Err != nil:
		return nil, fmt.Errorf("%s: %w", path, answer.Err)
	case answer.Status == http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w", path, errNoList)
	case !answer.OK():
		return nil, fmt.Errorf("%s: the shop answers with %d %s: the key must be allowed to read all of the shop", path, answer.Status,
			printable(cut(answer.Code())))
	case !answer.JSON().IsArray():
		return nil, fmt.Errorf("%s: the shop does not answer with a list of records", path)
	}
	return answer, nil
}

// list copies the lists that are at several paths as one. A shop may be without it.
func (c *copier) list(name string, paths []string, query url.Values, record func(path int, record gjson.Result) (any, error)) error {
	fmt.Fprintf(&c.out, ",\n%q:[", name)
	separator, count := "\n", 0
	for i, path := range paths {
		read, err := c.each(path, query, func(found gjson.Result) error {
			kept, err := record(i, found)
			if err != nil || kept == nil {
				return err
			}
			text, err := json.Marshal(kept)
			if c.out.Len()+len(text) > seedfile.MaxFile {
				err = errTooLarge
			}
			c.out.WriteString(separator)
			c.out.Write(text)
			separator = ",\n"
			return err
		})
		count += read
		if errors.Is(err, errNoList) {
			fmt.Fprintf(c.progress, "shopmock: the shop has no %s\n", path)
		} else if err != nil {
			return err
		}
	}
	c.out.WriteString("\n]")
	fmt.Fprintf(c.progress, "shopmock: %s: %d\n", name, count)
	return nil
}

// plain copies a list whose records are kept as far as fields says, and learns what they are called.
func (c *copier) plain(name, path string, query url.Values, kept fields, learn func(gjson.Result)) error {
	return c.list(name, []string{path}, query, func(_ int, record gjson.Result) (any, error) {
		learn(record)
		return kept.of(record), nil
	})
}

// learn notes that the catalogue has a name. It keeps copies: the page that they stand on need not stay.
func (c *copier) learn(kind, id, name string) {
	if c.known[kind] == nil {
		c.known[kind] = map[string]string{}
	}
	c.known[kind][strings.Clone(id)] = strings.Clone(name)
}

// named learns the name of a record by its id.
func (c *copier) named(kind, id, name string) func(gjson.Result) {
	return func(record gjson.Result) { c.learn(kind, record.Get(id).String(), record.Get(name).String()) }
}

func nothing(gjson.Result) {}

// byID is how lists are asked for, so that records which come meanwhile do not move those of later pages.
var byID = url.Values{"orderby": {"id"}, "order": {"asc"}}

func with(query url.Values, name, value string) url.Values {
	more := url.Values{name: {value}}
	for name, values := range query {
		more[name] = values
	}
	return more
}
