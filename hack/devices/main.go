// Command devices checks every GPU model that muster knows: each class of its drivers is evaluated against each device that
// it can publish. It ends with 1 where a model does not hold together, after naming everything that is wrong.
package main

import (
	"context"
	"fmt"
	"os"

	"muster/fakes/gpus"
	"muster/fakes/gpus/check"
)

func main() {
	models, err := gpus.Models()
	if err != nil {
		fmt.Fprintln(os.Stderr, "devices:", err)
		os.Exit(1)
	}
	code := 0
	for _, m := range models {
		r, err := check.Model(context.Background(), m)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
			continue
		}
		fmt.Printf("%s: %d classes, %d devices, %d evaluations\n", r.Model, r.Classes, r.Devices, r.Evaluations)
	}
	os.Exit(code)
}
