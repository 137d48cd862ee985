package shopmock_test

// The text of shapes in the file of recorded calls. Equal objects are written once, in a pool, and named by their number:
//
//	int|null    a whole number, or null         [string]  a list of texts
//	#7          the object number 7 of the pool  [#7]|[]   a list of such objects, or an empty one

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// shapePool holds the objects of all shapes, each once: field names and the texts of their shapes, as JSON.
type shapePool struct {
	objects []string
	numbers map[string]int
}

func newShapePool() *shapePool { return &shapePool{numbers: map[string]int{}} }

// text writes a shape, and its objects into the pool.
func (p *shapePool) text(s *shape) string {
	parts := slices.Sorted(maps.Keys(s.scalars))
	if s.object {
		parts = append(parts, p.objectText(s))
	}
	if s.empty {
		parts = append(parts, "[]")
	}
	if s.list != nil {
		parts = append(parts, "["+p.text(s.list)+"]")
	}
	return strings.Join(parts, "|")
}

func (p *shapePool) objectText(s *shape) string {
	members := make([]string, len(s.fields))
	for i, f := range s.fields {
		members[i] = quoted(f.name) + ":" + quoted(p.text(f.shape))
	}
	object := "{" + strings.Join(members, ",") + "}"
	number, known := p.numbers[object]
	if !known {
		number = len(p.objects)
		p.objects = append(p.objects, object)
		p.numbers[object] = number
	}
	return "#" + strconv.Itoa(number)
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a JSON form
	return string(b)
}

// shape reads what text wrote.
func (p *shapePool) shape(text string) (*shape, error) {
	s := &shape{scalars: map[string]bool{}}
	for _, part := range alternatives(text) {
		if err := p.addPart(s, part); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (p *shapePool) addPart(s *shape, part string) (err error) {
	switch {
	case part == "[]":
		s.empty = true
	case strings.HasPrefix(part, "["):
		s.list, err = p.shape(part[1 : len(part)-1])
	case strings.HasPrefix(part, "#"):
		err = p.addObject(s, part)
	default:
		s.scalars[part] = true
	}
	return err
}

func (p *shapePool) addObject(s *shape, reference string) error {
	number, err := strconv.Atoi(reference[1:])
	if err != nil || number >= len(p.objects) {
		return fmt.Errorf("there is no shape %s", reference)
	}
	s.object = true
	gjson.Parse(p.objects[number]).ForEach(func(name, text gjson.Result) bool {
		var inner *shape
		if inner, err = p.shape(text.String()); err == nil {
			s.fields = append(s.fields, field{name.String(), inner})
		}
		return err == nil
	})
	return err
}

// alternatives splits a text at the bars that are outside brackets.
func alternatives(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case '|':
			if depth == 0 {
				parts, start = append(parts, text[start:i]), i+1
			}
		}
	}
	return append(parts, text[start:])
}
