// Package gpus knows GPU models as data: the extended resource their device plugin offers, how many a usual node has, and
// the node labels that the vendor's own labeller would set, each with the place it was taken from (models.yaml).
//
// Decorate a pool with a model and its nodes look to a scheduler like nodes of that kind:
//
//	m, err := gpus.Named("h100")
//	pool := m.Decorate(nodes.Pool{Name: "train", Count: 64})
package gpus
