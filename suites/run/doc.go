// Package run runs scenarios: it starts what they need, lets them act, and has the record judged.
//
// A run has sessions. A session is one cluster with its recorder and the scheduler under test; there is one main
// session that all Shared and Exclusive scenarios use, and one each for those that want a cluster of their own. Every
// session writes one history file (a shard). Most scenarios wait most of the time, so nearly all Shared ones run at
// once: the heavy ones start first, so that the tail is short, and starts are spread, so that two cores are not given
// five hundred pods in one instant. Exclusive scenarios follow one by one, then the clusters of their own.
//
// What can go wrong is told apart, because only one of it is the scheduler's fault. A scheduler that ends by itself is
// recorded as a crash, which the NoCrash check fails, and is started again so that the other requirements still get a
// verdict. A component of the control plane that dies ends the session: what was running is Broken, what was waiting is
// Skipped, and the run is incomplete. A panic in a scenario is caught and breaks that scenario alone. An interrupt lets
// every scenario write its end, and the report says incomplete.
//
// Nothing is decided here: findings come from package judge, which reads the shards back, and verdicts from package fold.
package run
