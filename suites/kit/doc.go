// Package kit holds the phrases scenarios are written with, so that a scenario's file tells its story and nothing else.
//
// There are two halves, as in a scenario. The driving half creates a gang with its members, takes up room, and waits:
// a Cond is a question to the live view ("three members of this gang are bound") that Env.Await waits for. The judging
// half is the Case: one requirement, the view, and a list of premises. A premise that is not proven, or a gap in the
// record, makes the case Inconclusive whatever else was seen; only then is the claim itself looked at, and it is a Pass
// or a Fail.
//
//	c := kit.For(v, "GANG-003")
//	from, to := c.Watched("created", "held", 4)
//	c.ShortByOne(from, v.Members("big"))
//	late := c.BoundBetween("big", from, to)
//	return c.Holds(len(late) == 0, "…")
//
// Binding is read from spec.nodeName, as the View does; binds made by the driver are never held against the scheduler.
// Nothing here reads messages, reasons or Event objects.
package kit
