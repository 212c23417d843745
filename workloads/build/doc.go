// Package build: essay to be written.
package build
