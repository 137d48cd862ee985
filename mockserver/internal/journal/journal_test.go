package journal_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/match"
	"shopcheck/mockserver/internal/notify"
	"shopcheck/mockserver/internal/testkit"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func newJournal(settings journal.Settings) *journal.Journal {
	return journal.New(journal.Options{Settings: settings, Clock: noon, Secret: []byte("k"), Changed: &notify.Broadcast{}})
}

// echo answers with the body that it is sent, and the status that ?status= names. With ?constant it says that the body never changes.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	status := 200
	fmt.Sscan(r.URL.Query().Get("status"), &status) //nolint:errcheck // 200 then
	w.WriteHeader(status)
	if !r.URL.Query().Has("constant") {
		io.Copy(w, r.Body) //nolint:errcheck // a recorder takes all
		return
	}
	body, _ := io.ReadAll(r.Body)
	w.(interface{ WriteConstant([]byte) (int, error) }).WriteConstant(body) //nolint:errcheck // as above
})

func send(j *journal.Journal, method, target, body string, header ...string) {
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	j.Serve(echo, httptest.NewRecorder(), request)
}

func TestARequestIsKeptWithItsAnswer(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	send(j, "POST", "/shop/v3/orders?status=201", `{"a":1}`, "Content-Type", "application/json")
	e, found := j.Get(1)
	if !found || e.Method != "POST" || e.Path != "/shop/v3/orders" || e.Target != "/shop/v3/orders?status=201" || e.Status != 201 ||
		e.Request.Body != `{"a":1}` || e.Answer.Body != `{"a":1}` || e.Answer.Size != 7 || !e.Time.Equal(noon()) ||
		e.Answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v %+v", found, e)
	}
	if _, found := j.Get(2); found {
		t.Error("there is a second one")
	}
}

// Who calls the handler himself may use his request and his answer again.
func TestHeadersAreThoseOfTheirOwnRequest(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	for _, kind := range []string{"text/plain", "text/html"} {
		request.Header.Set("Content-Type", kind)
		j.Serve(echo, answer, request)
		request.Header.Add("X-Later", "1")
		answer.Header().Add("X-Later", "1")
	}
	first, _ := j.Get(1)
	if first.Request.Header.Get("Content-Type") != "text/plain" || first.Answer.Header.Get("Content-Type") != "text/plain" ||
		first.Request.Header.Get("X-Later") != "" || first.Answer.Header.Get("X-Later") != "" {
		t.Errorf("the headers of the first request are %v, those of its answer %v", first.Request.Header, first.Answer.Header)
	}
}

// Headers that came by a socket are looked at while others come and go: with -race nobody writes to them.
func TestHeadersOfASocketStayAsTheyAre(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{Requests: 20})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { j.Serve(echo, w, r) }))
	defer server.Close()
	var group sync.WaitGroup
	for client := range 4 {
		group.Go(func() {
			for number := range 50 {
				kind := fmt.Sprintf("text/x-%d-%d", client, number)
				answer, err := http.Post(server.URL+"/?kind="+kind, kind, strings.NewReader("{}"))
				if err != nil {
					t.Error(err)
					return
				}
				answer.Body.Close()
				for _, e := range j.List(journal.Filter{}) {
					kind := strings.TrimPrefix(e.Target, "/?kind=")
					sent, answered := e.Request.Header, e.Answer.Header
					if sent.Get("Content-Type") != kind || answered.Get("Content-Type") != kind || e.Answer.Body != "{}" {
						t.Errorf("%s has the headers %v and %v", e.Target, sent, answered)
					}
				}
			}
		})
	}
	group.Wait()
}

// Headers that are too much are cut off, and all texts count for the memory that the journal may take.
func TestLargeHeadersCount(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{Bytes: journal.LeastBytes})
	for range 40 {
		send(j, "GET", "/"+strings.Repeat("x", 32<<10), "", "X-Large", strings.Repeat("x", 128<<10), "X-Half", strings.Repeat("x", 40<<10),
			"X-Second-Half", strings.Repeat("x", 40<<10))
	}
	kept := j.List(journal.Filter{})
	if len(kept) < 10 || len(kept) > 16 { // 40 kB of headers, and 16 each of path and target
		t.Errorf("%d entries are kept", len(kept))
	}
	for _, e := range kept {
		header := e.Request.Header
		if header.Get("X-Large") != "" || len(header.Get("X-Half"))+len(header.Get("X-Second-Half")) != 40<<10 || len(e.Path) != 16<<10 {
			t.Errorf("entry %d keeps %d, %d and %d bytes of its headers, and %d of its path", e.ID, len(header.Get("X-Large")),
				len(header.Get("X-Half")), len(header.Get("X-Second-Half")), len(e.Path))
		}
	}
}

// Of a request whose first line is too much only that stays in memory which is kept of it: its method is a part of that line.
func TestLongLinesDoNotStay(t *testing.T) {
	const count, line = 100, 1 << 20
	j := newJournal(journal.Settings{})
	before := testkit.LiveHeap()
	for range count {
		text := "GET /" + strings.Repeat("x", line) + " HTTP/1.1\r\nHost: shop.example.test\r\n\r\n"
		request, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		j.Serve(echo, httptest.NewRecorder(), request)
	}
	if grown := testkit.LiveHeap() - before; grown > count*line/8 {
		t.Errorf("%d requests take %d bytes", count, grown)
	}
	if e, _ := j.Get(1); e.Method != "GET" || e.Host != "shop.example.test" {
		t.Errorf("the first entry is %s %s", e.Method, e.Host)
	}
}

func TestTheJournalIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings journal.Settings
		sent     int
		body     int
		least    int
		most     int
	}{
		"by number":          {journal.Settings{Requests: 10}, 25, 10, 10, 10},
		"by size":            {journal.Settings{Bytes: journal.LeastBytes}, 300, 30_000, 14, 18}, // twice the body each
		"by a body's length": {journal.Settings{Requests: 3}, 5, 200_000, 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(c.settings)
			for i := range c.sent {
				send(j, "PUT", fmt.Sprintf("/%d", i+1), strings.Repeat(string(rune('a'+i%26)), c.body-i%7))
			}
			kept := j.List(journal.Filter{})
			if len(kept) < c.least || len(kept) > c.most {
				t.Fatalf("%d are kept, want %d to %d", len(kept), c.least, c.most)
			}
			for i, e := range kept {
				sent := c.sent - len(kept) + i
				want := strings.Repeat(string(rune('a'+sent%26)), min(c.body-sent%7, 64<<10))
				if e.ID != int64(sent+1) || e.Path != fmt.Sprintf("/%d", sent+1) || !strings.HasPrefix(e.Answer.Body, want) ||
					e.Answer.Size != int64(c.body-sent%7) {
					t.Errorf("entry %d: %d %s %d bytes of %d", i, e.ID, e.Path, len(e.Answer.Body), e.Answer.Size)
				}
			}
		})
	}
}

// Entries of all sizes, so that the memory is used again at every place of it.
func TestNoEntryIsTornWhenMemoryIsUsedAgain(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{Requests: 500, Bytes: journal.LeastBytes})
	size := func(i int) int { return i * 7919 % 60_000 }
	for i := range 2000 {
		send(j, "PUT", fmt.Sprintf("/%d%s", i, []string{"", "?constant"}[i/7%2]), strings.Repeat(string(rune('a'+i%26)), size(i)))
		if i%50 != 0 {
			continue
		}
		for _, e := range j.List(journal.Filter{}) {
			sent := int(e.ID) - 1
			if want := strings.Repeat(string(rune('a'+sent%26)), size(sent)); e.Answer.Body != want || e.Request.Body != want {
				t.Fatalf("entry %d of %d is torn: %d bytes, want %d", e.ID, i, len(e.Answer.Body), len(want))
			}
		}
	}
}

func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-VALUE"
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	for name, c := range map[string]struct {
		target, body string
		header       []string
		stays        string // what is still seen
	}{
		"Basic":          {"/", "", []string{"Authorization", "Basic " + secret}, "Basic "},
		"Bearer":         {"/", "", []string{"Authorization", "Bearer " + secret}, "Bearer "},
		"no scheme":      {"/", "", []string{"Authorization", secret}, "redacted"},
		"cookie":         {"/", "", []string{"Cookie", "shop_session=" + secret + "; b=c"}, "shop_session="},
		"cart token":     {"/", "", []string{"Cart-Token", secret}, "Cart-Token"},
		"nonce":          {"/", "", []string{"Nonce", secret, "Nonce-Timestamp", "1234567"}, "1234567"},
		"query":          {"/p?consumer_key=" + secret + "&a=b&consumer_secret=" + secret, "", nil, "a=b"},
		"query, encoded": {"/p?consumer%5Fsecret=" + secret + "&x[password]=" + secret + "&y=1", "", nil, "y=1"},
		"query, broken":  {"/p?consumer_secret%zz=" + secret + "&y=1", "", nil, "y=1"},
		"signature": {
			"/p?oauth_token=" + secret + "&oauth_signature=" + secret + "&oauth_signature_method=HMAC", "", nil, "HMAC",
		},
		"address in a header":  {"/", "", []string{"Referer", "http://h/?a=b&token=" + secret}, "a=b"},
		"form":                 {"/", "username=ann&password=" + secret, []string{"Content-Type", asForm}, "username=ann"},
		"JSON":                 {"/", `{"user":"ann", "Password" : "` + secret + `"}`, []string{"Content-Type", asJSON}, `"user":"ann"`},
		"JSON, deep":           {"/", `[{"a":{"api_key":{"value":"` + secret + `"}}},1]`, []string{"Content-Type", asJSON}, `},1]`},
		"JSON without a type":  {"/", ` {"token":"` + secret + `","b":1}`, nil, `"b":1`},
		"JSON, escaped name":   {"/", `{"pass\u0077ord":"` + secret + `","b":1}`, []string{"Content-Type", asJSON}, `"b":1`},
		"JSON that breaks off": {"/", `{"b":1,"secret":"` + secret, []string{"Content-Type", asJSON}, `"b":1`},
		"JSON that is none":    {"/", `{"b":1,]"secret":"` + secret + `"}`, []string{"Content-Type", asJSON}, `"b":1`},
		"payment data": {"/",
			`{"payment_data":[{"key":"card_number","value":"` + secret + `"},{"key":"plan","value":"x"}]}`,
			[]string{"Content-Type", asJSON}, `"value":"x"`},
		"payment data, the value first": {"/",
			`{"payment_data":[{"value":"x","key":"plan"},{"value" : "` + secret + `","a":{},"key":"card_number"},{"value":"y","key":"b"}]}`,
			[]string{"Content-Type", asJSON}, `"value":"x"`},
		"payment data, broken off": {"/", `{"key":"card_number","value":"` + secret, []string{"Content-Type", asJSON}, `"key"`},
		"form without a type":      {"/", "password=" + secret + "&a=b", nil, "a=b"},
		"a page": {"/", `<a href="/pay?id=1&amp;token=` + secret + `">pay</a>`,
			[]string{"Content-Type", "text/html"}, `id=1`},
		"multipart": {"/", "--x\r\nname=password\r\n\r\n" + secret,
			[]string{"Content-Type", "multipart/form-data; boundary=x"}, "bytes]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(journal.Settings{})
			send(j, "POST", c.target, c.body, c.header...)
			entries := j.List(journal.Filter{})
			var archive bytes.Buffer
			if err := journal.WriteHAR(&archive, entries); err != nil {
				t.Fatal(err)
			}
			plain := fmt.Sprintf("%+v", entries)
			if strings.Contains(plain+archive.String(), secret) {
				t.Errorf("the secret is seen: %s\n%s", plain, &archive)
			}
			if !strings.Contains(plain, c.stays) {
				t.Errorf("%q is not seen any more: %s", c.stays, plain)
			}
		})
	}
}

func TestOneSeesWhetherASecretWasUsedAgain(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	for _, nonce := range []string{"one", "one", "two"} {
		send(j, "POST", "/", "", "Nonce", nonce)
	}
	e := j.List(journal.Filter{})
	if e[0].Request.Header.Get("Nonce") != e[1].Request.Header.Get("Nonce") {
		t.Error("equal secrets look different")
	}
	if e[0].Request.Header.Get("Nonce") == e[2].Request.Header.Get("Nonce") {
		t.Error("different secrets look equal")
	}
}

func filter(t *testing.T, method, path string, fields ...string) journal.Filter {
	t.Helper()
	meant, err := match.NewRequest(method, path, fields...)
	if err != nil {
		t.Fatal(err)
	}
	return journal.Filter{Request: meant}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	send(j, "GET", "/a", "")
	send(j, "POST", "/a?status=404", `{"id":3}`)
	send(j, "POST", "/b?status=409", `{"id":4}`)
	for name, c := range map[string]struct {
		filter journal.Filter
		want   int
	}{
		"all": {journal.Filter{}, 3}, "method": {filter(t, "POST", ""), 2}, "path": {filter(t, "", "/a"), 2},
		"body": {filter(t, "", "", "id=4"), 1}, "status": {journal.Filter{Status: 404}, 1}, "class": {journal.Filter{Status: 4}, 2},
		"after": {journal.Filter{After: 2}, 1}, "nothing": {journal.Filter{After: 99}, 0}, "faults": {journal.Filter{Faulty: true}, 0},
	} {
		if got := j.Count(c.filter); got != c.want || len(j.List(c.filter)) != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	j.Clear()
	send(j, "GET", "/c", "")
	if left := j.List(journal.Filter{}); len(left) != 1 || left[0].ID != 4 {
		t.Errorf("after Clear: %+v", left)
	}
}

func TestAwaitReturnsWhenEnoughCameByOrTimeIsOver(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	send(j, "POST", "/a", "")
	var group sync.WaitGroup
	group.Go(func() {
		entries, err := j.Await(t.Context(), filter(t, "POST", "/a"), 3)
		if err != nil || len(entries) < 3 {
			t.Errorf("%v %+v", err, entries)
		}
	})
	send(j, "POST", "/b", "")
	send(j, "POST", "/a", "")
	send(j, "POST", "/a", "")
	group.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if entries, err := j.Await(ctx, filter(t, "GET", "/a"), 1); !errors.Is(err, context.Canceled) || len(entries) != 0 {
		t.Errorf("%v %+v", err, entries)
	}
}

func TestFollowMissesNothing(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	enough := errors.New("enough")
	var group sync.WaitGroup
	var got []int64
	group.Go(func() {
		err := j.Follow(t.Context(), journal.Filter{}, func(e journal.Entry) error {
			if got = append(got, e.ID); e.ID == 100 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) {
			t.Error(err)
		}
	})
	for range 100 {
		send(j, "GET", "/", "")
	}
	group.Wait()
	for i, id := range got {
		if id != int64(i+1) {
			t.Fatalf("%v", got)
		}
	}
}

func TestNotesReachTheJournalThroughOtherWriters(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	j.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		journal.NoteRoute(wrapper{w}, "GET", "/canonical")
		journal.NoteFault(wrapper{w}, "slow")
		w.Write([]byte("x")) //nolint:errcheck // a recorder takes all
	}), httptest.NewRecorder(), httptest.NewRequest("GET", "/sent", nil))
	if e := j.List(journal.Filter{Faulty: true}); len(e) != 1 || e[0].Path != "/canonical" || e[0].Fault != "slow" || e[0].Status != 200 {
		t.Errorf("%+v", e)
	}
	journal.NoteFault(httptest.NewRecorder(), "nobody keeps this answer")
}

type wrapper struct{ http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A handler that gives up its connection is kept, too.
func TestAnAbortedRequestIsKept(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	func() {
		defer func() { recover() }() //nolint:errcheck // what comes is known
		j.Serve(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), httptest.NewRecorder(),
			httptest.NewRequest("GET", "/", nil))
	}()
	if e := j.List(journal.Filter{}); len(e) != 1 || e[0].Status != 0 {
		t.Errorf("%+v", e)
	}
}

func TestTheArchiveHasWhatReadersOfHARAskFor(t *testing.T) {
	t.Parallel()
	j := newJournal(journal.Settings{})
	send(j, "POST", "/shop/v3/orders?page=2&x=a%20b", `{"a":1}`, "Content-Type", "application/json", "Host", "h")
	var archive bytes.Buffer
	if err := journal.WriteHAR(&archive, j.List(journal.Filter{})); err != nil || !json.Valid(archive.Bytes()) {
		t.Fatal(err, archive.String())
	}
	for path, want := range map[string]string{
		"log.version": "1.2", "log.entries.0.request.method": "POST",
		"log.entries.0.request.url":                 "http://example.com/shop/v3/orders?page=2&x=a%20b",
		"log.entries.0.request.queryString.1.value": "a b", "log.entries.0.request.postData.text": `{"a":1}`,
		"log.entries.0.request.httpVersion": "HTTP/1.1", "log.entries.0.response.status": "200",
		"log.entries.0.response.content.mimeType": "application/json", "log.entries.0.startedDateTime": "2026-03-01T12:00:00Z",
		"log.entries.0.request.cookies.#": "0", "log.entries.0.response.headers.#": "1", "log.entries.0.timings.wait": "0",
	} {
		if got := gjson.GetBytes(archive.Bytes(), path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, bad := range []journal.Settings{{Requests: -2}, {Bytes: -1}, {Bytes: 1000}, {Bytes: 2 << 30}} {
		if bad.Check() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	if err := (journal.Settings{Requests: -1, Bytes: journal.LeastBytes}).Check(); err != nil {
		t.Error(err)
	}
}

// BenchmarkServe times what the journal adds to an answer of 3 kB by a socket.
func BenchmarkServe(b *testing.B) {
	serve := served()
	b.ReportAllocs()
	for b.Loop() {
		serve()
	}
}

func TestARequestByASocketMakesNoObjects(t *testing.T) {
	if objects := testing.AllocsPerRun(2000, served()); objects >= 1 { // the first thousand make room
		t.Errorf("a request makes %.0f objects, want none", objects)
	}
}

// served keeps a request whose answer of 3 kB goes to a socket, again and again.
func served() func() {
	j := newJournal(journal.Settings{})
	answer := bytes.Repeat([]byte("x"), 3000)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) }) //nolint:errcheck // see discarded
	request := httptest.NewRequest("GET", "/shop/v3/products/1", nil)
	for _, name := range []string{"Accept", "Accept-Encoding", "Authorization", "User-Agent", "Cart-Token", "X-Requested-With"} {
		request.Header.Set(name, "some value of a usual length")
	}
	w := discarded{"Content-Type": {"application/json"}, "Content-Length": {"3000"}, "Vary": {"Origin"}}
	return func() { j.Serve(handler, w, request) }
}

// discarded is the end of a socket, of which the journal knows that nobody changes its headers.
type discarded http.Header

func (d discarded) EnableFullDuplex() error     { return nil }
func (d discarded) Header() http.Header         { return http.Header(d) }
func (d discarded) WriteHeader(int)             {}
func (d discarded) Write(p []byte) (int, error) { return len(p), nil }
