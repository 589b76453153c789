package cluster

import "slices"

// Zones gives the zone of each instance, by id.
func (c *Cluster) Zones() map[string]string {
	zones := make(map[string]string, len(c.Instances))
	for i := range c.Instances {
		zones[c.Instances[i].ID] = c.Instances[i].Zone
	}
	return zones
}

// DrainingIDs gives the ids of the instances that drain, sorted.
func (c *Cluster) DrainingIDs() []string {
	ids := []string{}
	for i := range c.Instances {
		if c.Instances[i].Status == Draining {
			ids = append(ids, c.Instances[i].ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// Without returns the cluster after the loss of whole zones, Fargate's included, and of single instances.
func (c *Cluster) Without(zones, ids []string) *Cluster {
	gone := func(zone string) bool { return slices.Contains(zones, zone) }
	lost := make(map[string]bool, len(ids))
	for _, id := range ids {
		lost[id] = true
	}
	out := &Cluster{Name: c.Name, Instances: make([]Instance, 0, len(c.Instances))}
	for _, i := range c.Instances {
		if !lost[i.ID] && !gone(i.Zone) {
			out.Instances = append(out.Instances, i)
		}
	}
	for _, zone := range c.FargateZones {
		if !gone(zone) {
			out.FargateZones = append(out.FargateZones, zone)
		}
	}
	return out
}

// Drain returns the cluster with the named instances set to DRAINING.
func (c *Cluster) Drain(ids []string) *Cluster {
	if len(ids) == 0 {
		return c
	}
	out := &Cluster{Name: c.Name, Instances: slices.Clone(c.Instances), FargateZones: c.FargateZones}
	drained := make(map[string]bool, len(ids))
	for _, id := range ids {
		drained[id] = true
	}
	for i := range out.Instances {
		if drained[out.Instances[i].ID] {
			out.Instances[i].Status = Draining
		}
	}
	return out
}
