package scenario

import "fmt"

// Costs is what things take in memory, in bytes, summed over all processes of the embedded cluster, the scheduler under
// test and muster.
type Costs struct {
	Base, Node, Pod, Group, Device int64
}

// DefaultCosts err upwards. Base is what the processes of an empty embedded cluster (API server, controller manager,
// etcd, kwok, a scheduler, muster) take together, 0.9 GiB as seen after a start, with room to grow. The others are an
// object's encoded size (a pod and a node about 3 KiB, a group and a device in a slice under 1 KiB), times the forms it
// takes until it is bound (four for a pod), times those who keep it: etcd, the API server's cache and its window of
// events, and the informers of controller manager, scheduler, kwok and recorder, decoded at about three times the encoded
// size.
var DefaultCosts = Costs{Base: 3 << 29, Node: 160 << 10, Pod: 120 << 10, Group: 40 << 10, Device: 8 << 10}

// Memory is what the scenario will take, in bytes, by DefaultCosts.
func (s *Sized) Memory() int64 { return s.MemoryAt(DefaultCosts) }

// MemoryAt is Memory by other costs.
func (s *Sized) MemoryAt(c Costs) int64 {
	n := s.Counts()
	return c.Base + c.Node*int64(s.Nodes) + c.Pod*int64(n.Pods) + c.Group*int64(n.Groups+n.Composites) +
		c.Device*(int64(s.Nodes)*int64(s.Devices)+int64(n.Devices))
}

// CheckMemory says that a scenario will not fit the memory that is there, with the estimate; nil where it does. The error
// wraps ErrSize.
func (s *Sized) CheckMemory(available int64) error {
	if need := s.Memory(); need > available {
		return fmt.Errorf("%w: %s with %d nodes is estimated at %.1f GiB, and %.1f GiB are there: take fewer nodes or a smaller scale",
			ErrSize, s.Name, s.Nodes, gib(need), gib(available))
	}
	return nil
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
