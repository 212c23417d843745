// Package field holds the scenarios for FIELD-001…007: faults that people running gangs in production have met, and
// that a scheduler can have although it passes every simple test.
//
// They have one thing in common: none of them shows with one gang on an empty cluster. Two gangs whose pods arrive
// interleaved and each take half the room; a gang that cannot fit and keeps everybody else out; pieces that arrive in
// an order nobody tested; capacity that suffices in the sum and nowhere in particular; a quorum that is edited while
// the gang waits; a leader that fits and whose workers do not; an event that should have woken a gang and did not.
//
// Each file holds one scenario: Drive acts and marks the phases, Judge reads the history. What two scenarios share
// stands in a file named after it: turns.go (gangs that complete one at a time), pieces.go (what a gang is made of
// arrives in some order), sums.go (capacity by the sum), wakes.go (what woke a gang, and how fast).
//
// How the judging is kept honest:
//
//   - Sizes come from Pool.Slots, and what they imply ("room for one gang, not for two") is proven again from the
//     record before anything is judged; where the proof fails the finding is Inconclusive.
//   - A negative ("stays unbound") is watched for the settle bound of the gang's size.
//   - A positive that may follow a failed attempt is waited for longer than the settle bound, since a scheduler may
//     wait out a back-off that no event shortens.
//   - "Never before" compares places in the history (the creation of the last piece, the change of the quorum), never
//     times and never the driver's marks, between which and a bind there is no certain order.
//   - The only absolute time is FIELD-003's five seconds. It is counted over the latency of a plain pod created right
//     after the gang's last piece: whatever slows the scheduler down slows that witness as well, which is why these
//     scenarios run beside others.
//   - FIELD-007 is measured, classified and reported; it never fails.
package field
