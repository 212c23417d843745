// Package trackrecord keeps docs/track-record.md true: its test reads the table and compares it with the catalogue, the
// scenarios and the mutants. The faults themselves are told by hand; which scenarios reproduce one, and which schedulers that
// are wrong on purpose have it, must be what the code says.
package trackrecord
