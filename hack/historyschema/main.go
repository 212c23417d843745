// Command historyschema prints the JSON schema of a line of a history:
//
//	go run ./hack/historyschema > docs/history.schema.json
package main

import (
	"fmt"
	"os"

	"muster/suites/history/schema"
)

func main() {
	text, err := schema.JSON()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = os.Stdout.Write(text)
}
