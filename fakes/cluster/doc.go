// Package cluster: essay to be written.
package cluster
