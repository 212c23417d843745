// Package gpus knows GPU models as data: the node they sit in, and what the drivers of their vendors publish about them.
// A model is one file in models/, a driver's classes one in drivers/; every attribute and capacity says where it is from.
// Another model is another file, and no code.
//
// Decorate a pool with a model and its nodes look to a scheduler like nodes of that kind, with the extended resource of a
// device plugin:
//
//	m, err := gpus.Named("h100")
//	pool := m.Decorate(nodes.Pool{Name: "train", Count: 64})
//
// Or let its GPUs be devices of dynamic resource allocation, which claims select by class and by attribute:
//
//	pool = m.Decorate(nodes.Pool{Name: "train", Count: 64, Devices: nodes.Devices{Model: "h100"}})
//	classes, err := gpus.Classes(pool)             // gpu.nvidia.com, mig.nvidia.com
//	slices, err := gpus.NodeSlices(pool, 0, node)  // what the drivers on the first node publish
//
// Names are those of the real drivers, so that a claim template written for them selects these devices unchanged. Where
// several scenarios share a cluster each has a scope (nodes.Devices.Scope): drivers, classes and extended resources are then
// named after it (ClassName, DriverName, ExtendedResource), and a class selects nothing of another scope. The domain of
// attributes stays the real one; only a request for an amount of a capacity is written with it (CapacityName).
//
// Nothing here has a client. Package register, beside nodes, creates what this one describes; package check below evaluates
// every class against every device.
package gpus
