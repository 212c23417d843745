package control

// ordered implements heap.Interface: what comes before all others is the first.
type ordered[T interface{ Before(T) bool }] []T

func (h ordered[T]) Len() int           { return len(h) }
func (h ordered[T]) Less(i, j int) bool { return h[i].Before(h[j]) }
func (h ordered[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ordered[T]) Push(x any)        { *h = append(*h, x.(T)) }
func (h *ordered[T]) Pop() any {
	var none T
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = none
	*h = old[:len(old)-1]
	return x
}
