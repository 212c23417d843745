package runner

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"muster/perf/measure"
)

// scraper reads the metrics of the scheduler and the API server.
type scraper struct {
	client *http.Client
	token  string
}

// newScraper opens with an administrator's token. Certificates are not looked at: a scheduler's is one it has made for
// itself, everything is on the loopback, and nothing but numbers comes back.
func newScraper(token string) *scraper {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // see above
	return &scraper{client: &http.Client{Transport: transport, Timeout: 10 * time.Second}, token: token}
}

// scrape is what a process says at url, reduced to the series that something is made of.
func (s *scraper) scrape(ctx context.Context, process, url string) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading the metrics of %s: %s answers %s", process, url, resp.Status)
	}
	return parseMetrics(process, resp.Body)
}

func (s *scraper) close() { s.client.CloseIdleConnections() }

// parseMetrics reads Prometheus' text format: a series and its value on each line that is no comment.
func parseMetrics(process string, r io.Reader) (map[string]float64, error) {
	out := map[string]float64{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), 1<<20)
	for lines.Scan() {
		line := lines.Text()
		name, _, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, "{")
		if name == "" || line[0] == '#' || !measure.Scraped(process, name) {
			continue
		}
		// Label values may hold spaces; behind the labels there are none but before the value and a time.
		end := strings.LastIndexByte(line, '}') + 1
		if end == 0 {
			end = len(name)
		}
		fields := strings.Fields(line[end:])
		if len(fields) == 0 {
			return nil, fmt.Errorf("reading the metrics of %s: %q has no value", process, line)
		}
		v, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return nil, fmt.Errorf("reading the metrics of %s: %q: %w", process, line, err)
		}
		out[line[:end]] = v
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	return out, nil
}
