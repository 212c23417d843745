// Package rules holds the tests of the project's layout: who may import whom, which packages are pure, and that every
// package says what it is for. A rule nobody checks is a wish.
package rules
