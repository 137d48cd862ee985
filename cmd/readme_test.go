package cmd_test

// What README.md and the guides beside the rooms show must work as it stands there: their commands exist with their flags, and the
// purchase with curl goes through, line by line.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

const (
	mockGuide    = "../mockserver/README.md"
	mockAddress  = "http://127.0.0.1:8080" // of the mock in the guides
	purchaseName = "## A purchase with curl"
)

// guides are the documents whose commands are tested.
var guides = []string{"../README.md", mockGuide, "../suites/README.md", "../reports/README.md"}

// shellLines returns the lines of the text's shell blocks, without comments and empty ones.
func shellLines(t *testing.T, text string) []string {
	t.Helper()
	var lines []string
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)\n```\n").FindAllStringSubmatch(text, -1) {
		for line := range strings.SplitSeq(strings.ReplaceAll(block[1], "\\\n", " "), "\n") {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		t.Fatal("no shell lines here")
	}
	return lines
}

func readGuide(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns what stands between a heading and the next heading.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		t.Fatalf("there is no section %q", heading)
	}
	body, _, _ := strings.Cut(rest, "\n##")
	return "\n" + body
}

// outcome is what a line of the purchase must lead to. A line that sets a variable leads to its value.
type outcome struct {
	line  string            // what the line holds
	shape string            // what the whole text looks like, a regular expression; or:
	json  map[string]string // what a JSON answer says
}

var purchase = []outcome{
	{line: "SHOP=", shape: `^http://127\.0\.0\.1:\d+$`},
	{line: "products?search=stoneware", json: map[string]string{"#": "1", "0.id": "1", "0.sku": "FH-MUG"}},
	{line: "TOKEN=", shape: `^[\w-]+\.[\w-]+\.[\w-]+$`},
	{line: "cart/add-item", json: map[string]string{"items.#": "1", "items.0.id": "1", "items_count": "2", "totals.total_items": "2800"}},
	{line: "cart/apply-coupon", json: map[string]string{"coupons.0.code": "save10", "totals.total_discount": "280"}},
	{line: "ADDRESS=", shape: `^"first_name": .*"country": "US"$`},
	{line: "cart/update-customer", json: map[string]string{"shipping_address.city": "San Francisco", "shipping_rates.#": "1",
		"needs_shipping": "true"}},
	{line: "cart/select-shipping-rate", json: map[string]string{"shipping_rates.0.shipping_rates.#(selected==true).rate_id": "flat_rate:3",
		"totals.total_price": "3245"}},
	{line: "ORDER=", json: map[string]string{"status": "pending", "payment_method": "mockpay", "payment_result.payment_status": "pending"}},
	{line: "ID=", shape: `^\d+$`},
	{line: "KEY=", shape: `^order_\w+$`},
	{line: "decision=pay", shape: `^http://127\.0\.0\.1:\d+/checkout/order-received/\d+/\?key=order_\w+$`},
	{line: "store/v1/order/", json: map[string]string{"status": "processing", "needs_payment": "false", "totals.total_price": "3245"}},
	{line: "shop/v3/orders/", json: map[string]string{"status": "processing", "total": "32.45", "billing.email": "ann@example.test",
		"line_items.0.sku": "FH-MUG"}},
}

func TestThePurchaseWithCurlWorks(t *testing.T) {
	needCurl(t)
	lines := shellLines(t, section(t, readGuide(t, mockGuide), purchaseName))
	if len(lines) != len(purchase) {
		t.Fatalf("the section has %d lines, and the test knows what %d lead to", len(lines), len(purchase))
	}
	shop := mockserver.Start(t)
	texts := runLines(t, lines, shop.URL())
	for i, want := range purchase {
		if !strings.Contains(lines[i], want.line) {
			t.Fatalf("line %d is %q, the test expects one with %q", i+1, lines[i], want.line)
		}
		if want.shape != "" && !regexp.MustCompile(want.shape).MatchString(texts[i]) {
			t.Errorf("%s\nleads to %q", lines[i], texts[i])
		}
		for path, value := range want.json {
			if got := gjson.Get(texts[i], path); got.String() != value {
				t.Errorf("%s\nsays %s: %s, want %s, in %.2000s", lines[i], path, got, value, texts[i])
			}
		}
	}
}

// needCurl skips the test where its programs are missing or too old for the guide's options.
func needCurl(t *testing.T) {
	t.Helper()
	for _, program := range []string{"bash", "curl", "sed"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s in PATH: the purchase is not made", program)
		}
	}
	said, err := exec.Command("curl", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(said), "curl %d.%d", &major, &minor); err != nil || major < 7 || major == 7 && minor < 84 {
		t.Skipf("curl is older than 7.84, which the guide asks for: %.20s", said)
	}
}

// runLines runs the lines in one shell, against the mock at an address, and returns what each printed or set.
func runLines(t *testing.T, lines []string, address string) []string {
	t.Helper()
	const end = "--- end of line ---"
	assignment := regexp.MustCompile(`^([A-Z]+)=`)
	var script strings.Builder
	for _, line := range lines {
		fmt.Fprintln(&script, strings.ReplaceAll(line, mockAddress, address))
		if set := assignment.FindStringSubmatch(line); set != nil {
			fmt.Fprintf(&script, "printf '%%s' \"$%s\"\n", set[1])
		}
		fmt.Fprintf(&script, "echo '%s'\n", end)
	}
	shell := exec.CommandContext(t.Context(), "bash", "-e")
	shell.Stdin = strings.NewReader(script.String())
	shell.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()} // no proxy, no curlrc
	said, err := shell.CombinedOutput()
	texts := strings.Split(string(said), end+"\n")
	if err != nil || len(texts) != len(lines)+1 {
		t.Fatalf("line %d: %v\n%.2000s", len(texts), err, texts[len(texts)-1])
	}
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return texts[:len(lines)]
}

// The programs are built as for their images, once for both tests.
func TestTheProgramsFitTheImagesAndTheGuides(t *testing.T) {
	programs := buildPrograms(t)
	mustFitTheImages(t, programs)
	mustKnowItsHealth(t, programs)
	for _, guide := range guides {
		t.Run(guide, func(t *testing.T) {
			ours := 0
			for _, line := range shellLines(t, readGuide(t, guide)) {
				if mustBeKnown(t, programs, line) {
					ours++
				}
			}
			if ours == 0 {
				t.Error("it shows neither of the two programs")
			}
		})
	}
}

// mustBeKnown checks a command of a guide, up to where its output goes, and reports whether it is one of the two programs'.
func mustBeKnown(t *testing.T, programs, line string) (ours bool) {
	t.Helper()
	words := strings.Fields(line)
	goesOn := func(word string) bool { return word == "&&" || word == "|" || strings.HasPrefix(word, ">") }
	if end := slices.IndexFunc(words, goesOn); end > 0 {
		words = words[:end]
	}
	if len(words) > 2 && words[0] == "go" && words[1] == "run" {
		words = words[2:]
	}
	switch first := strings.TrimPrefix(words[0], "./cmd/"); {
	case first == "shopcheck" || first == "shopmock":
		// With --help a program checks the flags before it and does nothing else.
		program := exec.Command(filepath.Join(programs, first), append(words[1:], "--help")...)
		if said, err := program.CombinedOutput(); err != nil {
			t.Errorf("%s\nis refused: %v\n%s", line, err, said)
		}
		return true
	case slices.Contains([]string{"cp", "curl", "export"}, first) || strings.Contains(first, "="):
	case first == "go" && slices.Contains([]string{"test", "build", "mod", "get"}, words[1]):
	default:
		t.Errorf("%s\nbegins with a program that this test does not know", line)
	}
	return false
}
