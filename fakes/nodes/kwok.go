package nodes

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
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

// stageOfStart is the stage by which pods that are bound come to run.
const stageOfStart = "pod-run"

// KwokConfigIdle is the same for kubelets that start nothing: a pod that is bound stays Pending, and one that is deleted
// goes when its grace period is over. Whoever measures a scheduler has a third of the API server's work less beside it.
func KwokConfigIdle() ([]byte, error) {
	all, err := KwokConfig()
	if err != nil {
		return nil, err
	}
	const between = "\n---\n"
	var kept [][]byte
	for doc := range bytes.SplitSeq(all, []byte(between)) {
		if !bytes.Contains(doc, []byte("\n  name: "+stageOfStart+"\n")) {
			kept = append(kept, doc)
		}
	}
	if len(kept) != bytes.Count(all, []byte(between)) {
		return nil, fmt.Errorf("making kwok's configuration: expected the stage %s in stages.yaml once", stageOfStart)
	}
	return bytes.Join(kept, []byte(between)), nil
}
