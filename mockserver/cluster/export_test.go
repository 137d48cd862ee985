package cluster

import "context"

// ConnectPatiently is Connect with another patience for silent replicas.
var ConnectPatiently = connectWith

// PartObjects lists the objects of parts.
func (c *Cluster) PartObjects() (names []string, err error) {
	err = within(func(ctx context.Context) error {
		names, err = listIn(ctx, c.partObjects)
		return err
	})
	return names, err
}
