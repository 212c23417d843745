// Package faults says what shall go wrong between one client and the API server: data, which package proxy carries out.
//
// A Rule has two halves. The first picks requests as RBAC names them (verb, resource, object) and by what their body
// holds; of those it lets some pass first and takes some number after them, so that "the third bind" can be said. The
// second is one Fault: an answer the API server never gave, a delay, a connection that ends, a watch that says nothing
// any more, an answer with another body, further requests that nobody asked for, or a Lens through which the client sees
// every object otherwise than it is.
//
// Nothing here is left to the moment. Whether the k-th request that a rule picks is struck follows from the rule, k and
// the seed (see Rule.Strikes), whatever else goes on at the time. What does depend on the moment is which request is
// the k-th, as it does in any cluster.
package faults
