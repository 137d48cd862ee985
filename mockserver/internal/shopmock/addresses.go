package shopmock

// Under which addresses a server that listens on several is reached.

import (
	"net"
	"strconv"
	"sync"
	"time"
)

// socket is the address of the server's socket; for one that listens everywhere it is that of this machine.
func (s *Server) socket() string {
	address, ok := s.listener.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsUnspecified() {
		return s.listener.Addr().String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(address.Port))
}

// addressAt is where the shop is reached at a host and port.
func (s *Server) addressAt(host string) string {
	if s.identity != nil {
		return "https://" + host
	}
	return "http://" + host
}

// dialTimeout is how long a server tries whether it is reached at an address of this machine.
const dialTimeout = time.Second

// Addresses returns where other machines may reach a server that listens everywhere: at each address of this machine that takes
// connections. It returns nothing for a server that listens at one address.
func (s *Server) Addresses() []string {
	if s.listener == nil {
		return nil
	}
	address, ok := s.listener.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsUnspecified() {
		return nil
	}
	candidates := networkAddresses()
	reached := make([]bool, len(candidates))
	var tries sync.WaitGroup
	for i, ip := range candidates {
		tries.Go(func() {
			connection, err := net.DialTimeout("tcp", net.JoinHostPort(ip.String(), strconv.Itoa(address.Port)), dialTimeout)
			if reached[i] = err == nil; reached[i] {
				connection.Close() //nolint:errcheck // nothing was sent
			}
		})
	}
	tries.Wait()
	var found []string
	for i, ip := range candidates {
		if reached[i] {
			found = append(found, s.addressAt(net.JoinHostPort(ip.String(), strconv.Itoa(address.Port))))
		}
	}
	return found
}

// networkAddresses are the addresses of this machine that others may reach.
func networkAddresses() []net.IP {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var found []net.IP
	for _, address := range all {
		if network, ok := address.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			found = append(found, network.IP)
		}
	}
	return found
}
