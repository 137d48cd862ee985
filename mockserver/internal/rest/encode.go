package rest

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Raw is JSON that is already encoded.
type Raw []byte

// MarshalJSON returns the bytes as they are.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }

// Pairs is a JSON object whose keys keep their order.
type Pairs []Extra

// MarshalJSON encodes the pairs in their order.
func (p Pairs) MarshalJSON() ([]byte, error) { return p.appendTo(nil), nil }

func (p Pairs) appendTo(b []byte) []byte {
	b = append(b, '{')
	for i, pair := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendString(b, pair.Name)
		b = append(b, ':')
		b = AppendAny(b, pair.Value)
	}
	return append(b, '}')
}

// AppendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
func AppendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// AppendInt appends a JSON integer.
func AppendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendAny appends any value that encoding/json can encode, without escaping HTML.
func AppendAny(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...)
	case Raw:
		return append(b, v...)
	case *Constant:
		return append(b, v.Bytes...)
	case *buffer:
		return append(b, v.bytes...)
	case deferred:
		return v(b)
	case Pairs:
		return v.appendTo(b)
	case Args:
		return Pairs(v).appendTo(b)
	case []any:
		return appendList(b, v, AppendAny)
	case string:
		return AppendString(b, v)
	case bool:
		return AppendBool(b, v)
	case int64:
		return AppendInt(b, v)
	case int:
		return AppendInt(b, int64(v))
	case []int64:
		return appendInts(b, v)
	case []string:
		return appendTexts(b, v)
	}
	buffer := bytes.NewBuffer(b)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // only values of our own types come here: one that cannot be encoded is a defect
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}
