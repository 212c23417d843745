package preemption

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
)

// Stories have one pool; what a scenario keeps apart by pools, its stories keep apart by a node label "for".
type teller struct{ *historytest.Builder }

func begin() teller { return teller{historytest.New()} }

func gpus(n int) historytest.PodOption { return historytest.Wants(fmt.Sprint("nvidia.com/gpu=", n)) }

func at(priority int32) historytest.PodOption { return historytest.Priority(priority) }

// nodes are n nodes name-0, … with so many GPUs each, for those who want "for: name".
func (b teller) nodes(name string, n, perNode int) teller {
	for i := range n {
		b.Node(fmt.Sprintf("%s-%d", name, i), historytest.NodeLabel("for", name), historytest.Has(fmt.Sprint("nvidia.com/gpu=", perNode)))
	}
	return b
}

// stands is a pod on its node from the start.
func (b teller) stands(name, gang, node string, priority int32, opts ...historytest.PodOption) teller {
	b.Pod(name, gang, append([]historytest.PodOption{gpus(1), at(priority), historytest.Placed(node)}, opts...)...)
	return b
}

// across are pods name-0, … on the nodes on-0, ….
func (b teller) across(name, gang, on string, n int, priority int32, opts ...historytest.PodOption) teller {
	for i := range n {
		b.stands(fmt.Sprintf("%s-%d", name, i), gang, fmt.Sprintf("%s-%d", on, i), priority, opts...)
	}
	return b
}

func (b teller) group(name string, quorum, priority int32, opts ...historytest.GangOption) teller {
	b.Gang(name, quorum, append([]historytest.GangOption{historytest.GangPriority(priority)}, opts...)...)
	return b
}

func (b teller) ready() teller { b.Wait(time.Minute).Mark(ready); return b }

// attack is a gang of priority 1000 for the nodes of a name.
func (b teller) attack(gang, where string, quorum int32, n int, opts ...historytest.PodOption) teller {
	b.group(gang, quorum, 1000)
	b.Pods(gang, n, append([]historytest.PodOption{gpus(1), at(1000), only(where)}, opts...)...)
	return b
}

// comes is a plain pod of priority 1000 for the nodes of a name.
func (b teller) comes(name, where string, opts ...historytest.PodOption) teller {
	b.Pod(name, "", append([]historytest.PodOption{gpus(1), at(1000), only(where)}, opts...)...)
	return b
}

func only(where string) historytest.PodOption {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"for": where} }
}

// evict preempts pods and lets them end at once.
func (b teller) evict(pods ...string) teller { b.Evict(pods...).Gone(pods...); return b }

func (b teller) bind(pod, node string) teller { b.Bind(pod, node); return b }

// settled is the end of a story that ends when its preemptors run.
func (b teller) settled() *historytest.Builder { return b.Mark(settled) }

// watched is the end of one that is watched for longer than any settle bound here.
func (b teller) watched() *historytest.Builder {
	return b.Mark("came").Hold("came", time.Minute).Mark(settled)
}

// in vain: the preemptors were waited for.
func (b teller) inVain() *historytest.Builder { return b.Wait(time.Minute).Mark(settled) }
