package shopmock_test

// The shop that recorded calls are replayed to: it looks like the recorded one before the first call.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

const shopFile = "testdata/replay/shop.json"

// seedRecord is a record that the recorded shop had from the beginning: the id that it had there, and where the answer
// "seed" of replayShop gives the mock's.
type seedRecord struct {
	kind kind
	live string
	name string
}

var seedRecords = append(seedProducts(), []seedRecord{
	{aPost, "10", "coupon.save10"}, {aPost, "31", "product.VAR-01-S"}, {aPost, "32", "product.VAR-01-M"}, {aPost, "33", "product.VAR-01-L"},
	{aTerm, "15", "term.uncategorized"}, {aTerm, "16", "term.clothing"}, {aTerm, "17", "term.accessories"}, {aTerm, "18", "term.music"},
	{aTerm, "19", "term.sale"}, {aTerm, "20", "term.small"}, {aTerm, "21", "term.medium"}, {aTerm, "22", "term.large"},
	{anAttr, "1", "attribute.pa_size"}, {aCustomer, "1", "customer.admin"},
}...)

// firstProduct is the id of the first of the recorded shop's products, which were numbered in a row.
const firstProduct = 11

func seedProducts() []seedRecord {
	var records []seedRecord
	for i := range 14 {
		records = append(records, seedRecord{aPost, fmt.Sprint(firstProduct + i), fmt.Sprintf("product.SIMPLE-%02d", i+1)})
	}
	for i, sku := range []string{"OOS-01", "LOW-01", "DL-01", "EXT-01", "GRP-01", "VAR-01"} {
		records = append(records, seedRecord{aPost, fmt.Sprint(firstProduct + 14 + i), "product." + sku})
	}
	return records
}

// replayShop is the mock with the replay's seed, at the recording's time.
type replayShop struct {
	*testkit.Shop
	given answers
}

// recordedAt is when the first call was recorded.
var recordedAt = time.Date(2026, 11, 20, 17, 54, 4, 0, time.UTC)

func newReplayShop(t *testing.T) *replayShop {
	t.Helper()
	options := shopmock.Options{Seed: fixtures.EmptySeed, Nonce: auth.StableNonce} // as the recorded shop had it
	shop := &replayShop{testkit.Open(t, testkit.Options{Server: options, Socket: true}), answers{}}
	shop.Client = shop.As("", "")
	shop.Clock.Set(recordedAt)
	shop.furnish()
	return shop
}

// furnish fills the shop, and notes the ids of what is in it.
func (s *replayShop) furnish() {
	s.T.Helper()
	text, err := os.ReadFile(shopFile)
	if err != nil {
		s.T.Fatal(err)
	}
	data := new(fixtures.Shop)
	if err := json.Unmarshal(text, data); err != nil {
		s.T.Fatalf("%s: %v", shopFile, err)
	}
	state, err := seed.Build(data, recordedAt.Truncate(24*time.Hour))
	if err != nil {
		s.T.Fatal(err)
	}
	s.Restore(state)
	s.given["seed"] = &mockAnswer{body: s.seedIDs()}
}

func (s *replayShop) seedIDs() string {
	ids := map[string]map[string]int64{"product": {}, "term": {}, "attribute": {}, "coupon": {}, "customer": {}}
	view := s.Read()
	for product := range view.Products.All() {
		ids["product"][product.SKU] = product.ID
	}
	for variation := range view.Variations.All() {
		ids["product"][variation.SKU] = variation.ID
	}
	for term := range view.Terms.All() {
		ids["term"][term.Slug] = term.ID
	}
	for attribute := range view.Attributes.All() {
		ids["attribute"][attribute.Slug] = attribute.ID
	}
	for coupon := range view.Coupons.All() {
		ids["coupon"][coupon.Code] = coupon.ID
	}
	for customer := range view.Customers.All() {
		ids["customer"][customer.Username] = customer.ID
	}
	text, err := json.Marshal(ids)
	if err != nil {
		s.T.Fatal(err)
	}
	return string(text)
}

// credentials say as whom a call is made. Transcripts do not tell: it follows from the names of the calls.
type credentials string

const (
	asNobody    credentials = ""
	asReadWrite credentials = "read_write"
	asReader    credentials = "read"
	asWriter    credentials = "write"
	asStranger  credentials = "unknown key"
	asForger    credentials = "wrong secret"
	asBearer    credentials = "unknown token"
)

// specialCredentials are those of the calls that were not made with the read-and-write key. Keys in a query are the
// call's own matter.
var specialCredentials = map[string]credentials{
	"050-auth-none": asNobody, "051-auth-none-order": asNobody, "052-auth-none-post": asNobody,
	"053-auth-bad-key": asStranger, "054-auth-bad-secret": asForger, "065-auth-bearer": asBearer,
	"055-auth-readonly-write": asReader, "056-auth-readonly-read": asReader, "057-auth-readonly-delete": asReader,
	"060-auth-readonly-options": asReader, "304-settings-readonly-put": asReader, "719-customer-readonly-get": asReader,
	"729-v2-readonly-write": asReader, "058-auth-writeonly-read": asWriter, "059-auth-writeonly-write": asWriter,
	"061-auth-writeonly-options": asWriter, "062-auth-query": asNobody, "063-auth-query-bad": asNobody,
	"064-auth-query-key-only": asNobody, "073-rest-route": asNobody, "768-restroute-auth-query": asNobody,
}

func credentialsOf(t *transcript) credentials {
	if special, found := specialCredentials[t.name]; found {
		return special
	}
	if !strings.Contains(t.target, "/shop/v") {
		return asNobody
	}
	return asReadWrite
}

func (c credentials) sign(request *http.Request) {
	switch c {
	case asReadWrite:
		request.SetBasicAuth("ck_replay_rw", "cs_replay_rw")
	case asReader:
		request.SetBasicAuth("ck_replay_r", "cs_replay_r")
	case asWriter:
		request.SetBasicAuth("ck_replay_w", "cs_replay_w")
	case asStranger:
		request.SetBasicAuth("ck_nobody", "cs_nobody")
	case asForger:
		request.SetBasicAuth("ck_replay_rw", "cs_forged")
	case asBearer:
		request.Header.Set("Authorization", "Bearer nobody")
	}
}

// localNames are what the recording calls things that have other names in the mock.
var localNames = strings.NewReplacer(
	"consumer_key=ck_example", "consumer_key=ck_replay_rw", "consumer_secret=cs_example", "consumer_secret=cs_replay_rw",
	"/api/?", "/?", // the root of the API; the mock has it at the site's root
)

// pauses are how long the recording waited before some calls, beyond the second that each one took.
var pauses = map[string]time.Duration{"762-store-old-order-right-email": 20 * time.Minute}

// replay sends the like of a recorded call. missing are the references that nothing given so far answers.
func (s *replayShop) replay(call *recordedCall) (got outline, missing []string) {
	s.T.Helper()
	s.Clock.Move(time.Second + pauses[call.Name])
	fill := func(text string) string {
		filled, lacking := s.given.fill(text)
		missing = append(missing, lacking...)
		return filled
	}
	request := s.Request(call.Method, localNames.Replace(fill(call.Path)), fill(call.Body), "Content-Type", "")
	for name, value := range call.Header {
		request.Header.Set(name, fill(value))
	}
	call.As.sign(request)
	answer := s.Do(request)
	s.given[call.Name] = &mockAnswer{header: answer.Header, body: answer.Body}
	return outlineOf(answer.Status, answer.Header, withoutHints(answer.Body)), missing
}

// withoutHints takes out of an answer what the mock alone tells a developer who asked for an address that is not served.
func withoutHints(body string) string {
	if gjson.Get(body, "code").Str != "rest_no_route" {
		return body
	}
	for _, hint := range []string{"data.nearest", "data.methods"} {
		body, _ = sjson.Delete(body, hint) // the body of a no-route answer is an object
	}
	return body
}
