// Package history: essay to be written.
package history
