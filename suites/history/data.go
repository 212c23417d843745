package history
type viewData struct{}
