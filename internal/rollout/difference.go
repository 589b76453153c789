package rollout

// differences is, for every service that ran before or runs now, how many more of its tasks run on each host than in the
// state, or fewer, below zero; hosts with as many are left out. Where nothing ran at all there is nothing to compare
// with, and the placements say the same. Services without a change are not looked at: a large cluster has many entries.
func differences(before State, after map[string]map[string]int64, changes map[string]string) map[string]map[string]int64 {
	out := map[string]map[string]int64{}
	ran := false
	for name, state := range before.Services {
		for _, set := range state.Tasks {
			ran = ran || len(set.Placements) > 0
			if changes[name] == "" {
				continue
			}
			for id, n := range set.Placements {
				add(out, name, id, -n)
			}
		}
	}
	if !ran {
		return out
	}
	for name := range changes {
		for id, n := range after[name] {
			add(out, name, id, n)
		}
	}
	for name, hosts := range out {
		for id, n := range hosts {
			if n == 0 {
				delete(hosts, id)
			}
		}
		if len(hosts) == 0 {
			delete(out, name)
		}
	}
	return out
}

func add(counts map[string]map[string]int64, name, id string, n int64) {
	if counts[name] == nil {
		counts[name] = map[string]int64{}
	}
	counts[name][id] += n
}
