package faults_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/faults"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func setOf(t *testing.T, d faults.Document) *faults.Set {
	t.Helper()
	s := faults.NewSet(noon)
	if err := s.Replace(d); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends the like of a POST to the checkout, and returns the effects that happen to it.
func ask(s *faults.Set) string {
	var effects []string
	found, err := s.ForRequest(faults.Request{
		Method: "POST", Path: "/shop/store/v1/checkout", Body: func() []byte { return []byte(`{"payment_method":"bacs"}`) },
		Applies: func(effect string) bool { return effect != faults.StaleNonce },
	})
	if err != nil {
		return err.Error()
	}
	for _, fault := range found {
		effects = append(effects, fault.Effect)
	}
	return strings.Join(effects, " ")
}

func TestWhenARuleFires(t *testing.T) {
	t.Parallel()
	until := func(moment time.Time) string { return moment.Format(time.RFC3339) }
	for name, c := range map[string]struct {
		rule faults.Rule
		want string // of five requests: ! where the rule fires
	}{
		"always":            {faults.Rule{}, "!!!!!"},
		"method":            {faults.Rule{Method: "GET"}, "....."},
		"path":              {faults.Rule{Path: "/shop/store/**"}, "!!!!!"},
		"another path":      {faults.Rule{Path: "/shop/v3/**"}, "....."},
		"body":              {faults.Rule{Body: []string{"payment_method=bacs"}}, "!!!!!"},
		"another body":      {faults.Rule{Body: []string{"payment_method=cod"}}, "....."},
		"nth":               {faults.Rule{Nth: 3}, "..!.."},
		"times":             {faults.Rule{Times: 2}, "!!..."},
		"until later":       {faults.Rule{Until: until(noon().Add(time.Second))}, "!!!!!"},
		"until now":         {faults.Rule{Until: until(noon())}, "....."},
		"all of them":       {faults.Rule{Share: 1}, "!!!!!"},
		"cannot be":         {faults.Rule{Effect: faults.StaleNonce}, "....."},
		"is for deliveries": {faults.Rule{Effect: faults.WebhookLost}, "....."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.rule.Effect == "" {
				c.rule.Effect = faults.Empty
			}
			s, got := setOf(t, faults.Document{Rules: []faults.Rule{c.rule}}), ""
			for range len(c.want) {
				got += map[bool]string{true: "!", false: "."}[ask(s) != ""]
			}
			if state := s.List()[0]; got != c.want || state.Fired != int64(strings.Count(c.want, "!")) {
				t.Errorf("fires %s (%d times), want %s", got, state.Fired, c.want)
			}
		})
	}
}

func TestRulesAreTriedInTheirOrder(t *testing.T) {
	t.Parallel()
	s := setOf(t, faults.Document{Rules: []faults.Rule{
		{Effect: faults.Latency, Delay: "1s"}, {Effect: faults.SoldOut, Times: 1}, {Effect: faults.Status, Status: 503, Nth: 2},
		{Effect: faults.Reset},
	}})
	for i, want := range []string{"latency sold-out reset", "latency status", "latency reset"} {
		if got := ask(s); got != want {
			t.Errorf("request %d: %s, want %s", i+1, got, want)
		}
	}
	err := s.Add(faults.Document{Rules: []faults.Rule{{Effect: faults.Cut}}})
	if err != nil || len(s.List()) != 5 || s.List()[0].Fired != 3 {
		t.Errorf("Add: %v, %+v", err, s.List())
	}
	if err := s.Replace(faults.Document{}); err != nil || s.Any() || ask(s) != "" {
		t.Errorf("without rules: %v", err)
	}
}

func TestEqualSeedsDrawEqualFaults(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) string {
		s, drawn := setOf(t, faults.Document{Seed: seed, Rules: []faults.Rule{{Effect: faults.Empty, Share: 0.5}}}), ""
		for range 64 {
			drawn += ask(s) + ","
		}
		return drawn
	}
	one, same, other := draw(7), draw(7), draw(8)
	if one != same || one == other {
		t.Error("equal seeds draw differently, or others do not")
	}
	if count := strings.Count(one, faults.Empty); count < 16 || count > 48 {
		t.Errorf("half of 64 are %d", count)
	}
}

func TestDelaysAreDrawn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rule        faults.Rule
		least, most time.Duration
		differ      bool
	}{
		"fixed":      {faults.Rule{Delay: "100ms"}, 100 * time.Millisecond, 100 * time.Millisecond, false},
		"uniform":    {faults.Rule{Delay: "100ms", DelayMax: "200ms"}, 100 * time.Millisecond, 200 * time.Millisecond, true},
		"log-normal": {faults.Rule{Delay: "100ms", Sigma: 0.5}, time.Millisecond, 10 * time.Second, true},
	} {
		c.rule.Effect = faults.Latency
		s, seen := setOf(t, faults.Document{Rules: []faults.Rule{c.rule}}), map[time.Duration]bool{}
		for range 100 {
			found, err := s.ForRequest(faults.Request{Applies: func(string) bool { return true }})
			if err != nil {
				t.Fatal(err)
			}
			wait := found[0].Wait
			if wait < c.least || wait > c.most {
				t.Errorf("%s: %s", name, wait)
			}
			seen[wait] = true
		}
		if (len(seen) > 1) != c.differ {
			t.Errorf("%s: %d different ones", name, len(seen))
		}
	}
}

func TestRulesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ document, told string }{
		{`{"rules":[{"effect":"explode"}]}`, "explode"},
		{`{"rules":[{"effect":"reset"},{"effect":"reset","method":"FETCH"}]}`, "rules[1]: method"},
		{`{"effect":"reset","path":"shop"}`, "slash"},
		{`{"effect":"status","status":200}`, "400 to 599"},
		{`{"effect":"reset","status":500}`, "belong to"},
		{`{"effect":"latency"}`, "delay"},
		{`{"effect":"latency","delay":"1h"}`, "1h"},
		{`{"effect":"latency","delay":"2s","delay_max":"1s"}`, "delay_max"},
		{`{"effect":"reset","delay_max":"1s"}`, "delay_max"},
		{`{"effect":"reset","sigma":1}`, "sigma"},
		{`{"effect":"latency","delay":"1s","sigma":9}`, "sigma"},
		{`{"effect":"reset","share":1.5}`, "share"},
		{`{"effect":"reset","nth":-1}`, "nth"},
		{`{"effect":"reset","until":"tomorrow"}`, "tomorrow"},
		{`{"effect":"reset","percent":5}`, "percent"},
		{`{"effect":"price-changed","percent":-500}`, "-500"},
		{`{"effect":"status","status":503,"retry_after":-1}`, "retry_after"},
		{`{"effect":"reset","topic":"order.created"}`, "topic"},
		{`{"effect":"webhook-lost","path":"/x"}`, "topic"},
		{`{"scenario":"doomsday"}`, "flaky-network"},
		{`{"rulez":[]}`, "rulez"},
		{"{\n\"rules\":[\n{\"effect\":\"reset\",\"x\":1}]}", "line 3"},
		{`{"rules":[]} {}`, "more than one"},
		{`[`, "line 1"},
		{`{"effect":"reset","name":"` + strings.Repeat("x", 2000) + `"}`, "1000"},
	} {
		d, err := faults.ReadJSON([]byte(c.document))
		s := setOf(t, faults.Document{Rules: []faults.Rule{{Effect: faults.Empty}}})
		if err == nil {
			err = s.Replace(d)
		}
		if err == nil || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%.80s: %v, want %q", c.document, err, c.told)
		}
		if len(s.List()) != 1 {
			t.Errorf("%.80s changed the rules", c.document)
		}
	}
	many := faults.Document{Rules: make([]faults.Rule, 1001)}
	if err := faults.NewSet(noon).Replace(many); err == nil {
		t.Error("1001 rules are taken")
	}
}

func TestDocumentsInYAML(t *testing.T) {
	t.Parallel()
	d, err := faults.Read([]byte("seed: 7\nscenario: rate-limited\n" +
		"rules:\n- effect: status\n  status: 503\n  retry_after: 3\n  body: [a=1]\n"))
	if err != nil || d.Seed != 7 || d.Scenario != "rate-limited" ||
		len(d.Rules) != 1 || d.Rules[0].RetryAfter != 3 || d.Rules[0].Body[0] != "a=1" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := faults.Read([]byte("rules:\n- efect: reset\n")); err == nil || !strings.Contains(err.Error(), "[2:3]") {
		t.Errorf("an unknown field: %v", err)
	}
}

func TestEveryScenarioIsThere(t *testing.T) {
	t.Parallel()
	for _, name := range faults.Scenarios() {
		if states := setOf(t, faults.Document{Scenario: name}).List(); len(states) == 0 || states[0].Name != name {
			t.Errorf("%s: %+v", name, states)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	fault, err := faults.ReadHeader("fault=status; status=429;retry_after=7; code=too_much")
	if err != nil || fault.Effect != faults.Status || fault.Status != 429 || fault.RetryAfter != 7 || fault.Code != "too_much" {
		t.Errorf("%+v, %v", fault, err)
	}
	if fault, err := faults.ReadHeader("fault=latency; delay=5ms"); err != nil || fault.Wait != 5*time.Millisecond {
		t.Errorf("%+v, %v", fault, err)
	}
	for header, told := range map[string]string{
		"fault=nothing": "nothing", "": "fault", "fault=status; status=x": "number",
		"fault=webhook-lost": "deliveries", "fault=reset; a=b": `"a"`,
		"fault=status": "400 to 599",
	} {
		if _, err := faults.ReadHeader(header); err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("%q: %v", header, err)
		}
	}
}

func ExampleSet() {
	s := faults.NewSet(noon)
	if err := s.Replace(faults.Document{Rules: []faults.Rule{{Effect: faults.Status, Status: 503, Nth: 2}}}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(ask(s) == "", ask(s), s.List()[0].Fired)
	// Output: true status 1
}

// together lets sets count through each other, each time as if another one had been first.
func together(count int, d faults.Document, t *testing.T) []*faults.Set {
	var sets []*faults.Set
	for range count {
		s := setOf(t, d)
		s.CountThrough(func(change func() error) error {
			counted := s.Tallies()
			if err := change(); err != nil {
				return err
			}
			s.Recount(counted)
			if err := change(); err != nil {
				return err
			}
			for _, other := range sets {
				other.Recount(s.Tallies())
			}
			return nil
		})
		sets = append(sets, s)
	}
	return sets
}

func TestLimitedRulesAreCountedTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules []faults.Rule
		want  string // of requests to one set after the other
		fired []int64
	}{
		"times": {[]faults.Rule{{Effect: faults.Empty, Times: 2}}, "empty,empty,,,,", []int64{2}},
		"nth":   {[]faults.Rule{{Effect: faults.Empty, Nth: 5}}, ",,,,empty,", []int64{1}},
		"the next one after one that is spent": {[]faults.Rule{{Effect: faults.Empty, Times: 1}, {Effect: faults.Cut, Times: 2}},
			"empty,cut,cut,,,", []int64{1, 2}},
		"beside one that is counted alone": {[]faults.Rule{{Effect: faults.Latency, Delay: "1s"}, {Effect: faults.Empty, Nth: 2}},
			"latency,latency empty,latency,latency,latency,latency", []int64{2, 1}},
	} {
		sets := together(3, faults.Document{Rules: c.rules}, t)
		var got []string
		for i := range 6 {
			got = append(got, ask(sets[i%3]))
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for i, state := range sets[0].List() {
			if state.Fired != c.fired[i] {
				t.Errorf("%s: rule %d fired %d times, want %d", name, i, state.Fired, c.fired[i])
			}
		}
	}
}

// What is spent, and what is not limited, asks nobody; what cannot be counted does not happen.
func TestOnlyLimitedRulesAskOthers(t *testing.T) {
	t.Parallel()
	s := setOf(t, faults.Document{Rules: []faults.Rule{{Effect: faults.Latency, Delay: "1s"}, {Effect: faults.Empty, Times: 1},
		{Effect: faults.Cut, Times: 1, Method: "GET"}, {Effect: faults.Reset, Times: 1, Until: "2026-01-01T00:00:00Z"}}})
	asked, silent := 0, errors.New("nobody answers")
	s.CountThrough(func(func() error) error { asked++; return silent })
	if got := ask(s); got != silent.Error() || asked != 1 || s.List()[1].Fired != 0 {
		t.Errorf("%s; asked %d times", got, asked)
	}
	s.CountThrough(func(change func() error) error { asked++; return change() })
	for range 3 {
		ask(s)
	}
	if asked != 2 || s.List()[0].Fired != 3 || s.List()[1].Fired != 1 {
		t.Errorf("asked %d times: %+v", asked, s.List())
	}
}

// A request whose rules are replaced while it is counted is judged by the new ones.
func TestRulesAreReplacedWhileTheyAreCounted(t *testing.T) {
	t.Parallel()
	s := setOf(t, faults.Document{Rules: []faults.Rule{{Effect: faults.Empty, Times: 1}}})
	replaced := false
	s.CountThrough(func(change func() error) error {
		if !replaced {
			replaced = true
			if err := s.Adopt(faults.Document{Rules: []faults.Rule{{Effect: faults.Cut, Times: 1}}}); err != nil {
				return err
			}
		}
		return change()
	})
	if first, second := ask(s), ask(s); first != faults.Cut || second != "" {
		t.Errorf("%q, then %q", first, second)
	}
}
