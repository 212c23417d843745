// Package cluster is the control plane that a scheduler is put in front of.
//
// Cluster is what scenarios and runners know of it: how to reach it, what it can do (its capabilities), which gates are in
// force. Embedded is the one that comes with muster: etcd, the API server, the controllers and kwok, each a process of this
// very binary (package process), in a run directory of its own with certificates and tokens of its own, reachable from this
// machine alone. Nothing of it outlives the process that started it.
//
// Start makes one. It returns when the API answers and the controllers are at work, which takes some seconds. A cluster can
// be filled on the way up: Options.Preload writes into storage before the API server is there (package storage), and
// Options.Seed acts through the API before the controllers are. Gates go through ResolveGates, since a component with a gate
// on whose dependency is off refuses to start.
package cluster
