package reports

// Which deviations may follow from another: where a cause leads to.

import (
	"slices"
	"strings"
)

// followsFrom reports whether d is likely a consequence of another deviation: its spec met that one's resource before, and d
// speaks of that one's field, expects the value that is wrong there, or needs the identifier that is missing there.
func (d *deviation) followsFrom(cause *deviation) bool {
	switch {
	case cause == d:
		return false
	case d.isOfSameAnswer(cause), d.isSelectedBy(cause), d.showsSameText(cause):
		return true
	case !cause.aboutField || cause.broadly || !d.met[cause.resource]:
		return false
	case d.expectsWhatIsWrong(cause):
		return true
	case d.isInside(cause):
		return true
	case !cause.namesItsField(), d.aboutField && d.namesItsField():
		return false
	}
	return d.speaksOf(cause) || d.needsIdentifier(cause)
}

// isOfSameAnswer: an answer that had to be a refusal holds nothing that has to be in a success.
func (d *deviation) isOfSameAnswer(accepted *deviation) bool {
	return accepted.Spec == d.Spec && accepted.Exchange == d.Exchange && wantsRefusal(accepted.Finding)
}

// showsSameText reports whether d is about the wrong text of another record's field, in a place that copies it: the name of a product in
// the cart.
func (d *deviation) showsSameText(cause *deviation) bool {
	if !d.aboutField || !cause.aboutField || !cause.namesItsField() || !slices.ContainsFunc(wordsOf(d.leaf()), cause.isNamed) {
		return false
	}
	text := bareValue(d.Got)
	return text == bareValue(cause.Got) && strings.HasPrefix(d.Got, `"`) && len(text) >= tellingText
}

// tellingText is from how many bytes on a text is unlikely to be wrong in two places by chance.
const tellingText = 5

func (d *deviation) isNamed(word string) bool { return slices.Contains(wordsOf(d.leaf()), word) }

// ofParameter finds the parameter in the name of a requirement about one of a list's.
var ofParameter = pattern(`\.list\.(\w+)(\.invalid|\.default)?$`)

// isSelectedBy reports whether d is about a list that was asked for by a parameter, among others, which alone does not work. What only
// looks into a list that was asked for by no other one follows, too.
func (d *deviation) isSelectedBy(cause *deviation) bool {
	found := ofParameter().FindStringSubmatch(cause.Requirement)
	e, by := d.Exchanged(), cause.Exchanged()
	if found == nil || e == nil || by == nil || e.Endpoint != by.Endpoint {
		return false
	}
	asked, alone := queryNames(e), queryNames(by)
	if !slices.Contains(asked, found[1]) || len(alone) >= len(asked) && ofParameter().MatchString(d.Requirement) {
		return false
	}
	return !slices.ContainsFunc(alone, func(name string) bool { return !slices.Contains(asked, name) && !onlyLaysOut(name) })
}

// onlyLaysOut: how a list is cut and ordered, and that it holds records of the run only, has nothing to do with another parameter.
func onlyLaysOut(parameter string) bool {
	return slices.Contains([]string{"search", "per_page", "page", "order", "orderby"}, parameter)
}

// isInside reports whether d is about a part of the field that the other is about.
func (d *deviation) isInside(cause *deviation) bool {
	return d.aboutField && d.resource == cause.resource && strings.HasPrefix(d.paths[0], cause.paths[0]+".")
}

// namesItsField reports whether the requirement is that of one field.
func (d *deviation) namesItsField() bool { return strings.Contains(d.Requirement, ".field.") }

// resourcesMet are those that a spec has asked for up to an exchange.
func resourcesMet(spec *Spec, upTo int) map[string]bool {
	met := map[string]bool{}
	for i := range spec.Exchanges[:max(0, min(upTo+1, len(spec.Exchanges)))] {
		met[resourceOf(spec.Exchanges[i].Endpoint)] = true
	}
	return met
}

// speaksOf looks for all telling words of the other's field in what d says.
func (d *deviation) speaksOf(cause *deviation) bool {
	isUnsaid := func(word string) bool { return !slices.Contains(d.said, word) }
	return len(cause.telling) > 0 && !slices.ContainsFunc(cause.telling, isUnsaid)
}

func (d *deviation) expectsWhatIsWrong(cause *deviation) bool {
	return d.aboutField && d.resource != cause.resource && d.leaf() == cause.leaf() && bareValue(d.Want) == bareValue(cause.Got)
}

// needsIdentifier: what is asked for with an identifier that is wrong is refused or not found. How an error is written has nothing to do
// with it, and a part of a record is asked for at the record only: who names it wrongly is refused.
func (d *deviation) needsIdentifier(cause *deviation) bool {
	name := cause.leaf()
	isPart := name != cause.paths[0]
	own := (name == "id" || name == "key") && (!isPart || d.resource == cause.resource)
	other := cause.Level == Must && (strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_key"))
	switch {
	case d.aboutField:
		return own && d.leaf() == name
	case isEnvelopeField(d.Finding), wantsRefusal(d.Finding), own && isPart && !strings.HasPrefix(d.Got, "status "):
		return false
	}
	return own || other && d.resource != cause.resource
}

// commonWords are parts of names that do not tell what a field is about.
func commonWords() []string {
	return []string{"id", "name", "total", "type", "date", "key", "gmt", "field", "value"}
}
