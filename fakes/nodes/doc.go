// Package nodes: essay to be written.
package nodes
