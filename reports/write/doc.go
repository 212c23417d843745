// Package write turns a report into the forms people and machines read: YAML (the report itself), JSON, JUnit XML (one
// test case a requirement, for CI systems), Markdown (for a pull request or a vendor's page) and a plain table for the
// terminal.
//
// Every writer takes the report and nothing else, so that a stored report.yaml gives the same JUnit file years later.
package write
