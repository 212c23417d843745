package measure

import (
	"slices"
	"strings"
)

// Scraped reports whether a series of this name (without labels) of the scheduler's or the API server's metrics is read by
// anything here. A scraper keeps these and no others: an API server has tens of thousands.
func Scraped(process, name string) bool {
	if process == ProcessAPIServer {
		return slices.Contains([]string{serverLatency, serverLatencyN, serverAdmission}, name)
	}
	switch name {
	case clientRequests, clientThrottle, clientLatency, clientLatencyN, podAttempts, groupAttempts:
		return true
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && slices.Contains(Histograms, base) {
			return true
		}
	}
	return false
}

// IsRequests reports whether a series, whose name is given without labels, counts the requests of a client.
func IsRequests(name string) bool { return name == clientRequests }
