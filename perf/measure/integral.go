package measure

import (
	"math/big"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"muster/suites/history"
)

// integral of a step function over time, exact: amount × nanoseconds as an integer of any size. The zero value is 0.
type integral struct{ sum big.Int }

// add the amount held for d; a negative d adds nothing.
func (i *integral) add(amount int64, d time.Duration) {
	if amount == 0 || d <= 0 {
		return
	}
	i.sum.Add(&i.sum, new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(d))))
}

func (i *integral) join(o *integral) { i.sum.Add(&i.sum, &o.sum) }

// seconds is the integral in units × seconds, where unit is how many of the counted amounts are one.
func (i *integral) seconds(unit int64) float64 {
	f, _ := new(big.Rat).SetFrac(&i.sum, big.NewInt(unit*int64(time.Second))).Float64()
	return f
}

// over is the ratio of two integrals, rounded once; 0 where there is nothing to divide by.
func (i *integral) over(o *integral) float64 {
	if o.sum.Sign() == 0 {
		return 0
	}
	f, _ := new(big.Rat).SetFrac(&i.sum, &o.sum).Float64()
	return f
}

// unitOf is how many counted amounts make one of the resource: CPUs are counted in thousandths.
func unitOf(name string) int64 {
	if name == string(corev1.ResourceCPU) {
		return 1000
	}
	return 1
}

// amountOf a quantity, in counted amounts.
func amountOf(q resource.Quantity, name string) int64 {
	if name == string(corev1.ResourceCPU) {
		return q.MilliValue()
	}
	return q.Value()
}

// requests is what a pod holds of a resource, in counted amounts.
func requests(p *history.Pod, name string) int64 {
	q := helpers.PodRequests(p.First, helpers.PodResourcesOptions{})[corev1.ResourceName(name)]
	return amountOf(q, name)
}

// has is what a node offers of a resource, in counted amounts.
func has(n *corev1.Node, name string) int64 {
	q := n.Status.Allocatable[corev1.ResourceName(name)]
	return amountOf(q, name)
}
