// Package devices holds the scenarios of the devices profile: pods and groups whose claims ask for devices (dynamic
// resource allocation), and what schedulers and controllers make of these claims.
//
// A scenario publishes its own devices: ResourceSlices of a driver that only it knows, and DeviceClasses that select that
// driver's devices alone. So its devices are nobody else's, and how many there are is what the scenario says. Where a judge
// needs that number, it reads it from the slices that were accepted: the answers are part of the record.
//
// Two parties are judged here, and never at once. The scheduler allocates devices, reserves claims and binds pods. The
// controllers of the control plane make claims from templates and take back what nobody uses any more. The scenarios about
// them schedule by hand: their pods name a scheduler that does not exist, and the driver writes allocations, reservations
// and bindings itself. They run the same with any scheduler and with none.
//
// What a scenario does not say at its marks is judged over the whole history by two invariants: no device belongs to two
// claims at the same time, and no pod is bound before its claims are allocated and reserved for it.
package devices
