// Package scrape reads what a process says about itself at its metrics endpoint, in Prometheus' text format.
//
// An endpoint has thousands of series and a reader wants a few, so a reader names them and nothing else is kept. Series are
// known by the very text they are served under, name{label="value",…}; history.ParseSeries takes that apart.
//
//	c := scrape.New(token)
//	defer c.Close()
//	series, err := c.Read(ctx, "scheduler", url, func(name string) bool { return name == "scheduler_pending_pods" })
//
// Certificates are not looked at, since a scheduler serves one that it has made for itself, and nothing but numbers comes
// back. For the same reason the token, which is an administrator's, is sent to this machine alone.
package scrape
