// Package kittest holds what the tests of scenarios have in common: stories, which are records written by hand, and what
// a judge has to say about them.
//
// A judge that cannot fail proves nothing, and one that fails for want of evidence accuses the innocent. So every judged
// requirement of every scenario has a story that passes and one that fails, every MAY one that is observed; of an empty
// record nothing follows; and a good story that breaks off anywhere is never a violation. Stories holds a whole profile
// to that.
package kittest
