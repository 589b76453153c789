package cluster

// Totals is what a cluster registers, over its ACTIVE instances; a disconnected agent does not change the status.
type Totals struct {
	Instances int64
	CPU       int64            // CPU units
	Memory    int64            // MiB
	ByZone    map[string]int64 // ACTIVE instances; a zone whose instances all drain is there with 0
}

// Totals sums up the ACTIVE instances. The sums cannot overflow: see MaxSize.
func (c *Cluster) Totals() Totals {
	t := Totals{ByZone: map[string]int64{}}
	for i := range c.Instances {
		instance := &c.Instances[i]
		if instance.Status != Active {
			t.ByZone[instance.Zone] += 0
			continue
		}
		t.ByZone[instance.Zone]++
		t.Instances++
		t.CPU += instance.Class.CPU
		t.Memory += instance.Class.Memory
	}
	return t
}
