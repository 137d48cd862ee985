package rest

// Records read back: from what a shop shows to the row that would show the same.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Restore writes what a record shows to a row, read-only fields too. What is worked out from other rows is left out, and so are
// members that are null or that the record does not have.
func (rec *Record[T]) Restore(d *Decoding, row *T, shown Args) error {
	fields := rec.All()
	for i := range fields {
		field := &fields[i]
		value, is := shown.Get(field.Name)
		if !is || field.Restore == nil || value == nil && field.Type&Null == 0 {
			continue
		}
		if err := field.Restore(d, row, value); err != nil {
			return err
		}
	}
	return nil
}

// checked lets a field be restored in the way in which it is written, once its value was checked; nil for one that is not written.
func checked[T any](param Param, decode func(*Decoding, *T, any) error) func(*Decoding, *T, any) error {
	if decode == nil {
		return nil
	}
	return func(d *Decoding, row *T, shown any) error {
		if number, isNumber := shown.(float64); isNumber && param.Type&^Null == String {
			shown = strconv.FormatFloat(number, 'f', -1, 64) // plugins of live shops write prices and weights so
		}
		value, fault := param.check(param.Name, shown)
		if fault != nil {
			return errors.New(fault.Reason)
		}
		return decode(d, row, value)
	}
}

// Restoring returns a field with another way to restore it.
func Restoring[T any](field Field[T], restore func(d *Decoding, row *T, shown any) error) Field[T] {
	field.Restore = restore
	return field
}

// RestoredRows returns a field whose list is restored row by row.
func RestoredRows[T, U any](field Field[T], at func(*T) *[]U, inner *Record[U]) Field[T] {
	return Restoring(field, func(d *Decoding, row *T, shown any) error {
		objects, err := ShownObjects(field.Name, shown)
		if err != nil {
			return err
		}
		list := make([]U, len(objects))
		for i, object := range objects {
			if err := inner.Restore(d, &list[i], object); err != nil {
				return fmt.Errorf("%s: %w", field.Name, err)
			}
		}
		*at(row) = list
		return nil
	})
}

// ShownObjects are the objects of a list that a record shows as one of its fields.
func ShownObjects(name string, shown any) ([]Args, error) {
	list, isList := shown.([]any)
	objects := ObjectsOf(list)
	if !isList || len(objects) != len(list) {
		return nil, fmt.Errorf("%s must be a list of objects", name)
	}
	return objects, nil
}

// ShownID is the id that a record shows, 0 where it shows none.
func ShownID(shown any) int64 {
	id, ok := shown.(float64)
	if !ok || id != math.Trunc(id) || id < 0 || id > 1<<53 {
		return 0
	}
	return int64(id)
}

// ReadShown reads a record as an API shows it.
func ReadShown(text []byte) (Args, error) {
	record, err := parseJSON(text)
	if record.Has(WholeBody) {
		err = errors.New("a record must be an object")
	}
	return record, err
}

// Reason is what is wrong with a record in one sentence, the parameters' own reasons among it.
func Reason(err error) string {
	var refused *Error
	if !errors.As(err, &refused) {
		return err.Error()
	}
	var reasons []string
	for _, extra := range refused.Data {
		if params, ok := extra.Value.(Pairs); ok && extra.Name == "params" {
			for _, param := range params {
				reasons = append(reasons, fmt.Sprint(param.Value))
			}
		}
	}
	if len(reasons) == 0 {
		return err.Error()
	}
	return strings.Join(reasons, " ")
}
