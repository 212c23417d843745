// Package api holds the scenarios of the api profile: what the API server accepts, refuses, fills in and keeps of
// Workloads, PodGroups, CompositePodGroups and of a pod's membership.
//
// Nearly all of it is tables (see suites/kit/answer): a line is a request, and a requirement passes when all of its
// lines were answered as they have to be, the accepted twin beside the refused one. The objects stand in the tables as
// the JSON that is sent, so that a line can be read as a manifest.
//
// No scheduler takes part: the profile judges the control plane, and passes with --scheduler none alike. What depends on
// a feature gate that is off needs a cluster of its own; one scenario has it and asks everything there, and another one
// switches gates off behind what is stored already.
//
// Nothing is judged by the text of a message. Of a refusal the reason counts, and for Invalid the field that a cause
// names, so that a request that was refused for something else proves nothing.
package api
