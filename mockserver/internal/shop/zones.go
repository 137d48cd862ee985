package shop

// Shipping zones: which one an address lies in.

import (
	"strings"

	"shopcheck/fixtures"
)

// ZoneFor finds the zone of a destination: the first one, by the zones' order, that it lies in; else 0, the rest of
// the world.
func (v View) ZoneFor(destination Address) int64 {
	postcode := normalPostcode(destination.Postcode)
	for zone := range Zones.ByOrder.Ascend(&v.Zones, nil, nil) {
		if zone.ID != 0 && zone.contains(destination, postcode) {
			return zone.ID
		}
	}
	return 0
}

// contains reports whether a destination lies in one of the zone's regions and, if the zone names postcodes, in one
// of these. A zone without regions contains every region.
func (z *Zone) contains(destination Address, postcode string) bool {
	var regions, postcodes, inRegion, inPostcode bool
	for _, location := range z.Locations {
		if location.Type == "postcode" {
			postcodes = true
			inPostcode = inPostcode || postcodeIn(location.Code, postcode)
			continue
		}
		regions = true
		inRegion = inRegion || location.contains(destination)
	}
	return (inRegion || !regions) && (inPostcode || !postcodes)
}

// contains reports whether the destination lies in the country, state or continent.
func (l Location) contains(destination Address) bool {
	switch l.Type {
	case "country":
		return strings.EqualFold(l.Code, destination.Country)
	case "state":
		return strings.EqualFold(l.Code, destination.Country+":"+destination.State)
	case "continent":
		country, known := fixtures.Country(destination.Country)
		return known && strings.EqualFold(l.Code, country.Continent)
	}
	return false
}
