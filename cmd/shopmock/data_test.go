package main

// A shop that is kept in a folder, by the real program: what it has answered it still knows, however it was ended.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
)

// asProgram makes the test program run as shopmock.
const asProgram = "RUN_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is shopmock in a process of its own.
type program struct {
	t       *testing.T
	command *exec.Cmd
	address string
	client  *http.Client
}

// startProgram runs "shopmock serve" until it is ready.
func startProgram(t *testing.T, args ...string) *program {
	t.Helper()
	return startProgramSaying(t, os.Stderr, args...)
}

// startProgramSaying is startProgram with a place for what it writes to standard error.
func startProgramSaying(t *testing.T, errOut io.Writer, args ...string) *program {
	t.Helper()
	p, out := launchProgram(t, errOut, args...)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ready := strings.CutPrefix(lines.Text(), "shopmock: ready at "); ready {
			p.address = address
			go io.Copy(io.Discard, out) //nolint:errcheck // it ends with the process
			return p
		}
	}
	t.Fatal("shopmock did not become ready")
	return nil
}

// launchProgram runs "shopmock serve" and returns what it writes to standard output.
func launchProgram(t *testing.T, errOut io.Writer, args ...string) (*program, io.Reader) {
	t.Helper()
	p := &program{t: t, client: &http.Client{Transport: &http.Transport{}, Timeout: 20 * time.Second}}
	p.command = exec.Command(os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	p.command.Env = append(os.Environ(), asProgram+"=yes")
	p.command.Stderr = errOut
	out, err := p.command.StdoutPipe()
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p, out
}

// kill ends the process at once, wherever it is.
func (p *program) kill() {
	p.command.Process.Kill() //nolint:errcheck // it may have ended
	p.command.Wait()         //nolint:errcheck // it was killed
	p.client.CloseIdleConnections()
}

// stop ends the process: at once, or as Ctrl-C does.
func (p *program) stop(orderly bool) {
	p.t.Helper()
	if !orderly {
		p.kill()
		return
	}
	if err := p.command.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	if err := p.command.Wait(); err != nil {
		p.t.Error(err)
	}
}

// call sends a request with the key that may do everything, and returns status, body and cart token. Status 0: no answer came.
func (p *program) call(method, path, body, token string) (status int, answer gjson.Result, next string) {
	request, err := http.NewRequest(method, p.address+path, strings.NewReader(body))
	if err != nil {
		p.t.Error(err)
		return 0, gjson.Result{}, token
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/shop/v3/") {
		request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	} else if token != "" {
		request.Header.Set("Cart-Token", token)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return 0, gjson.Result{}, token
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, gjson.Result{}, token
	}
	return response.StatusCode, gjson.ParseBytes(text), response.Header.Get("Cart-Token")
}

// must is call for what has to work.
func (p *program) must(method, path, body string) gjson.Result {
	p.t.Helper()
	status, answer, _ := p.call(method, path, body, "")
	if status < 200 || status > 299 {
		p.t.Fatalf("%s %s: status %d, %.500s", method, path, status, answer.Raw)
	}
	return answer
}

// known is what the program has answered.
type known struct {
	mu       sync.Mutex
	products map[int64]product
	orders   map[int64]float64 // id → total
	carts    map[string]int64  // token → pieces at least
	calls    atomic.Int64
	answers  atomic.Int64
}

type product struct {
	sku   string
	price int64 // the highest that was answered; it only rises
	gone  bool
}

// work changes the shop in every way until no answer comes, and notes what was answered.
func (k *known) work(p *program, worker int, sold int64) {
	for n := 0; ; n++ {
		sku := fmt.Sprintf("kill-%d-%d", worker, k.calls.Add(1))
		status, made, _ := p.call("POST", "/shop/v3/products", fmt.Sprintf(`{"name":"Kept","sku":%q,"regular_price":"1"}`, sku), "")
		if status == 0 {
			return
		}
		id := made.Get("id").Int()
		k.note(func() { k.products[id] = product{sku: sku, price: 1} })
		if status, _, _ := p.call("PUT", fmt.Sprint("/shop/v3/products/", id), `{"regular_price":"2"}`, ""); status == 0 {
			return
		}
		k.note(func() { k.products[id] = product{sku: sku, price: 2} })
		if n%3 == 0 {
			k.note(func() { delete(k.products, id) }) // until it is answered it may be there or not
			if status, _, _ := p.call("DELETE", fmt.Sprintf("/shop/v3/products/%d?force=true", id), "", ""); status == 0 {
				return
			}
			k.note(func() { k.products[id] = product{gone: true} })
		}
		order := fmt.Sprintf(`{"set_paid":true,"line_items":[{"product_id":%d,"quantity":%d}]}`, sold, 1+n%3)
		status, bought, _ := p.call("POST", "/shop/v3/orders", order, "")
		if status == 0 {
			return
		}
		k.note(func() { k.orders[bought.Get("id").Int()] = bought.Get("total").Float() })
		status, cart, token := p.call("POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, k.anyCart())
		if status == 0 {
			return
		}
		k.note(func() { k.carts[token] = max(k.carts[token], cart.Get("items_count").Int()) })
	}
}

func (k *known) note(what func()) {
	k.answers.Add(1)
	k.mu.Lock()
	defer k.mu.Unlock()
	what()
}

// await returns when some more calls were answered.
func (k *known) await(more int64) {
	for enough := k.answers.Load() + more; k.answers.Load() < enough; {
		time.Sleep(time.Millisecond)
	}
}

// anyCart is the token of a cart of before, if there is one: sessions last, too.
func (k *known) anyCart() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for token := range k.carts {
		if rand.IntN(3) > 0 {
			return token
		}
	}
	return ""
}

const soldPieces = 1_000_000

// check opens the shop in the folder and compares it with what was answered, and with the rules. It returns what the shop knows.
func (k *known) check(t *testing.T, folder string, sold int64) gjson.Result {
	t.Helper()
	store, err := durable.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	server, err := mockserver.New(mockserver.Options{Storage: store})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var export bytes.Buffer
	if err := server.Export(&export); err != nil {
		t.Fatal(err)
	}
	all := gjson.ParseBytes(export.Bytes())
	k.checkAll(t, all, sold, func(token string) int64 {
		request := httptest.NewRequest("GET", "/shop/store/v1/cart", nil)
		request.Header.Set("Cart-Token", token)
		answer := httptest.NewRecorder()
		server.Handler().ServeHTTP(answer, request)
		return gjson.GetBytes(answer.Body.Bytes(), "items_count").Int()
	})
	return all
}

// checkAll compares an export, and carts, with what was answered.
func (k *known) checkAll(t *testing.T, all gjson.Result, sold int64, inCart func(token string) int64) {
	t.Helper()
	k.checkProducts(t, all.Get("Products").Map())
	k.checkOrders(t, all, sold)
	for token, pieces := range k.carts {
		if got := inCart(token); got < pieces {
			t.Errorf("a cart of %d pieces has %d", pieces, got)
		}
	}
}

func (k *known) checkProducts(t *testing.T, rows map[string]gjson.Result) {
	t.Helper()
	for id, want := range k.products {
		row, found := rows[fmt.Sprint(id)]
		if want.gone != !found {
			t.Errorf("product %d is there: %v, and was deleted: %v", id, found, want.gone)
		}
		if found && (row.Get("SKU").Str != want.sku || row.Get("RegularPrice").Int() < want.price) {
			t.Errorf("product %d: %s for %s, want %s for %d at least", id, row.Get("SKU"), row.Get("RegularPrice"), want.sku, want.price)
		}
	}
	holders := map[string]string{}
	for id, row := range rows {
		sku := row.Get("SKU").Str
		if other, taken := holders[sku]; taken && sku != "" {
			t.Errorf("the SKU %s belongs to %s and %s", sku, other, id)
		}
		holders[sku] = id
	}
}

func (k *known) checkOrders(t *testing.T, all gjson.Result, sold int64) {
	t.Helper()
	rows, taken := all.Get("Orders").Map(), int64(0)
	for id, total := range k.orders {
		if got := rows[fmt.Sprint(id)].Get("Totals.Total"); got.Float() != total {
			t.Errorf("order %d comes to %q, and was answered as %v", id, got, total)
		}
	}
	for id, row := range rows {
		sum := 0.0
		for _, line := range row.Get("Lines").Array() {
			sum += line.Get("Total").Float() + line.Get("TotalTax").Float()
			if line.Get("ProductID").Int() == sold {
				taken += line.Get("Quantity").Int()
			}
		}
		plain := row.Get("ShippingLines.#").Int() == 0 && row.Get("CouponLines.#").Int() == 0
		if plain && sum != row.Get("Totals.Total").Float() {
			t.Errorf("order %s comes to %s, and its lines to %v", id, row.Get("Totals.Total"), sum)
		}
	}
	if left := all.Get(fmt.Sprintf("Products.%d.StockQuantity", sold)).Int(); left != soldPieces-taken {
		t.Errorf("%d pieces are left, and orders took %d of %d", left, taken, soldPieces)
	}
}

// TestWhatWasAnsweredSurvivesSIGKILL ends the program many times, at random moments while eight clients write to it.
func TestWhatWasAnsweredSurvivesSIGKILL(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	k, told := newKnown(), newTold(t)
	folder, sold := killOften(t, rounds, 30*time.Millisecond, told, k, k)
	told.drain(t, folder)
	told.check(t, k, k.check(t, folder, sold))
	t.Logf("%d kills: %d products and %d orders were answered, and %d carts; %d deliveries came, %d of them twice", rounds,
		len(k.products), len(k.orders), len(k.carts), told.came, told.again)
	if len(k.orders) < 2*rounds {
		t.Errorf("only %d orders were answered in %d rounds: too little was at stake", len(k.orders), rounds)
	}
}

// TestWhatIsKeptInIntervalsIsWhole does so where the last second may be lost: what is there follows the rules.
func TestWhatIsKeptInIntervalsIsWhole(t *testing.T) {
	killOften(t, 3, 2*interval, newTold(t), newKnown(), newKnown(), "--sync", syncInterval)
}

// TestAShopIsSeededWholeOrNotAtAll ends the program while it writes its seed down. Half a shop would be served as a whole one for ever.
func TestAShopIsSeededWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	const products, rounds = 1000, 5
	amid, folder := 0, ""
	seeding := func() []string {
		return []string{"--seed", "empty", "--scale", fmt.Sprint("products=", products), "--data", folder}
	}
	for round := range rounds {
		folder = t.TempDir()
		p, _ := launchProgram(t, io.Discard, seeding()...)
		for started := time.Now(); time.Since(started) < time.Minute; time.Sleep(time.Millisecond / 2) {
			if file, err := os.Stat(filepath.Join(folder, durable.FileName)); err == nil && file.Size() > 1<<18 {
				break // the engine has made room for the rows, and writes them
			}
		}
		time.Sleep(time.Duration(rounds-1-round) * 8 * time.Millisecond)
		p.kill()
		switch kept := keptProducts(t, folder); kept {
		case 0:
			amid++
		case products:
		default:
			t.Errorf("%d of %d products are kept", kept, products)
		}
	}
	t.Logf("%d of %d kills came before the shop was kept", amid, rounds)
	next := startProgram(t, seeding()...)
	response, err := next.client.Get(next.address + "/shop/store/v1/products?per_page=1")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := response.Header.Get("X-Shop-Total"); got != fmt.Sprint(products) {
		t.Errorf("the next process serves %s products", got)
	}
}

// keptProducts counts the products that are kept in a folder.
func keptProducts(t *testing.T, folder string) (count int) {
	t.Helper()
	store, err := durable.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Load(func(key, _ []byte) error {
		if bytes.HasPrefix(key, []byte("products\x00")) {
			count++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return count
}

func newKnown() *known {
	return &known{products: map[int64]product{}, orders: map[int64]float64{}, carts: map[string]int64{}}
}

// killOften ends the program that many times, within a time after some answers, and compares the folder with what must be kept each time.
// It returns the folder, and the product that is sold.
func killOften(
	t *testing.T, rounds int, within time.Duration, told *told, answered, kept *known, flags ...string,
) (folder string, sold int64) {
	t.Helper()
	folder = t.TempDir()
	for round := range rounds {
		p := startProgram(t, append(flags, "--data", folder)...)
		if round == 0 {
			sold = p.must("POST", "/shop/v3/products", fmt.Sprintf(
				`{"name":"Sold","regular_price":"3","manage_stock":true,"stock_quantity":%d}`, soldPieces)).Get("id").Int()
			told.register(p)
			p.stop(true)
			p = startProgram(t, append(flags, "--data", folder)...)
		}
		var workers sync.WaitGroup
		for worker := range 8 {
			workers.Go(func() { answered.work(p, worker, sold) })
		}
		answered.await(20 + rand.Int64N(60))
		time.Sleep(rand.N(within))
		p.kill()
		workers.Wait()
		if kept.check(t, folder, sold); t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	return folder, sold
}

func TestTheGreetingSaysWhatIsKept(t *testing.T) {
	t.Parallel()
	for sync, want := range map[string]string{syncCommit: "on the disk before each answer", syncInterval: "on the disk within 1s"} {
		greeting, stop := serving(t, "--data", t.TempDir(), "--sync", sync)
		stop()
		if said := strings.Join(greeting, "\n"); !strings.Contains(said, want) {
			t.Errorf("%s: %s", sync, said)
		}
	}
	if got := ran(t, "serve", "--data", t.TempDir(), "--sync", "never"); !strings.Contains(got, "take commit or interval") {
		t.Error(got)
	}
}

// TestSettingsSurviveSIGKILL has a shop go on with its clock, its faults and the snapshots of its sandboxes, and say so.
func TestSettingsSurviveSIGKILL(t *testing.T) {
	folder := t.TempDir()
	p := startProgram(t, "--data", folder, "--seed", "empty")
	p.must("POST", "/_mock/clock", `{"set":"2031-03-01T12:00:00Z","freeze":true}`)
	p.must("POST", "/_mock/faults", `{"effect":"status","status":418,"path":"/shop/v3/orders"}`)
	p.must("POST", "/_mock/sandboxes", `{"name":"a"}`)
	p.must("POST", "/s/a/_mock/snapshots", `{"name":"taken"}`)
	p.kill()
	greeting, stop := serving(t, "--data", folder)
	if said := strings.Join(greeting, "\n"); !strings.Contains(said, "2031-03-01T12:00:00Z") || !strings.Contains(said, "(rules: 1)") {
		t.Errorf("the greeting tells nothing of clock and faults:\n%s", said)
	}
	for command, want := range map[string]string{"clock": "2031-03-01T12:00:00Z (frozen)", "fault list": "418",
		"snapshot list --sandbox a": "taken"} {
		if got := ran(t, append(strings.Fields(command), "--url", readyAddress(greeting))...); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	stop()
	greeting, stop = serving(t, "--data", folder, "--clock", "2026-03-01T12:00:00Z")
	defer stop()
	got := ran(t, "clock", "--url", readyAddress(greeting))
	if !strings.HasPrefix(got, "2026-03-01T12:0") || strings.Contains(got, "frozen") {
		t.Errorf("with --clock it shows %q", got)
	}
}
