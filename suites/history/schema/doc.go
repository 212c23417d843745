// Package schema is the JSON schema (draft 2020-12) of a line of a history, for whoever reads histories with other tools
// or writes them: docs/history.schema.json. It is made from the Go types that the reader decodes into, which refuse
// unknown fields as the schema does, so the two cannot drift apart.
//
// A schema looks at one line. What only several lines show (numbers that rise, a patch that follows the object it
// changes, a closing list that agrees) is for muster judge to say.
package schema
