package suites

import (
	"strconv"
	"strings"
	"time"
)

// Seconds is a duration as findings say it: in seconds, rounded to a tenth ("44.7 s", "15 s"). What is shorter than
// that is given in milliseconds, so that it does not read as nothing.
func Seconds(d time.Duration) string {
	if d != 0 && d.Abs() < 100*time.Millisecond {
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	}
	s := strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
	return strings.TrimSuffix(s, ".0") + " s"
}
