// Package answer is for scenarios that are about what the API server says: tables of requests with what has to come
// back, and the judge of such a table.
//
// A Row is one request on behalf of one requirement. Drive sends the rows in order and records every answer under the
// row's label; Judge reads the labels and nothing else: the code, the reason, the fields that the causes name and the
// object that came back, never a message. A requirement passes when every row of it was answered as wanted, so that
// each refusal stands beside a twin that was accepted: a server that refuses everything passes nothing. A row that
// only prepares the ground is Given: when it is refused, nothing was put to the test.
//
//	rows := []answer.Row{
//		answer.Accept("API-009", "minCount 1", answer.Create(groups, group(1))),
//		answer.Refuse("API-009", "minCount 0", answer.Create(groups, group(0)), "spec.schedulingPolicy.gang.minCount"),
//	}
package answer
