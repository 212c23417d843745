// Command requirements writes docs/requirements.md to stdout:
//
//	go run ./hack/requirements > docs/requirements.md
package main

import (
	"fmt"
	"os"

	"muster/suites/requirements"
)

func main() {
	reqs, err := requirements.All()
	if err != nil {
		fmt.Fprintln(os.Stderr, "requirements:", err)
		os.Exit(1)
	}
	fmt.Print(requirements.Markdown(reqs))
}
