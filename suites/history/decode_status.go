package history

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// progress takes the patch of a pod's status that most events carry: its phase and its conditions, and nothing else. It
// gives what decoding by reflection gives, in a fraction of the time.
func progress(status *corev1.PodStatus) func(any) bool {
	return func(patch any) bool {
		m, ok := patch.(map[string]any)
		if !ok {
			return false
		}
		phase, conditions := status.Phase, status.Conditions
		for key, v := range m {
			switch key {
			case "phase":
				text, ok := v.(string)
				if !ok {
					return false
				}
				phase = corev1.PodPhase(text)
			case "conditions":
				list, ok := v.([]any)
				if !ok {
					return false
				}
				conditions = make([]corev1.PodCondition, len(list))
				for i := range list {
					if !readCondition(list[i], &conditions[i]) {
						return false
					}
				}
			default:
				return false
			}
		}
		status.Phase, status.Conditions = phase, conditions
		return true
	}
}

// readCondition says no to anything out of the ordinary.
func readCondition(v any, c *corev1.PodCondition) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for key, v := range m {
		if key == "observedGeneration" {
			n, ok := v.(int64)
			if !ok {
				return false
			}
			c.ObservedGeneration = n
			continue
		}
		text, ok := v.(string)
		if !ok {
			return false
		}
		switch key {
		case "type":
			c.Type = corev1.PodConditionType(text)
		case "status":
			c.Status = corev1.ConditionStatus(text)
		case "reason":
			c.Reason = text
		case "message":
			c.Message = text
		case "lastTransitionTime":
			ok = readTime(text, &c.LastTransitionTime)
		case "lastProbeTime":
			ok = readTime(text, &c.LastProbeTime)
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

func readTime(text string, into *metav1.Time) bool {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return false
	}
	*into = metav1.NewTime(t.Local())
	return true
}
