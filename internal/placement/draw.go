package placement

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
)

// newDraws starts the stream of random choices of one service. Each service has its own, so that what one draws does not
// shift what another does.
func newDraws(seed int64, service string) *rand.PCG {
	h := fnv.New64a()
	_, _ = h.Write([]byte(service)) // never fails
	return rand.NewPCG(uint64(seed), h.Sum64())
}

// Draw returns a number from 0 to n-1, each about equally often over seeds, for a choice of the service that is
// documented to be random. It takes exactly one step of the service's stream, so that traces can be reproduced; n must
// be above 0.
func (l *Ledger) Draw(service string, n int) int {
	return int(l.service(service).draw(uint64(max(n, 1))))
}

func (s *service) draw(n uint64) uint64 {
	hi, _ := bits.Mul64(s.draws.Uint64(), n)
	return hi
}
