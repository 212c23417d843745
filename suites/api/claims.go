package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-podgroup-claims", "PodGroups name their resource claims well and badly.", suites.Needs{}, claims))
}

const claimsPath = "spec.resourceClaims"

// claiming is a PodGroup with these claims.
func claiming(claims string) answer.Object {
	return pg(`{"schedulingPolicy":{"basic":{}},"resourceClaims":` + claims + `}`)
}

var claims = []answer.Row{
	answer.Show("API-017", "a claim", answer.Create(podGroups, claiming(`[{"name":"c","resourceClaimName":"one"}]`)), "the claim", answer.Has(claimsPath)),
	answer.Show("API-017", "a template", answer.Create(podGroups, claiming(`[{"name":"c","resourceClaimTemplateName":"one"}]`)), "the claim", answer.Has(claimsPath)),
	answer.Refuse("API-017", "neither", answer.Create(podGroups, claiming(`[{"name":"c"}]`)), claimsPath+"[0]"),
	answer.Refuse("API-017", "both", answer.Create(podGroups, claiming(`[{"name":"c","resourceClaimName":"one","resourceClaimTemplateName":"one"}]`)), claimsPath+"[0]"),

	answer.Accept("API-059", "a label", answer.Create(podGroups, claiming(`[{"name":"c-1","resourceClaimName":"one"}]`))),
	answer.Refuse("API-059", "a dot", answer.Create(podGroups, claiming(`[{"name":"c.1","resourceClaimName":"one"}]`)), claimsPath+"[0].name"),
	answer.Refuse("API-059", "empty", answer.Create(podGroups, claiming(`[{"name":"","resourceClaimName":"one"}]`)), claimsPath+"[0].name"),

	answer.Accept("API-060", "four", answer.Create(podGroups, claiming(`[{"name":"a","resourceClaimName":"x"},{"name":"b","resourceClaimName":"x"},{"name":"c","resourceClaimName":"x"},{"name":"d","resourceClaimName":"x"}]`))),
	answer.Refuse("API-060", "five", answer.Create(podGroups, claiming(`[{"name":"a","resourceClaimName":"x"},{"name":"b","resourceClaimName":"x"},{"name":"c","resourceClaimName":"x"},{"name":"d","resourceClaimName":"x"},{"name":"e","resourceClaimName":"x"}]`)), claimsPath),

	answer.Accept("API-061", "two names", answer.Create(podGroups, claiming(`[{"name":"a","resourceClaimName":"x"},{"name":"b","resourceClaimName":"x"}]`))),
	answer.Refuse("API-061", "one name twice", answer.Create(podGroups, claiming(`[{"name":"a","resourceClaimName":"x"},{"name":"a","resourceClaimName":"y"}]`)), claimsPath+"[1]"),

	answer.Given("API-024", "created", group("reporting", `{"schedulingPolicy":{"basic":{}},"resourceClaims":[{"name":"c","resourceClaimName":"one"}]}`)),
	answer.Refuse("API-024", "a name nobody knows", answer.Patch(podGroups, "reporting", `{"status":{"resourceClaimStatuses":[{"name":"d","resourceClaimName":"one"}]}}`, "status"), "status.resourceClaimStatuses[0].name"),
	answer.Show("API-024", "a known name", answer.Patch(podGroups, "reporting", `{"status":{"resourceClaimStatuses":[{"name":"c","resourceClaimName":"one"}]}}`, "status"), "the status", answer.Has("status.resourceClaimStatuses")),

	answer.Given("API-095", "created", group("telling", `{"schedulingPolicy":{"basic":{}},"resourceClaims":[{"name":"c","resourceClaimName":"one"}]}`)),
	answer.Accept("API-095", "once", answer.Patch(podGroups, "telling", `{"status":{"resourceClaimStatuses":[{"name":"c","resourceClaimName":"one"}]}}`, "status")),
	answer.Refuse("API-095", "twice", answer.Patch(podGroups, "telling", `{"status":{"resourceClaimStatuses":[{"name":"c","resourceClaimName":"one"},{"name":"c","resourceClaimName":"two"}]}}`, "status"), "status.resourceClaimStatuses[1]"),
	answer.Refuse("API-095", "a claim of no legal name", answer.Patch(podGroups, "telling", `{"status":{"resourceClaimStatuses":[{"name":"c","resourceClaimName":"A/b"}]}}`, "status"), "status.resourceClaimStatuses[0].resourceClaimName"),
}
