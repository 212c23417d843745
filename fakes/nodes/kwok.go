package nodes

import (
	_ "embed"
	"errors"
)

// FinishAnnotation on a running pod makes it end: its value is FinishSucceeded or FinishFailed. Nothing else ends a pod.
const (
	FinishAnnotation = "muster.dev/finish"
	FinishSucceeded  = "Succeeded"
	FinishFailed     = "Failed"
)

//go:embed stages.yaml
var stages []byte

// KwokConfig is the configuration file for kwok's --config: its options and the stages of pods on simulated nodes.
// It manages every node of the cluster; node leases are off.
func KwokConfig() ([]byte, error) {
	if len(stages) == 0 {
		return nil, errors.New("reading kwok's configuration: this binary was built without stages.yaml")
	}
	return append([]byte(nil), stages...), nil
}
