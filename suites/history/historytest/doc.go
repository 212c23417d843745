// Package historytest writes small histories by hand, for the tests of checks and of scenarios' judges. A test reads as
// the story of what happened:
//
//	h := historytest.New().
//		Nodes(2, historytest.Has("nvidia.com/gpu=4")).
//		Gang("g", 3).Pods("g", 3, historytest.Wants("nvidia.com/gpu=2")).
//		Wait(time.Second).
//		Bind("g-0", "node-0").Bind("g-1", "node-0").Bind("g-2", "node-1").
//		Satisfied("g", "True", "Scheduled").
//		Mark("bound").Hold("nothing else happens", time.Minute)
//	findings := judge(h.View())
//
// Everything goes through real events and the real reader: View builds them into a complete history of the format a
// recorder writes, closing lists included, and reads that back. What a judge says about such a view it would say about a
// file with the same lines. A Builder can go on after View; each View ends the story where it stands.
//
// The defaults are those of a scenario on the built-in scheduler: namespace "test", one pool "main" (real name
// "test-main"), schedulerName default-scheduler, settle bound 10 s × √members + 5 s, storage single-etcd, pods that ask
// for one CPU on nodes that have 64. Each event comes a millisecond after the one before.
//
// A story that makes no sense (binding a pod that does not exist) panics: it is a mistake in the test.
package historytest
