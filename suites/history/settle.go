package history

import (
	"math"
	"time"
)

func settle(root, base float64, members int) time.Duration {
	return time.Duration((root*math.Sqrt(float64(max(members, 1))) + base) * float64(time.Second))
}
