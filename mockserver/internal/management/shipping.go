package management

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Shipping zones with their places and methods, and the kinds of methods that there are.

// noTrashHere is the code with which live shops say so for zones and their methods.
const noTrashHere = "rest_trash_not_supported"

type (
	zone       = shop.Zone
	location   = shop.Location
	zoneMethod = shop.ShippingMethod
)

var zones = &rest.Resource[zone]{
	Path: "/shipping/zones",
	Name: func(z *zone) string { return rest.IDText(z.ID) },
	Record: rest.Lazily(func() *rest.Record[zone] {
		return &rest.Record[zone]{Fields: []rest.Field[zone]{
			rest.Int("id", func(z *zone) *int64 { return &z.ID }, rest.ReadOnly),
			rest.Text("name", func(z *zone) *string { return &z.Name }, rest.Required),
			rest.Int("order", func(z *zone) *int64 { return &z.Order }),
		}}
	}),
	Select: func(v shop.View, r *rest.Request) ([]*zone, int, error) {
		rows := slices.SortedStableFunc(v.Zones.All(), func(a, b *zone) int { return int(a.Order - b.Order) })
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find:        rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*zone, error) { return v.ZoneByID(id) }),
	New:         func(*shop.Tx, *rest.Request) (*zone, error) { return new(zone), nil },
	Create:      func(tx *shop.Tx, z *zone, _ rest.Args) error { return z.Create(tx) },
	Save:        func(tx *shop.Tx, z, _ *zone, _ rest.Args) error { return z.Save(tx) },
	Delete:      func(tx *shop.Tx, z *zone, _ rest.Args) error { return z.Delete(tx) },
	NoTrashCode: noTrashHere,
	Links: func(z *zone) []rest.Link {
		return []rest.Link{{Relation: "describedby", Path: "/shipping/zones/" + rest.IDText(z.ID) + "/locations"}}
	},
}

// zoneLocations are the places of a zone: they are read, and replaced, as one list.
func zoneLocations() []rest.Endpoint {
	const path = "/shipping/zones/{id:[0-9]+}/locations"
	sent := &rest.Param{Type: rest.Object, Fields: []rest.Param{
		{Name: "code", Type: rest.String, Required: true},
		{Name: "type", Type: rest.String, Description: "One of " + strings.Join(shop.LocationTypes(), ", ") + "; country when absent."},
	}}
	return []rest.Endpoint{
		{Methods: readMethods, Path: path, Access: rest.Read, Do: func(r *rest.Request) (rest.Answer, error) {
			z, err := r.View.ZoneByID(r.ID("id"))
			if err != nil {
				return rest.Answer{}, err
			}
			return showLocations(r, z)
		}},
		{
			Methods: methods(http.MethodPut, http.MethodPost, http.MethodPatch), Path: path, Access: rest.Write, Do: replaceLocations,
			Params: []rest.Param{{Name: rest.WholeBody, Type: rest.Array, Items: sent, Description: "The body: all places of the zone."}},
		},
	}
}

// replaceLocations sets the places of a zone. Those of an unknown type are left out, as live shops do.
func replaceLocations(r *rest.Request) (rest.Answer, error) {
	var changed zone
	err := r.Write(func(tx *shop.Tx) error {
		old, err := tx.ZoneByID(r.ID("id"))
		if err != nil {
			return err
		}
		changed = *old
		changed.Locations = nil
		for _, sent := range r.Args.Objects(rest.WholeBody) {
			place := location{Code: sent.String("code"), Type: sent.String("type")}
			if place.Type == "" {
				place.Type = "country"
			}
			if slices.Contains(shop.LocationTypes(), place.Type) {
				changed.Locations = append(changed.Locations, place)
			}
		}
		return changed.Save(tx)
	})
	if err != nil {
		return rest.Answer{}, err
	}
	return showLocations(r, &changed)
}

func showLocations(r *rest.Request, z *zone) (rest.Answer, error) {
	root := r.Site.Root + "/" + r.API.Namespace + "/shipping/zones/" + rest.IDText(z.ID)
	links := rest.Pairs{{Name: "collection", Value: linkTo(root + "/locations")}, {Name: "describes", Value: linkTo(root)}}
	list := []rest.Pairs{}
	for _, place := range z.Locations {
		list = append(
			list,
			rest.Pairs{{Name: "code", Value: place.Code}, {Name: "type", Value: place.Type}, {Name: "_links", Value: links}},
		)
	}
	r.Header["X-Shop-Total"], r.Header["X-Shop-Totalpages"] = []string{strconv.Itoa(len(list))}, []string{"1"}
	return rest.OK(list)
}

func linkTo(address string) []rest.Pairs { return []rest.Pairs{{{Name: "href", Value: address}}} }

// zoneMethods are the ways to ship to a zone.
var zoneMethods = &rest.Resource[zoneMethod]{
	Path: "/shipping/zones/{zone_id:[0-9]+}/methods",
	Name: func(m *zoneMethod) string { return rest.IDText(m.ID) },
	Record: rest.Lazily(func() *rest.Record[zoneMethod] {
		return &rest.Record[zoneMethod]{Fields: []rest.Field[zoneMethod]{
			rest.Int("id", func(m *zoneMethod) *int64 { return &m.ID }, rest.ReadOnly),
			rest.Int("instance_id", func(m *zoneMethod) *int64 { return &m.ID }, rest.ReadOnly),
			rest.Text("title", func(m *zoneMethod) *string { return &m.Title }, rest.ReadOnly),
			rest.Int("order", func(m *zoneMethod) *int64 { return &m.Order }),
			rest.Flag("enabled", func(m *zoneMethod) *bool { return &m.Enabled }, rest.Default(true)),
			rest.Text("method_id", func(m *zoneMethod) *string { return &m.MethodID }, rest.Required,
				rest.About("Only a create writes it.")),
			rest.TextOf("method_title", func(_ *rest.Encoding, m *zoneMethod) string { return kindOfMethod(m.MethodID).title }),
			rest.TextOf("method_description", func(_ *rest.Encoding, m *zoneMethod) string { return kindOfMethod(m.MethodID).about }),
			settingsField(func(v shop.View, m *zoneMethod) []settingField { return kindOfMethod(m.MethodID).settingsIn(v) },
				func(m *zoneMethod) map[string]string { return withTitle(m.Settings, titleOf(m)) },
				func(m *zoneMethod, changed map[string]string) { m.Settings, m.Title = changed, changed["title"] }, isClassCost),
		}}
	}),
	Select: func(v shop.View, r *rest.Request) ([]*zoneMethod, int, error) {
		if _, err := v.ZoneByID(r.ID("zone_id")); err != nil {
			return nil, 0, err
		}
		rows := v.MethodsOf(r.ID("zone_id"))
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find: rest.ByID(func(v shop.View, r *rest.Request, id int64) (*zoneMethod, error) {
		return v.MethodOf(r.ID("zone_id"), id)
	}),
	New: func(tx *shop.Tx, r *rest.Request) (*zoneMethod, error) {
		z, err := tx.ZoneByID(r.ID("zone_id"))
		if err != nil {
			return nil, err
		}
		return &zoneMethod{ZoneID: z.ID, Enabled: true}, nil
	},
	Create: func(tx *shop.Tx, m *zoneMethod, _ rest.Args) error {
		m.Title = titleOf(m)
		return m.Create(tx)
	},
	Save: func(tx *shop.Tx, m, old *zoneMethod, _ rest.Args) error {
		m.MethodID, m.Title = old.MethodID, titleOf(m)
		return m.Save(tx)
	},
	Delete:      func(tx *shop.Tx, m *zoneMethod, _ rest.Args) error { return m.Delete(tx) },
	NoTrashCode: noTrashHere,
	NoBatch:     true,
	Links: func(m *zoneMethod) []rest.Link {
		return []rest.Link{{Relation: "describes", Path: "/shipping/zones/" + rest.IDText(m.ZoneID)}}
	},
}

// titleOf is the method's own title, else that of its kind.
func titleOf(m *zoneMethod) string {
	if m.Title == "" {
		return kindOfMethod(m.MethodID).title
	}
	return m.Title
}

// isClassCost reports whether a setting is the cost of one shipping class.
func isClassCost(id string) bool { return strings.HasPrefix(id, classCost) }
