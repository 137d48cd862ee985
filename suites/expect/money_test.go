package expect

import "testing"

func TestUnitsOfAmounts(t *testing.T) {
	for _, c := range []struct {
		amount   string
		decimals int64
		minor    string
	}{{"12.50", 2, "1250"}, {"12.5", 3, "12500"}, {"12.34", 0, "12"}, {"12.50", 0, "13"}, {"-0.10", 2, "-10"}, {"dear", 2, "dear"},
		{"12.50", 2_000_000_000, "12.50"}, {"12.50", -2_000_000_000, "12.50"}} {
		if got := MinorUnits(c.amount, c.decimals); got != c.minor {
			t.Errorf("%s with %d decimals is %s, want %s", c.amount, c.decimals, got, c.minor)
		}
	}
	for minor, major := range map[string]string{"1250": "12.5", "7": "0.07", "dear": "dear"} {
		if got := MajorUnits(minor, 2); got != major {
			t.Errorf("%s units are %s, want %s", minor, got, major)
		}
	}
	for _, decimals := range []int64{2_000_000_000, -2_000_000_000, 1 << 32} {
		if got := MajorUnits("1250", decimals); got != "1250" {
			t.Errorf("with %d decimals 1250 units are %d bytes long", decimals, len(got))
		}
	}
}

func TestBeUnits(t *testing.T) {
	for _, c := range []struct {
		value any
		slack int64
		want  bool
	}{{"100", 0, true}, {"101", 0, false}, {"101", 1, true}, {"99", 1, true}, {"102", 1, false}, {100.0, 0, false}, {"1.00", 5, false},
		{nil, 0, false}} {
		if got, _ := BeUnits(100, c.slack, "why").Match(c.value); got != c.want {
			t.Errorf("%v with a slack of %d: %t", c.value, c.slack, got)
		}
	}
	a := answered(200, `{"total":"7"}`)
	matcher := HaveJSON("total", BeUnits(100, 2, "60 + 40"))
	if matched, _ := matcher.Match(a); matched {
		t.Fatal("7 is taken for 100")
	}
	if f := Decode(matcher.FailureMessage(a))[0]; f.Want != `"100" give or take 2 (60 + 40)` || f.Got != `"7"` || f.Path != "total" {
		t.Errorf("%+v", f)
	}
}
