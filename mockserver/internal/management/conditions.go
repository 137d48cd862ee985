package management

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// postFilters are the list parameters that products, orders and coupons share.
func postFilters() []rest.Param {
	return slices.Concat(listFilters("Only records that mention the text.", "desc"), dateFilters(), []rest.Param{
		{Name: "modified_after", Type: rest.String, Format: rest.DateTime},
		{Name: "modified_before", Type: rest.String, Format: rest.DateTime},
		{Name: "dates_are_gmt", Type: rest.Boolean, Default: false},
		rest.ListOfIDs("parent", ""),
		rest.ListOfIDs("parent_exclude", ""),
		{Name: "slug", Type: rest.String},
	})
}

// listFilters are the parameters of every list that can be searched.
func listFilters(search, direction string) []rest.Param {
	return []rest.Param{
		{Name: "search", Type: rest.String, Description: search},
		rest.ListOfIDs("exclude", ""),
		rest.ListOfIDs("include", ""),
		rest.Direction(direction),
	}
}

// dateFilters are the parameters of a list whose records have a date.
func dateFilters() []rest.Param {
	return []rest.Param{
		{Name: "after", Type: rest.String, Format: rest.DateTime, Description: "Only records made after the moment."},
		{Name: "before", Type: rest.String, Format: rest.DateTime, Description: "Only records made before the moment."},
	}
}

// listed returns the asked page of a table under some conditions.
func listed[R state.Row](r *rest.Request, table *state.Table[R], order *state.Ordered[R], where []state.Condition[R]) ([]R, int, error) {
	rows, total := rest.Select(r, table, order, where)
	return rows, total, nil
}

// conditions gathers what a list request asks for. A parameter that was not sent adds nothing.
type conditions[R state.Row] struct {
	args  rest.Args
	where []state.Condition[R]
	err   error
}

func (c *conditions[R]) add(condition state.Condition[R]) { c.where = append(c.where, condition) }

// post adds the dates and the ids that all posts can be chosen by.
func (c *conditions[R]) post(created, modified *state.Ordered[R]) {
	c.dates("after", "before", created)
	c.dates("modified_after", "modified_before", modified)
	c.chosen()
}

// chosen adds include and exclude.
func (c *conditions[R]) chosen() {
	if include := c.args.Ints("include"); len(include) > 0 {
		c.add(state.IDs[R](include...))
	}
	if exclude := c.args.Ints("exclude"); len(exclude) > 0 {
		c.add(state.NotIDs[R](exclude...))
	}
}

func (c *conditions[R]) dates(after, before string, order *state.Ordered[R]) {
	var from, to *state.Key
	if moment, ok := c.args.Time(after); ok {
		from = &state.Key{Num: moment.Unix() + 1}
	}
	if moment, ok := c.args.Time(before); ok {
		to = &state.Key{Num: moment.Unix() - 1}
	}
	if from != nil || to != nil {
		c.add(order.Between(from, to))
	}
}

func (c *conditions[R]) statuses(facet *state.Facet[R]) {
	if status := c.args.String("status"); status != "any" && status != "" {
		c.add(facet.Is(status))
	} else {
		c.add(facet.Not(shop.StatusTrash))
	}
	if include := c.args.Strings("include_status"); len(include) > 0 && !slices.Contains(include, "any") {
		c.add(facet.Is(include...))
	}
	c.none("exclude_status", facet)
}

// facet adds a condition on one value: text or a truth value.
func (c *conditions[R]) facet(name string, facet *state.Facet[R]) {
	switch value := c.args.Value(name).(type) {
	case string:
		c.add(facet.Is(value))
	case bool:
		c.add(facet.Is(strconv.FormatBool(value)))
	}
}

func (c *conditions[R]) any(name string, facet *state.Facet[R]) {
	if values := c.args.Strings(name); len(values) > 0 {
		c.add(facet.Is(values...))
	}
}

func (c *conditions[R]) none(name string, facet *state.Facet[R]) {
	if values := c.args.Strings(name); len(values) > 0 {
		c.add(facet.Not(values...))
	}
}

func (c *conditions[R]) not(name string, facet *state.Facet[R]) {
	if ids := c.args.Ints(name); len(ids) > 0 {
		c.add(facet.Not(rest.IDTexts(ids)...))
	}
}

// list adds a condition on any of several ids, given as "1,2" or as a list. widen says what else each id stands for.
func (c *conditions[R]) list(name string, widen func(string) []string, facet *state.Facet[R]) {
	var values []string
	for _, id := range c.ids(name) {
		values = append(values, widen(id)...)
	}
	if len(values) > 0 {
		c.add(facet.Is(values...))
	}
}

func single(id string) []string { return []string{id} }

func (c *conditions[R]) ids(name string) []string {
	if ids := c.args.Ints(name); len(ids) > 0 {
		return rest.IDTexts(ids)
	}
	var ids []string
	for _, part := range strings.Split(c.args.String(name), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if _, err := strconv.ParseInt(part, 10, 64); err != nil {
			c.err = rest.InvalidParamf(name, "%s must hold ids, with commas between them.", name)
			return nil
		}
		ids = append(ids, part)
	}
	return ids
}

// text adds a predicate that no index answers.
func (c *conditions[R]) text(name string, holds func(R, string) bool) {
	if want := c.args.String(name); want != "" {
		c.add(state.Match(func(row R) bool { return holds(row, want) }))
	}
}

// keys adds a parameter that names records by texts, separated by commas, of which each record has another one.
func (c *conditions[R]) keys(name string, table *state.Table[R], index *state.Unique[R]) {
	if wanted := c.args.String(name); wanted != "" {
		c.add(index.Of(table, strings.Split(wanted, ",")...))
	}
}

// methods is a helper for endpoints of one method.
func methods(all ...string) []string { return all }

var readMethods = methods(http.MethodGet)
