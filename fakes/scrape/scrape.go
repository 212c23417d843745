package scrape

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// patience is what an endpoint is given to answer.
const patience = 10 * time.Second

// Client reads endpoints. Its methods may be called from several goroutines.
type Client struct {
	http  *http.Client
	token string
}

// New opens endpoints of this machine with a bearer token; empty: with none.
func New(token string) *Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // see doc.go
	return &Client{http: &http.Client{Transport: transport, Timeout: patience}, token: token}
}

// Read is what the process of this name, which only errors mention, serves at the URL: the series whose names, without
// labels, keep wants, and their values now.
func (c *Client) Read(ctx context.Context, process, endpoint string, keep func(name string) bool) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	if c.token != "" && here(req.URL) {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading the metrics of %s: %s answers %s", process, endpoint, resp.Status)
	}
	return parse(process, resp.Body, keep)
}

// Close ends its connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// here reports whether a URL is of this machine.
func here(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// parse reads Prometheus' text format: a series and its value on each line that is no comment.
func parse(process string, r io.Reader, keep func(string) bool) (map[string]float64, error) {
	out := map[string]float64{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), 1<<20)
	for lines.Scan() {
		line := lines.Text()
		name, _, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, "{")
		if name == "" || line[0] == '#' || !keep(name) {
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
		if v-v != 0 {
			continue // not a number, or infinite: it counts nothing, and no record can hold it
		}
		out[line[:end]] = v
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", process, err)
	}
	return out, nil
}
