// Package proxy stands between one client and the API server and carries out the rules of package faults.
//
// It listens on loopback with a certificate made for it alone, and writes a kubeconfig with which a client reaches it
// and nothing else: the token in it is the proxy's own. What it passes on it sends with the credential of the
// kubeconfig it was given, so that rights, flow control and audit are those of the client it stands in for, however that
// authenticates.
//
// Requests are counted whether or not a rule is in force: how often a client asks while nothing changes is itself worth
// knowing. A watch is passed on byte by byte; it can be cut, or kept silent for a while, without being looked into.
// While the proxy is away (see Away) it takes no connection and every watch has ended, which is what a client sees of
// an API server that is restarted.
package proxy
