package rest

import "strconv"

// IDText is an id as addresses and facets have it.
func IDText(id int64) string { return strconv.FormatInt(id, 10) }

// IDTexts are ids as facets have them.
func IDTexts(ids []int64) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = IDText(id)
	}
	return texts
}

// ListOfIDs declares a parameter that takes a list of ids.
func ListOfIDs(name, description string) Param {
	return Param{Name: name, Type: Array, Items: &Param{Type: Integer}, Description: description}
}

// Direction declares the parameter order of a list that goes this way unless it is asked otherwise.
func Direction(usual string) Param {
	return Param{Name: "order", Type: String, Enum: []string{"asc", "desc"}, Default: usual, Description: "The direction of the order."}
}
