// Package requirements is the catalogue: what a conforming scheduler must, should and may do, as data.
//
// There is one file an area in data/, and one more that holds the sentences the requirements rest on. A requirement
// names its sentences by key, so a sentence is quoted once and read once. All loads the catalogue and refuses it when
// it breaks its own rules: an unknown field, level, gate or source; an ID that does not belong to its area; a MUST
// that no quoted sentence of an API document or KEP carries; a text of more than one sentence.
//
// The level is about promises, not about importance. A sentence of an API document or KEP makes a MUST; what is
// sensible but promised by nobody is a SHOULD; what a scheduler is free in is a MAY, which is observed and never
// judged. No scheduler's result ever changes a level.
//
// Three fields say where a requirement applies at all: its gates, its release, and its subject. What rests on an alpha
// API, or on what the source happens to do, says which minor release it describes, since the next one may rightly differ;
// and a KEP is quoted as one commit has it. Where one of the three does not fit, the verdict is NotSupported and says so.
//
// Verify checks the catalogue against the registered scenarios: nothing is required that nothing exercises, and no
// scenario speaks about a requirement that does not exist. Markdown writes docs/requirements.md.
package requirements
