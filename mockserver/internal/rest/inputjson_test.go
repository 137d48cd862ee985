package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// FuzzBodiesAreReadAsByTheStandardLibrary compares every body with what encoding/json makes of it.
func FuzzBodiesAreReadAsByTheStandardLibrary(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[true,false,null,"x",-0.5e3,{}],"a":{"c":[]}}`, `{"a":"\u00e9\ud83d\ude00\ud800x\n\/"}`,
		"{\"a\xff\":\"b\xffc\xfe\xfe\"}",
		`{"":1}`, `{"a":1e999}`, `{"a":-1e-999}`, `{"a":12345678901234567890}`, `{"a":01}`, `{"a":1}{`, ` [1, 2] `, `"a"`, `nul`,
		`{"a":"` + "\t" + `"}`,
		`{"a.b":1,"a*":2,"#":3,"\u0061":4}`, `[[[[]]]]`, `{"a":`, "\ufeff{}", `{"a":{"a":{"a":1,"a":2}}}`, wideObject(40),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want any
		refused := json.Unmarshal(text, &want)
		got, err := parseJSON(text)
		var fault *Error
		switch {
		case refused != nil:
			if !errors.As(err, &fault) || fault.Code != "rest_invalid_json" || fault.Status != 400 {
				t.Fatalf("%q: %v (%v), want a refusal: %v", text, got, err, refused)
			}
		case nestsDeeper(want, maxDepth):
			if err == nil {
				t.Fatalf("%q is taken, though it nests too deep", text)
			}
		default:
			switch want.(type) {
			case map[string]any:
			case []any:
				want = map[string]any{WholeBody: want}
			default:
				if !reflect.DeepEqual(err, notAnObject()) {
					t.Fatalf("%q: %v (%v)", text, got, err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(plain(got), want) {
				t.Fatalf("%q: %#v (%v), want %#v", text, plain(got), err, want)
			}
		}
	})
}

// wideObject has members of different names, one of them twice.
func wideObject(members int) string {
	var text strings.Builder
	for i := range members {
		fmt.Fprintf(&text, `"m%d":%d,`, i, i)
	}
	return "{" + text.String() + `"m7":"last"}`
}

func nestsDeeper(value any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if nestsDeeper(member, levels-1) {
				return true
			}
		}
		return levels == 0
	case []any:
		for _, item := range v {
			if nestsDeeper(item, levels-1) {
				return true
			}
		}
		return levels == 0
	}
	return false
}

// plain has maps in place of Args. A name that is there twice is a defect.
func plain(value any) any {
	switch v := value.(type) {
	case Args:
		object := map[string]any{}
		for _, member := range v {
			if _, twice := object[member.Name]; twice {
				return "twice: " + member.Name
			}
			object[member.Name] = plain(member.Value)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plain(item)
		}
		return list
	}
	return value
}

// TestTextsOfABodyDoNotKeepIt reads a body whose one short text may be kept for long: it must not keep the rest in memory.
func TestTextsOfABodyDoNotKeepIt(t *testing.T) {
	body := []byte(`{"name":"short","junk":"` + strings.Repeat("x", MaxBody/2) + `"}`)
	kept := make([]string, 0, 200)
	before := heapAfterCollection()
	for range cap(kept) {
		args, err := parseJSON(body)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, args.String("name"), args[0].Name)
	}
	if grown := heapAfterCollection() - before; grown > MaxBody {
		t.Errorf("%d short texts keep %d bytes", len(kept), grown)
	}
}

// TestAWideBodyIsReadAtOnce reads a body of a hundred thousand members: to look for each among all before it would take minutes.
func TestAWideBodyIsReadAtOnce(t *testing.T) {
	args, err := parseJSON([]byte(wideObject(90_000)))
	if err != nil || len(args) != 90_000 || args[7] != (Extra{"m7", "last"}) {
		t.Errorf("%d members, %v", len(args), err)
	}
}

// TestCheckedValuesStayAsTheyAre checks what was checked already: transactions that are made again do.
func TestCheckedValuesStayAsTheyAre(t *testing.T) {
	lines := Param{Type: Array, Items: &Param{Type: Object, Fields: []Param{{Name: "n", Type: Integer, Min: Bound(1)},
		{Name: "at", Type: Number}, {Name: "on", Type: Boolean}, {Name: "ids", Type: Array, Items: &Param{Type: Integer}}}}}
	once, fault := lines.check("lines", []any{Args{{"n", "3"}, {"other", 1.0}, {"at", "1.5"}, {"on", "1"}, {"ids", "4,5"}}})
	if fault != nil {
		t.Fatal(fault)
	}
	said := fmt.Sprint(once)
	twice, fault := lines.check("lines", once)
	if again := fmt.Sprint(twice); fault != nil || again != said || said != "[[{n 3} {at 1.5} {on true} {ids [4 5]}]]" {
		t.Errorf("%v (%v), at first %s", again, fault, said)
	}
}

func heapAfterCollection() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
