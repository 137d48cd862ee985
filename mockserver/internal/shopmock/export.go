package shopmock

// A shop as one JSON document: all that it knows, to be kept in a file and put into a shop again.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	json "github.com/go-json-experiment/json/v1" // which knows inlined fields

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shop"
)

// exportVersion is the layout of the document. It counts on when rows change so that older ones cannot be read.
const exportVersion = 1

// exported is what the document holds besides the tables.
type exported struct {
	Version   int       `json:"shopmock"`
	Now       time.Time // the moment of the export, by the shop's clock
	Config    *shop.Config
	LastID    shop.IDs
	CartBytes int64
}

// Export writes the version of the layout, the settings, the last ids and each table as an object of its rows by id.
func (s *Server) Export(w io.Writer) error {
	state := s.shop.Snapshot()
	out := map[string]any{
		"shopmock": exportVersion, "Now": s.clock.Now().UTC(), "Config": state.Config, "LastID": state.LastID, "CartBytes": state.CartBytes,
	}
	tables := reflect.ValueOf(&state).Elem()
	for i := range tables.NumField() {
		all := tables.Field(i).Addr().MethodByName("All")
		if !all.IsValid() {
			continue
		}
		rows := map[string]any{}
		for row := range all.Call(nil)[0].Seq() {
			rows[strconv.FormatInt(row.Elem().FieldByName("ID").Int(), 10)] = row.Interface()
		}
		out[tables.Type().Field(i).Name] = rows
	}
	return json.NewEncoder(w).Encode(out)
}

// Import puts what a document holds in the place of all that the shop knows. An error names the line that is wrong; then nothing changes.
func (s *Server) Import(document []byte) error {
	state, exported, err := s.read(document)
	if now := s.clock.Now(); err == nil && now.Before(exported) {
		state, err = shop.Build(state, now, 0, (*shop.Tx).TurnBack)
	}
	if err != nil {
		return err
	}
	if err := s.try(state); err != nil {
		return err
	}
	if err := s.hooks.Reset(func() error { return s.shop.Restore(state) }); err != nil {
		return err
	}
	s.catcher.Clear("")
	s.changed.Notify()
	return nil
}

// lineError is what is wrong with a document, and where.
type lineError struct {
	line int
	what string
}

func (e lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// documentError is what is wrong at a place of a document.
func documentError(document []byte, offset int64, format string, args ...any) error {
	before := document[:min(max(int(offset), 0), len(document))]
	return lineError{1 + bytes.Count(before, []byte("\n")), fmt.Sprintf(format, args...)}
}

// member is a part of a document.
type member struct {
	name  string
	start int64 // where its value begins
	value []byte
}

// membersOf returns the members of a JSON object that begins at a place of a document.
func membersOf(document []byte, start int64, object []byte) ([]member, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(object))
	wrong := func(err error) ([]member, error) {
		offset := decoder.InputOffset()
		if broken := (*jsontext.SyntacticError)(nil); errors.As(err, &broken) {
			offset, err = broken.ByteOffset, broken.Err
		}
		return nil, documentError(document, start+offset, "%v", err)
	}
	if decoder.PeekKind() != '{' {
		return wrong(errors.New("an object is needed here"))
	}
	decoder.ReadToken() //nolint:errcheck // it was looked at
	var members []member
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return wrong(err)
		}
		one := member{name: name.String()}
		value, err := decoder.ReadValue()
		if err != nil {
			return wrong(err)
		}
		one.value, one.start = bytes.Clone(value), start+decoder.InputOffset()-int64(len(value))
		members = append(members, one)
	}
	if _, err := decoder.ReadToken(); err != nil {
		return wrong(err)
	}
	if _, err := decoder.ReadToken(); err != io.EOF { //nolint:errorlint // a decoder answers io.EOF itself
		return wrong(errors.New("nothing may follow the object"))
	}
	return members, nil
}

// decodeInto reads a member strictly.
func (m member) decodeInto(document []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(m.value))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return documentError(document, m.start+kind.Offset, "%s is a %s, which cannot be", cmp.Or(kind.Field, m.name), kind.Value)
	case err != nil:
		_, field, _ := strings.Cut(err.Error(), "unknown field ")
		return documentError(document, m.start+int64(max(0, bytes.Index(m.value, []byte(field)))), "%s: %v", m.name, err)
	case string(m.value) == "null":
		return documentError(document, m.start, "%s is null", m.name)
	}
	return nil
}

// read makes a state of a document, and tells when it was exported.
func (s *Server) read(document []byte) (shop.State, time.Time, error) {
	members, err := membersOf(document, 0, document)
	if err != nil {
		return shop.State{}, time.Time{}, err
	}
	var head exported
	fields := map[string]any{
		"shopmock": &head.Version, "Now": &head.Now, "Config": &head.Config, "LastID": &head.LastID, "CartBytes": &head.CartBytes,
	}
	tables := slices.DeleteFunc(members, func(m member) bool {
		field, known := fields[m.name]
		if known {
			err = errors.Join(err, m.decodeInto(document, field))
		}
		return known
	})
	switch {
	case err != nil:
		return shop.State{}, time.Time{}, err
	case head.Version != exportVersion:
		return shop.State{}, time.Time{}, documentError(document, 0,
			"this is no export of layout %d: it must have \"shopmock\": %[1]d", exportVersion)
	case head.Config == nil || head.CartBytes < 0:
		return shop.State{}, time.Time{}, documentError(document, 0, "Config is missing, or CartBytes is negative")
	}
	empty := shop.NewState(head.Config)
	empty.LastID, empty.CartBytes = head.LastID, head.CartBytes
	state, err := shop.Build(empty, head.Now, 0, func(tx *shop.Tx) error { return loadTables(tx, document, tables) })
	if err != nil {
		return shop.State{}, time.Time{}, err
	}
	state, err = s.withOwnKey(state)
	return state, head.Now, err
}

func loadTables(tx *shop.Tx, document []byte, tables []member) error {
	for _, table := range tables {
		if !shop.IsTable(table.name) {
			return documentError(document, table.start, "there is no table %s", table.name)
		}
		rows, err := membersOf(document, table.start, table.value)
		if err != nil {
			return err
		}
		for _, row := range rows {
			id, err := strconv.ParseInt(row.name, 10, 64)
			if err == nil {
				err = tx.Load(table.name, id, func(into any) error { return row.decodeInto(document, into) })
			}
			if err != nil && !errors.As(err, new(lineError)) {
				err = documentError(document, row.start, "%s %s: %v", table.name, row.name, err)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// shownLists are the lists that show each record that can be listed.
var shownLists = []string{
	"/shop/v3/products", "/shop/v3/orders", "/shop/v3/customers?role=all", "/shop/v3/coupons", "/shop/v3/taxes", "/shop/v3/taxes/classes",
	"/shop/v3/products/categories", "/shop/v3/products/tags", "/shop/v3/products/attributes", "/shop/v3/products/reviews",
	"/shop/v3/shipping/zones", "/shop/v3/payment_gateways", "/shop/v3/webhooks", "/shop/v3/settings", "/shop/store/v1/products",
}

// try shows each record of a state once, in a shop of its own: what cannot be shown must not come into a shop that answers.
func (s *Server) try(state shop.State) error {
	options := s.options
	options.Journal, options.Log, options.Storage = journal.Settings{Requests: -1}, nil, nil
	empty, err := seed.Named(fixtures.EmptySeed)
	if err != nil {
		return err
	}
	scratch, err := assemble(options, empty, nil, s.spoken, s.secret, s.clock.Copy(), nil, nil)
	if err != nil {
		return err
	}
	defer scratch.hooks.Close()
	state, err = shop.Build(state, s.clock.Now(), 0, func(tx *shop.Tx) error {
		tx.DropKey(triedKey)
		return (&shop.APIKey{Key: triedKey, Secret: triedKey, Permission: shop.ReadWrite}).Add(tx)
	})
	if err != nil {
		return err
	}
	if err := scratch.shop.Restore(state); err != nil {
		return err
	}
	for _, list := range shownLists {
		if err := scratch.show(list); err != nil {
			return err
		}
	}
	return nil
}

// triedKey opens a shop that nobody else reaches.
const triedKey = "ck_import"

// show reads a list to its end.
func (s *Server) show(list string) error {
	path, query, _ := strings.Cut(list, "?")
	for page := 1; ; page++ {
		values, _ := url.ParseQuery(query)
		values.Set("per_page", "100")
		values.Set("page", strconv.Itoa(page))
		values.Set("consumer_key", triedKey)
		values.Set("consumer_secret", triedKey)
		request := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: values.Encode()}, Header: http.Header{},
			Host: "localhost", Body: http.NoBody}
		answer := &measured{header: http.Header{}}
		s.handler.ServeHTTP(answer, request)
		if answer.status >= http.StatusInternalServerError {
			return fmt.Errorf("the records of %s cannot be shown: one of records %d to %d is wrong", path, page*100-99, page*100)
		}
		if pages, _ := strconv.Atoi(answer.header.Get("X-Shop-TotalPages")); page >= pages {
			return nil
		}
	}
}

// measured is an answer whose body nobody reads.
type measured struct {
	header http.Header
	status int
}

func (m *measured) Header() http.Header         { return m.header }
func (m *measured) WriteHeader(status int)      { m.status = status }
func (m *measured) Write(b []byte) (int, error) { return len(b), nil }
