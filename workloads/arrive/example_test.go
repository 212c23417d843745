package arrive_test

import (
	"context"
	"fmt"

	"muster/workloads/arrive"
)

func ExampleRun() {
	a, err := arrive.Run(context.Background(), arrive.Burst(3), arrive.Options{Workers: 1}, func(_ context.Context, i arrive.Item) error {
		fmt.Println("submitting", i.Index)
		return nil
	})
	fmt.Println(len(a.Entries), a.Failed, err)
	// Output:
	// submitting 0
	// submitting 1
	// submitting 2
	// 3 0 <nil>
}
