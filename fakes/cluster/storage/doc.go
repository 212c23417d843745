// Package storage writes objects into an embedded cluster's etcd, mostly before its API server is started, in the form in which the
// API server would have stored them: Kubernetes' protobuf behind a magic number, under the registry's keys.
//
// Ten thousand objects take a second or two this way. Through the API they take half a minute, most of which the API server
// spends on validating and converting what is known to be right, and on telling watchers who are not there yet.
//
// Beside a running API server it is the way to change an object at a known moment: what happens to a request before its
// change is stored does not come into it (perf/runner's probes).
//
// A Feed is the way back: it lists and watches a resource where it is stored, and so tells of a change when it has happened,
// however busy the API server is (perf/runner's record).
//
// What is written is not checked by anybody. Whoever writes answers for it that the API server would have left the same
// (see fakes/nodes/seed, whose test compares).
package storage
