package webhooks

import (
	"fmt"
	"net/netip"
	"syscall"
)

// The mock must not become a way into a network: whoever may register a webhook chooses where it connects to. So the address
// itself is looked at, after every name has been resolved, right before the connection is made.

// reserved are the addresses, besides private and link-local ones, that are no public host.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // carriers' own
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and broadcast
	netip.MustParsePrefix("fec0::/10"),       // site-local, of old
	netip.MustParsePrefix("64:ff9b::/96"),    // an IPv4 address behind a translator
	netip.MustParsePrefix("64:ff9b:1::/48"),  // likewise, local
	netip.MustParsePrefix("2002::/16"),       // an IPv4 address in a tunnel
	netip.MustParsePrefix("2001::/32"),       // likewise
	netip.MustParsePrefix("::/96"),           // an IPv4 address, of old
	netip.MustParsePrefix("::ffff:0:0:0/96"), // likewise, translated
}

// refusedAddress says why a delivery must not go to an address; "" when it may.
func refusedAddress(address netip.Addr) string {
	address = address.Unmap().WithZone("")
	switch {
	case address.IsLoopback():
		return ""
	case address.IsPrivate():
		return "a private address"
	case address.IsLinkLocalUnicast():
		return "a link-local address"
	case address.IsMulticast():
		return "a multicast address"
	case address.IsUnspecified():
		return "no address of a host"
	}
	for _, block := range reserved {
		if block.Contains(address) {
			return "a reserved address"
		}
	}
	return ""
}

// refusal is the error of a delivery to an address that is not allowed.
type refusal struct{ address, why string }

func (r refusal) Error() string {
	return fmt.Sprintf(
		"refused: %s is %s; deliveries go to loopback and public addresses unless private ones are allowed",
		r.address,
		r.why,
	)
}

// guard is a net.Dialer's Control: it sees the address that is about to be connected to.
func guard(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return refusal{address, "not an address"}
	}
	if why := refusedAddress(target.Addr()); why != "" {
		return refusal{target.Addr().String(), why}
	}
	return nil
}
