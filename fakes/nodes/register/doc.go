// Package register creates simulated nodes through an API server, as kubelets register themselves, and publishes their
// devices, as drivers do: many at a time, in protobuf, without client-side limits. It stands apart from the nodes package
// so that whoever only speaks of pools links no client.
package register
