// Package devices knows which devices a cluster offers, who holds them, and whether pods that ask for some get them.
//
// It is the part of the engine that reads resource.k8s.io: ResourceSlices, DeviceClasses and the allocations of
// ResourceClaims. It is as pure as the engine: it is told what happened and asked what fits.
//
// The allocator of k8s.io/dynamic-resource-allocation can answer every question, but it reads all devices of a node and
// evaluates every expression anew each time, tens of microseconds a node. Most questions are of one form: so many
// devices of a class, with selectors, out of the node's own pool. For them three ideas make the answer a look at a word
// of bits.
//
// Wants. What a request says about a single device (class, selectors, tolerations) is a Want. Requests that say the same
// share one. Whether a device meets a Want is evaluated once for each distinct device: two devices are not distinct if
// they differ only in attributes that no expression of the Want reads, such as a serial number.
//
// Plain devices. A device is plain if one node alone can use it, one claim at a time, and nothing else is used up with
// it: no shared counters, no capacity to share, no conditions before a bind. For each node and Want the plain devices
// that meet it are a set of bits, and those not held are another.
//
// Demands. What the claims of a pod ask for is a Demand; it is plain if it asks for exact numbers of plain devices only,
// and then whether some pods' demands fit a node together is a matching of devices to wants. Everything else (partitions
// of a device, prioritised lists, shared capacity, attributes that must match, all devices, devices reached over the
// network, admin access) goes to the allocator, with all claims that are being placed on the node in one question: the
// allocator searches over all of them at once, so that a claim that is easy to please does not take the only partition
// another one can use. Its search is bounded by a number of steps, not by time, so that the same question always gets
// the same answer.
//
// Placements that are tried are added with Add and taken back with Undo, last in, first out; what is decided is held
// with Hold, under the name of the claim, until Drop.
package devices
