// Package prove shows that a conformance suite can fail: it has schedulers judged that are wrong on purpose, and asks of
// each requirement whether any of them was found to violate it.
//
// It knows a mutant only as data, by what it is named, on which profiles it is judged and what it declares to kill; that it
// is a scheduler is the business of whoever hands in Options.Judge.
//
// A kill counts only if it is precise. The mutant must have been found to violate everything it declares and nothing else,
// and it must pass most of its profile (Enough): a scheduler that does nothing right violates every requirement and proves
// nothing about any. What may or may not be violated, as timing has it, a mutant declares apart; that proves nothing either.
//
// In the fast mode a mutant runs the scenarios of the requirements it declares, and is judged on everything these scenarios
// exercise. The full mode runs its profiles as a whole, and only that establishes its share of passes.
package prove
