package shop

// Settings: how each one is read, checked and changed. The declarations in settingtable.go are the single source of what
// there is, what it accepts and what it does: most replace a part of the Config, and those that act on nothing are kept as text.

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shopcheck/fixtures"
)

// SettingType tells how a setting is chosen and which values it takes.
type SettingType string

// The types of settings.
const (
	TextSetting        SettingType = "text"
	TextareaSetting    SettingType = "textarea"
	EmailSetting       SettingType = "email"
	ColorSetting       SettingType = "color"
	NumberSetting      SettingType = "number"      // a whole number that is not negative
	CheckboxSetting    SettingType = "checkbox"    // "yes" or "no"
	SelectSetting      SettingType = "select"      // one of the options
	RadioSetting       SettingType = "radio"       // one of the options
	MultiselectSetting SettingType = "multiselect" // some of the options, with commas between them
)

// SettingGroup is a page of settings.
type SettingGroup struct{ ID, Label, Description, ParentID string }

// Setting declares one setting. Every value, also of a list or a number, is a text.
type Setting struct {
	Group, ID   string
	Type        SettingType
	Label       string
	Description string
	Default     string
	Options     func(View) []SettingOption // of select, radio and multiselect
	Max         int64                      // of numbers, and of the bytes of texts; 0: a million, and 10 000

	form func(string) string // brings a choice into the form of the options; nil: it is taken as it was sent
	kept *configText         // where the Config holds the value; nil: among its other texts
}

// SettingOption is one choice of a setting.
type SettingOption struct{ Value, Label string }

// configText reads and writes a part of the Config as text. What it writes has been accepted.
type configText struct {
	read  func(*Config) string
	write func(*Config, string)
}

// SettingGroups lists the groups in their order.
func SettingGroups() []SettingGroup { return slices.Clone(settingGroups) }

// SettingsOf lists the settings of a group. Fault: NoSuchSettingGroup.
func SettingsOf(group string) ([]*Setting, error) {
	if !slices.ContainsFunc(settingGroups, func(g SettingGroup) bool { return g.ID == group }) {
		return nil, Faultf(NoSuchSettingGroup, "There is no group of settings %q.", group)
	}
	var list []*Setting
	for i := range settings {
		if settings[i].Group == group {
			list = append(list, &settings[i])
		}
	}
	return list, nil
}

// FindSetting finds a setting of a group. Faults: NoSuchSettingGroup, NoSuchSetting.
func FindSetting(group, id string) (*Setting, error) {
	list, err := SettingsOf(group)
	if err != nil {
		return nil, err
	}
	for _, setting := range list {
		if setting.ID == id {
			return setting, nil
		}
	}
	return nil, Faultf(NoSuchSetting, "There is no setting %q in the group %q.", id, group)
}

// Value returns what a setting is set to.
func (s *Setting) Value(c *Config) string {
	if s.kept != nil {
		return s.kept.read(c)
	}
	if value, changed := c.Others[s.key()]; changed {
		return value
	}
	return s.Default
}

// key names the setting among the texts that act on nothing: ids are unique in their group only.
func (s *Setting) key() string { return s.Group + "/" + s.ID }

// Change sets a setting: all that follows from it holds from the commit on. Fault: InvalidSetting.
func (s *Setting) Change(tx *Tx, value string) error {
	accepted, ok := s.accept(tx.View, value)
	if !ok {
		return Faultf(InvalidSetting, "%q is no value that %s takes.", shortened(value), s.ID)
	}
	value = accepted
	if value == s.Value(tx.Config) {
		return nil
	}
	changed := *tx.Config
	s.put(&changed, value)
	changed.settlePlaces()
	tx.Config = &changed
	return nil
}

func (s *Setting) put(c *Config, value string) {
	if s.kept != nil {
		s.kept.write(c, value)
		return
	}
	others := make(map[string]string, len(c.Others)+1)
	maps.Copy(others, c.Others)
	others[s.key()] = value
	c.Others = others
}

// shortened keeps a value that was refused from filling an answer.
func shortened(value string) string {
	const most = 60
	if runes := []rune(value); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return value
}

// accept reports whether the setting takes a value, and returns it in the form in which it is kept. Nothing stands for the default.
func (s *Setting) accept(v View, value string) (string, bool) {
	switch s.Type {
	case CheckboxSetting:
		return acceptCheckbox(value)
	case NumberSetting:
		return s.acceptNumber(strings.TrimSpace(value))
	case SelectSetting, RadioSetting:
		return s.acceptChoice(v, value)
	case MultiselectSetting:
		return s.acceptChoices(v, value)
	case EmailSetting:
		return value, value == "" || ValidEmail(value)
	}
	const usual = 10_000
	return value, int64(len(value)) <= cmp.Or(s.Max, usual)
}

func acceptCheckbox(value string) (string, bool) {
	if value == "" {
		return no, true
	}
	return value, value == yes || value == no
}

func (s *Setting) acceptNumber(value string) (string, bool) {
	if value == "" {
		return s.Default, true
	}
	const usual = 1_000_000
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 || n > cmp.Or(s.Max, usual) {
		return value, false
	}
	return strconv.FormatInt(n, 10), true
}

func (s *Setting) acceptChoice(v View, value string) (string, bool) {
	if s.form != nil {
		value = s.form(value)
	}
	if s.offers(v, value) {
		return value, true
	}
	return s.Default, value == ""
}

func (s *Setting) acceptChoices(v View, value string) (string, bool) {
	var chosen []string
	for _, one := range SettingList(value) {
		if !s.offers(v, one) {
			return value, false
		}
		if !slices.Contains(chosen, one) {
			chosen = append(chosen, one)
		}
	}
	return strings.Join(chosen, ","), true
}

func (s *Setting) offers(v View, value string) bool {
	return slices.ContainsFunc(s.Options(v), func(o SettingOption) bool { return o.Value == value })
}

// SettingList reads the value of a multiselect.
func SettingList(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
}

// settlePlaces works out where the shop sells and ships to from the settings that say so.
func (c *Config) settlePlaces() {
	c.SellTo = nil
	switch allowedCountries.Value(c) {
	case placesAllBut:
		c.SellTo = countriesBut(SettingList(exceptCountries.Value(c)))
	case placesSpecific:
		c.SellTo = append([]string{}, SettingList(specificCountries.Value(c))...)
	}
	c.ShipTo = nil
	switch shipToCountries.Value(c) {
	case placesAll:
		c.ShipTo = countriesBut(nil)
	case placesSpecific:
		c.ShipTo = append([]string{}, SettingList(specificShipping.Value(c))...)
	case placesNone:
		c.ShipTo = []string{}
	}
}

func countriesBut(left []string) []string {
	codes := []string{}
	for _, country := range fixtures.Countries() {
		if !slices.Contains(left, country.Code) {
			codes = append(codes, country.Code)
		}
	}
	return codes
}
