package scenario_test

import (
	"fmt"

	"muster/perf/scenario"
)

func Example() {
	s, err := scenario.Named("preemption-100")
	if err != nil {
		fmt.Println(err)
		return
	}
	sized, err := s.At(scenario.Size{Nodes: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sized.Shape(), sized.Plan().Pods, sized.Gates())
	_, err = s.At(scenario.Size{Scale: -1})
	fmt.Println(err)
	// Output:
	// preemption-100 nodes=1000 scale=1 11000 [GenericWorkload]
	// the scenario cannot be run at this size: 0 nodes, scale -1
}
