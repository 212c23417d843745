package build

import "fmt"

// Replicas are n pods like p, named p.Name-0 … p.Name-(n-1).
func Replicas(n int, p Pod) []Pod {
	out := make([]Pod, n)
	for i := range out {
		out[i] = p
		out[i].Name = fmt.Sprintf("%s-%d", p.Name, i)
	}
	return out
}

// Names of pods, in order.
func Names(pods []Pod) []string {
	out := make([]string, len(pods))
	for i, p := range pods {
		out[i] = p.Name
	}
	return out
}
