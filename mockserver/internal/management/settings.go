package management

import (
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Settings (the contract names the collection; groups, ids and fields are those of a live shop). What there is, which values it
// takes and what follows from them is declared in the domain.

// settingRow is a setting with its value in one version of the shop.
type settingRow struct {
	*shop.Setting
	value string
}

const settingsPath = "/settings/{group_id:[^/]+}"

var groupSettings = &rest.Resource[settingRow]{
	Path:    settingsPath,
	Key:     `[^/]+`,
	Unpaged: true,
	Name:    func(s *settingRow) string { return s.ID },
	Record:  settingFields,
	Select: func(v shop.View, r *rest.Request) ([]*settingRow, int, error) {
		list, err := shop.SettingsOf(r.Path["group_id"])
		if err != nil {
			return nil, 0, err
		}
		rows := make([]*settingRow, len(list))
		for i, setting := range list {
			rows[i] = &settingRow{setting, setting.Value(v.Config)}
		}
		return rows, len(rows), nil
	},
	Find: func(v shop.View, r *rest.Request, id string) (*settingRow, error) {
		setting, err := shop.FindSetting(r.Path["group_id"], id)
		if err != nil {
			return nil, err
		}
		return &settingRow{setting, setting.Value(v.Config)}, nil
	},
	Save: func(tx *shop.Tx, s, _ *settingRow, args rest.Args) error {
		if !args.Has("value") {
			return nil
		}
		err := s.Setting.Change(tx, s.value)
		s.value = s.Value(tx.Config)
		return err
	},
	More: func(r *rest.Request) map[string]any { return map[string]any{"list": r.Endpoint.Path == settingsPath} },
}

// settingFields are what a setting shows. In the list of a group nothing says which group it is.
var settingFields = rest.Lazily(func() *rest.Record[settingRow] {
	return &rest.Record[settingRow]{Fields: []rest.Field[settingRow]{
		settingText("id", func(s *settingRow) string { return s.ID }),
		settingText("label", func(s *settingRow) string { return s.Label }),
		settingText("description", func(s *settingRow) string { return s.Description }),
		settingText("type", func(s *settingRow) string { return string(s.Type) }),
		settingText("default", func(s *settingRow) string { return s.Default }),
		settingOptions(),
		settingText("tip", func(s *settingRow) string { return s.Description }),
		rest.NewField(rest.Param{Name: "value", Type: anyJSON, Description: "A text; of a multiselect a list of texts."},
			func(_ *rest.Encoding, b []byte, s *settingRow) []byte {
				return rest.AppendAny(b, shownSetting(s.Setting, s.value))
			}, decodeSetting),
		settingGroupID(),
	}}
})

const anyJSON = rest.String | rest.Integer | rest.Number | rest.Boolean | rest.Array | rest.Object | rest.Null

func settingText(name string, text func(*settingRow) string) rest.Field[settingRow] {
	return rest.TextOf(name, func(_ *rest.Encoding, s *settingRow) string { return text(s) })
}

func settingOptions() rest.Field[settingRow] {
	field := rest.Computed(rest.Param{Name: "options", Type: rest.Object}, func(e *rest.Encoding, s *settingRow) any {
		labels := rest.Pairs{}
		for _, option := range s.Options(e.View) {
			labels = append(labels, rest.Extra{Name: option.Value, Value: option.Label})
		}
		return labels
	})
	field.Absent = func(_ *rest.Encoding, s *settingRow) bool { return s.Options == nil }
	return field
}

func settingGroupID() rest.Field[settingRow] {
	field := settingText("group_id", func(s *settingRow) string { return s.Group })
	field.Absent = func(e *rest.Encoding, _ *settingRow) bool { return e.More["list"] == true }
	return field
}

// shownSetting is a value as it goes over the wire.
func shownSetting(s *shop.Setting, value string) any {
	if s.Type == shop.MultiselectSetting {
		return append([]string{}, shop.SettingList(value)...)
	}
	return value
}

// decodeSetting takes texts and numbers, and lists where several options can be chosen. Null is the default.
func decodeSetting(_ *rest.Decoding, s *settingRow, value any) error {
	if text, ok := keptText(value); ok {
		s.value = text
		return nil
	}
	switch v := value.(type) {
	case nil:
		s.value = ""
		return nil
	case []any:
		if texts := (rest.Args{{Name: "list", Value: v}}).Strings("list"); s.Type == shop.MultiselectSetting && len(texts) == len(v) {
			s.value = strings.Join(texts, ",")
			return nil
		}
	}
	return shop.Faultf(shop.InvalidSetting, "%s is a setting of type %s: it does not take such a value.", s.ID, s.Type)
}

// settingEndpoints are the groups, the settings of each, and a batch over all groups.
func settingEndpoints() []rest.Endpoint {
	batch := anySetting.Endpoints()[0] // beside it there is the update of one, which no group answers
	return append([]rest.Endpoint{
		{Methods: readMethods, Path: "/settings", Access: rest.Read, Do: listSettingGroups},
		batch,
	}, groupSettings.Endpoints()...)
}

func listSettingGroups(r *rest.Request) (rest.Answer, error) {
	groups := shop.SettingGroups()
	list := []rest.Pairs{}
	for _, group := range groups {
		below := []string{}
		for _, other := range groups {
			if other.ParentID == group.ID {
				below = append(below, other.ID)
			}
		}
		href := r.Site.Root + "/" + r.API.Namespace + "/settings/" + group.ID
		list = append(list, rest.Pairs{
			{Name: "id", Value: group.ID}, {Name: "label", Value: group.Label}, {Name: "description", Value: group.Description},
			{Name: "parent_id", Value: group.ParentID}, {Name: "sub_groups", Value: below},
			{Name: "_links", Value: rest.Pairs{{Name: "options", Value: []rest.Pairs{{{Name: "href", Value: href}}}}}},
		})
	}
	return rest.OK(list)
}

// anySetting is what the batch over all groups is about: it changes none. Live shops have the address, and never finished what is
// behind it.
var anySetting = &rest.Resource[settingRow]{
	Path:   "/settings",
	Record: settingFields,
	Find: func(shop.View, *rest.Request, string) (*settingRow, error) {
		return nil, rest.Errorf(http.StatusMethodNotAllowed, "invalid-method",
			"Settings are changed in the batch of their group, /settings/<group>/batch.")
	},
	Save: func(*shop.Tx, *settingRow, *settingRow, rest.Args) error { return nil },
}
