package cluster

import (
	"maps"
	"slices"
	"strconv"
)

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
	out := &Cluster{Name: c.Name, Instances: make([]Instance, 0, len(c.Instances)), groups: c.groups}
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
	out := &Cluster{Name: c.Name, Instances: slices.Clone(c.Instances), FargateZones: c.FargateZones, groups: c.groups}
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

// Groups gives the names of the instance groups, sorted.
func (c *Cluster) Groups() []string { return slices.Sorted(maps.Keys(c.groups)) }

// Grow returns the cluster with n more ACTIVE instances in a group, numbered on from its last and in the zones that
// follow. It reports false where that cannot be: there is no such group or it has no zones, an id is taken, or the
// cluster would hold more than MaxInstances.
func (c *Cluster) Grow(group string, n int64) (*Cluster, bool) {
	g, ok := c.groups[group]
	if !ok || n < 0 || len(g.AvailabilityZones) == 0 || n > int64(MaxInstances-len(c.Instances)) {
		return nil, false
	}
	b := builder{classes: map[string]*Class{}}
	taken := map[string]struct{}{} // only a single instance can have an id that the group makes
	seen := map[*Class]bool{}
	for i := range c.Instances {
		if c.Instances[i].Group == "" {
			taken[c.Instances[i].ID] = struct{}{}
		}
		if class := c.Instances[i].Class; !seen[class] {
			seen[class] = true
			b.classes[class.key()] = class
		}
	}
	more := make([]Instance, 0, n)
	zones := int64(len(g.AvailabilityZones))
	classes := make([]*Class, zones)
	for k := g.Count; k < g.Count+n; k++ {
		id := group + "-" + strconv.FormatInt(k, 10)
		if _, ok := taken[id]; ok {
			return nil, false
		}
		class := classes[k%zones]
		if class == nil {
			class = b.class(&g.Shape, g.AvailabilityZones[k%zones])
			classes[k%zones] = class
		}
		more = append(more, Instance{
			ID: id, Group: group, Number: int(k), Zone: class.Zone, Status: Active, AgentConnected: true, Class: class,
		})
	}
	out := &Cluster{Name: c.Name, Instances: c.Instances, FargateZones: c.FargateZones, groups: maps.Clone(c.groups)}
	g.Count += n
	out.groups[group] = g
	if n > 0 { // no other instance stands between two of a group
		at, _ := slices.BinarySearchFunc(c.Instances, more[0], compareInstances)
		out.Instances = slices.Concat(c.Instances[:at], more, c.Instances[at:])
	}
	return out, true
}
