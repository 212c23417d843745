// Package settle is the one rule of the settle bound: how long a scheduler may take before a check says that it left
// something undone.
//
// A group of m members has settled after root × √m + base seconds. Root and base come from profiles that people write
// and from files that may have been edited, and the bound is added to times and compared with them. So a number that
// is none (NaN, an infinity), a negative one, or one so large that it overflows would not widen a check: it would
// switch it off without a word. Check refuses such numbers where they are read, and Bound stays within what can be
// added to a time whatever it is given.
package settle
