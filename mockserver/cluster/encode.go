package cluster

// A save as bytes: whether everything before it goes, and the pairs, each text behind its length.

import (
	"encoding/binary"
	"errors"

	"shopcheck/mockserver/internal/persist"
)

const (
	changed byte = iota // the pairs are put to those that are there
	anew                // the pairs are all that there are
)

// encodeSaved encodes what a save puts.
func encodeSaved(allAnew bool, pairs func(put func(key, value []byte) error) error) ([]byte, error) {
	encoded := []byte{changed}
	if allAnew {
		encoded[0] = anew
	}
	err := pairs(func(key, value []byte) error {
		encoded = append(binary.AppendUvarint(encoded, uint64(len(key))), key...)
		if value == nil {
			encoded = binary.AppendUvarint(encoded, 0)
			return nil
		}
		encoded = append(binary.AppendUvarint(encoded, uint64(len(value))+1), value...)
		return nil
	})
	return encoded, err
}

var errEncoding = errors.New("it is no save of a shop")

// decodeSaved is the inverse of encodeSaved.
func decodeSaved(encoded []byte) (persist.Saved, error) {
	if len(encoded) == 0 || encoded[0] > anew {
		return persist.Saved{}, errEncoding
	}
	saved := persist.Saved{Anew: encoded[0] == anew}
	for rest := encoded[1:]; len(rest) > 0; {
		var pair persist.Pair
		var present, whole bool
		if pair.Key, rest, _, whole = decodeText(rest, 0); !whole {
			return persist.Saved{}, errEncoding
		}
		if pair.Value, rest, present, whole = decodeText(rest, 1); !whole {
			return persist.Saved{}, errEncoding
		}
		if !present {
			pair.Value = nil
		}
		saved.Pairs = append(saved.Pairs, pair)
	}
	return saved, nil
}

// decodeText reads a text behind its length, which counts from an offset: what is below it says that there is no text.
func decodeText(from []byte, offset uint64) (text, rest []byte, present, whole bool) {
	length, size := binary.Uvarint(from)
	if size <= 0 {
		return nil, nil, false, false
	}
	from = from[size:]
	if length < offset {
		return nil, from, false, true
	}
	length -= offset
	if length > uint64(len(from)) {
		return nil, nil, false, false
	}
	return from[:length:length], from[length:], true, true
}
