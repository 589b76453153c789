package placement

// Headroom returns how many more tasks of a demand would be placed, or Unlimited: on Fargate, and where nothing that the
// task needs can run out.
func (l *Ledger) Headroom(d *Demand) int64 {
	if d.Fargate {
		for h := range l.hosts {
			if l.Fits(d, h) {
				return Unlimited
			}
		}
		return 0
	}
	trial := l.Clone()
	const limit = 1 << 20
	n := int64(len(trial.Place(d, limit)))
	if n == limit {
		return Unlimited
	}
	return n
}
