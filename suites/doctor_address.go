package suites

// The doctor's check of the address: which of the shop's shipping zones it is in, and whether that ships.

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// mostZones bounds how many of a shop's zones are looked at: each takes a request.
const mostZones = 15

// checkAddress looks whether the shop ships to the profile's address.
func (d *doctor) checkAddress() {
	a := d.run.Profile.Address
	text := fmt.Sprintf("orders go to %s, %s %s %s, %s", a.Address1, a.City, a.State, a.Postcode, a.Country)
	zone, found := d.zoneOf(a)
	if !found {
		d.add("address", Well, text+"; whether the shop ships there shows when a cart is filled", "")
		return
	}
	answer := d.look.Get(shippingZone(zone, "methods"), nil)
	if !answer.OK() {
		d.add("address", Well, text+", in the shipping zone "+zone.Get("name").String()+", whose methods cannot be seen", "")
		return
	}
	var methods []string
	for _, method := range answer.JSON().Array() {
		if method.Get("enabled").Bool() {
			methods = append(methods, method.Get("title").String())
		}
	}
	if len(methods) == 0 {
		d.add("address", Problem, fmt.Sprintf("%s; the shipping zone that it is in, %s, has no method: nothing that is shipped can be "+
			"ordered", text, zone.Get("name")), "give an address that the shop ships to under address, or a method to that zone")
		return
	}
	d.add("address", Well, fmt.Sprintf("%s, which the shipping zone %s serves by %s", text, zone.Get("name"), strings.Join(methods, ", ")),
		"")
}

func shippingZone(zone gjson.Result, part string) string {
	return fmt.Sprintf("%s/shipping/zones/%d/%s", client.Management, zone.Get("id").Int(), part)
}

// zoneOf returns the first zone that an address is in, as the shop orders them. Where the zones cannot be read, are many, or are told by
// continents, it is not known.
func (d *doctor) zoneOf(a profile.Address) (zone gjson.Result, known bool) {
	answer := d.look.Get(client.Management+"/shipping/zones", url.Values{"per_page": {"100"}})
	zones := answer.JSON().Array()
	if !answer.OK() || len(zones) > mostZones {
		return zone, false
	}
	slices.SortStableFunc(zones, func(a, b gjson.Result) int { return zoneRank(a) - zoneRank(b) })
	for _, zone := range zones {
		if zone.Get("id").Int() == restOfWorld {
			return zone, true
		}
		answer := d.look.Get(shippingZone(zone, "locations"), nil)
		within, certain := covers(answer.JSON().Array(), a)
		switch {
		case !answer.OK() || !certain:
			return zone, false
		case within:
			return zone, true
		}
	}
	return zone, false
}

// restOfWorld is the id of the zone of what no other zone covers.
const restOfWorld = 0

// zoneRank puts the rest of the world last.
func zoneRank(zone gjson.Result) int {
	if zone.Get("id").Int() == restOfWorld {
		return 1 << 30
	}
	return int(zone.Get("order").Int())
}

// covers reports whether the locations of a zone hold an address: a country or state of it, if they name any, and its postcode, if they
// name any. Which countries a continent has is not known here.
func covers(locations []gjson.Result, a profile.Address) (within, certain bool) {
	regions, postcodes, inRegion, inPostcode, continent := 0, 0, false, false, false
	for _, location := range locations {
		code := location.Get("code").String()
		switch location.Get("type").String() {
		case "postcode":
			postcodes++
			inPostcode = inPostcode || postcodeMatches(code, a.Postcode)
		case "continent":
			regions++
			continent = true
		default: // "US", "US:CA"
			regions++
			inRegion = inRegion || code == a.Country || code == a.Country+":"+a.State
		}
	}
	within = (regions == 0 || inRegion) && (postcodes == 0 || inPostcode)
	return within, within || !continent || postcodes > 0 && !inPostcode
}

// postcodeMatches takes a postcode, one with a star at the end, and two with dots between them.
func postcodeMatches(pattern, postcode string) bool {
	plain := func(code string) string { return strings.ToUpper(strings.Join(strings.Fields(code), "")) }
	pattern, postcode = plain(pattern), plain(postcode)
	if first, last, isRange := strings.Cut(pattern, "..."); isRange {
		from, err := strconv.Atoi(first)
		to, otherErr := strconv.Atoi(last)
		number, notNumber := strconv.Atoi(postcode)
		return err == nil && otherErr == nil && notNumber == nil && from <= number && number <= to
	}
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(postcode, prefix)
	}
	return pattern == postcode
}
