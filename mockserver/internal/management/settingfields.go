package management

import (
	"maps"
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// settingField describes one setting of a shipping or payment method.
type settingField struct {
	id, label, about, kind, initial string
	options                         rest.Pairs        // of selects, in their order; options that are Pairs are a group of options
	valid                           func(string) bool // which values a text takes besides the initial one; nil: all
}

// shown is the setting with its value.
func (f *settingField) shown(value string) rest.Pairs {
	all := rest.Pairs{
		{Name: "id", Value: f.id}, {Name: "label", Value: f.label}, {Name: "description", Value: f.about}, {Name: "type", Value: f.kind},
		{Name: "value", Value: value}, {Name: "default", Value: f.initial}, {Name: "tip", Value: f.about}, {Name: "placeholder", Value: ""},
	}
	if f.options != nil {
		all = append(all, rest.Extra{Name: "options", Value: f.options})
	}
	return all
}

// showSettings shows the described settings, with their defaults where nothing is set, and then those that are set
// without being described (the costs of shipping classes that are gone).
func showSettings(fields []settingField, values map[string]string) rest.Pairs {
	shown := rest.Pairs{}
	described := map[string]bool{}
	for i := range fields {
		field := &fields[i]
		described[field.id] = true
		value, set := values[field.id]
		if !set {
			value = field.initial
		}
		shown = append(shown, rest.Extra{Name: field.id, Value: field.shown(value)})
	}
	for _, id := range slices.Sorted(maps.Keys(values)) {
		if !described[id] {
			field := settingField{id: id, label: id, kind: "text"}
			shown = append(shown, rest.Extra{Name: id, Value: field.shown(values[id])})
		}
	}
	return shown
}

// changeSettings returns the settings with what a client sent: {"cost": "7.50"}. Settings that are not described, and that keep
// does not accept, are ignored, as live shops do. A select takes its options only, and a cost what can be worked out: as a number, too.
func changeSettings(fields []settingField, values map[string]string, sent rest.Args, keep func(id string) bool) (map[string]string, error) {
	changed := maps.Clone(values)
	if changed == nil {
		changed = map[string]string{}
	}
	for _, setting := range sent {
		id := setting.Name
		at := slices.IndexFunc(fields, func(f settingField) bool { return f.id == id })
		text, isText := keptText(setting.Value)
		switch {
		case at < 0 && !keep(id):
			continue
		case !isText:
			return nil, rest.InvalidParamf("settings", "The setting %s must be a text or a number.", id)
		case at >= 0 && !fields[at].accepts(text):
			return nil, rest.InvalidParamf("settings", "The setting %s does not take the value %q.", id, text)
		}
		changed[id] = text
	}
	return changed, nil
}

// keptText is the text that a setting is kept as.
func keptText(sent any) (text string, ok bool) {
	switch value := sent.(type) {
	case string:
		return value, true
	case int64:
		return strconv.FormatInt(value, 10), true
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64), true
	}
	return "", false
}

func (f *settingField) accepts(value string) bool {
	switch {
	case value == f.initial:
		return true
	case f.options != nil:
		return offers(f.options, value)
	}
	return f.valid == nil || f.valid(value)
}

func offers(options rest.Pairs, value string) bool {
	return slices.ContainsFunc(options, func(option rest.Extra) bool {
		if group, ok := option.Value.(rest.Pairs); ok {
			return offers(group, value)
		}
		return option.Name == value
	})
}

// settingsField is the field "settings" of a row that has some, as the row tells them and takes them.
func settingsField[T any](
	described func(shop.View, *T) []settingField,
	values func(*T) map[string]string,
	set func(*T, map[string]string),
	keep func(id string) bool,
) rest.Field[T] {
	return rest.NewField(rest.Param{Name: "settings", Type: rest.Object},
		func(e *rest.Encoding, b []byte, row *T) []byte {
			return rest.AppendAny(b, showSettings(described(e.View, row), values(row)))
		},
		func(d *rest.Decoding, row *T, value any) error {
			changed, err := changeSettings(described(d.View, row), values(row), value.(rest.Args), keep)
			if err == nil {
				set(row, changed)
			}
			return err
		})
}

// withTitle returns settings that hold the row's title too.
func withTitle(settings map[string]string, title string) map[string]string {
	all := maps.Clone(settings)
	if all == nil {
		all = map[string]string{}
	}
	all["title"] = title
	return all
}
