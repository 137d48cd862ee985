package profile

// The profile as a flat list of dotted keys: how environment and flags override it, and how a report echoes it.

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"shopcheck/suites/contract"
	"shopcheck/suites/suggest"
)

// EnvironmentPrefix begins the names of all environment variables of the harness.
const EnvironmentPrefix = "SHOPCHECK_"

// Redacted stands where a secret stood.
const Redacted = "[redacted]"

// EnvironmentName is the environment variable that overrides a dotted key: credentials.read.key →
// SHOPCHECK_CREDENTIALS_READ_KEY.
func EnvironmentName(key string) string {
	return EnvironmentPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// OverrideFromEnvironment sets every key whose environment variable is set.
func (p *Profile) OverrideFromEnvironment(lookup Lookup) error {
	for _, key := range p.Keys() {
		value, ok := lookup(EnvironmentName(key))
		if !ok {
			continue
		}
		if err := p.Set(key, value); err != nil {
			return fmt.Errorf("environment variable %s: %w", EnvironmentName(key), err)
		}
	}
	return nil
}

// RefuseUnknownVariables returns an error for a variable of the environment ("NAME=value" each) that is named like one that sets
// a key, and neither sets one nor is among others: most likely a slip, after which the run would go without what it was to know.
func RefuseUnknownVariables(environment, others []string) error {
	known := slices.Clone(others)
	for _, key := range (&Profile{}).Keys() {
		known = append(known, EnvironmentName(key))
	}
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, EnvironmentPrefix) && !slices.Contains(known, name) {
			return fmt.Errorf("the environment variable %s sets no key of the profile%s", name, suggest.DidYouMean(name, known))
		}
	}
	return nil
}

// Keys lists the dotted keys that Set takes. Waivers have none: they are written in the file.
func (p *Profile) Keys() []string {
	var keys []string
	walkLeaves(reflect.ValueOf(p).Elem(), "", func(key string, _ reflect.Value) { keys = append(keys, key) })
	for _, f := range contract.Features() {
		keys = append(keys, "features."+f.Name)
	}
	return keys
}

// Set gives one dotted key a value written as text.
func (p *Profile) Set(key, value string) error {
	if name, ok := strings.CutPrefix(key, "features."); ok {
		features := map[string]string{name: value}
		for k, v := range p.Features {
			if k != name {
				features[k] = v
			}
		}
		p.Features = features
		return p.validateFeatures()
	}
	var found reflect.Value
	walkLeaves(reflect.ValueOf(p).Elem(), "", func(k string, leaf reflect.Value) {
		if k == key {
			found = leaf
		}
	})
	if !found.IsValid() {
		return fmt.Errorf("unknown key %s%s", key, suggest.DidYouMean(key, p.Keys()))
	}
	if err := setLeaf(found, value); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// walkLeaves visits every scalar and list of strings of the struct, under its dotted yaml name.
func walkLeaves(v reflect.Value, path string, visit func(string, reflect.Value)) {
	for i := range v.NumField() {
		key := dotted(path, v.Type().Field(i).Tag.Get("yaml"))
		field := v.Field(i)
		switch {
		case field.Kind() == reflect.Struct:
			walkLeaves(field, key, visit)
		case field.Kind() == reflect.Map, field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			// features and waivers have their own forms
		default:
			visit(key, field)
		}
	}
}

func setLeaf(leaf reflect.Value, text string) error {
	switch leaf.Interface().(type) {
	case string:
		leaf.SetString(text)
	case []string:
		leaf.Set(reflect.ValueOf(listOf(text)))
	case bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		leaf.SetBool(b)
	case int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		leaf.SetInt(int64(n))
	case float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		leaf.SetFloat(f)
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration; write one such as 30s", text)
		}
		leaf.SetInt(int64(d))
	}
	return nil
}

// listOf reads "a, b": an empty text is an empty list.
func listOf(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// Echo is the profile for a report: dotted key → value, secrets replaced, empty ones left out.
func (p Profile) Echo() map[string]string {
	out := map[string]string{}
	walkLeaves(reflect.ValueOf(&p).Elem(), "", func(key string, leaf reflect.Value) {
		text := fmt.Sprint(leaf.Interface())
		if list, isList := leaf.Interface().([]string); isList {
			text = strings.Join(list, ", ")
		}
		switch {
		case text == "":
		case IsSecret(key):
			out[key] = Redacted
		default:
			out[key] = withoutPassword(text)
		}
	})
	for name, state := range p.Features {
		out["features."+name] = state
	}
	return out
}

// withoutPassword hides the password of an address.
func withoutPassword(text string) string {
	if address, err := url.Parse(text); err == nil && address.User != nil {
		return address.Redacted()
	}
	return text
}

// IsSecret reports whether the value of a dotted key must not be seen.
func IsSecret(key string) bool {
	switch key[strings.LastIndex(key, ".")+1:] {
	case "secret", "password", "token", "token_secret":
		return true
	}
	return false
}

// Secret is one secret of a profile.
type Secret struct{ Key, Value string }

// Secrets returns all that the profile holds, empty ones too. The key of a password within an address is that of the address.
func (p Profile) Secrets() []Secret {
	var out []Secret
	if address, err := url.Parse(p.Webhooks.PublicURL); err == nil && address.User != nil {
		password, _ := address.User.Password()
		out = append(out, Secret{"webhooks.public_url", password})
	}
	walkLeaves(reflect.ValueOf(&p).Elem(), "", func(key string, leaf reflect.Value) {
		if IsSecret(key) {
			out = append(out, Secret{key, leaf.String()})
		}
	})
	return out
}
