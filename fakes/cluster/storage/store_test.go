package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// shelf is a store that keeps what is written in a map, and refuses one key.
func shelf(refused string) (*Store, map[string]string) {
	var mu sync.Mutex
	kept := map[string]string{}
	return &Store{write: func(_ context.Context, key, value string) error {
		mu.Lock()
		defer mu.Unlock()
		if key == refused {
			return errors.New("no room")
		}
		kept[key] = value
		return nil
	}}, kept
}

func nodes(n int) func() (Item, bool, error) {
	i := 0
	return func() (Item, bool, error) {
		if i == n {
			return Item{}, false, nil
		}
		name := fmt.Sprintf("n-%d", i)
		i++
		return Item{Key: "minions/" + name, Object: &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: metav1.ObjectMeta{Name: name}}}, true, nil
	}
}

func TestEverythingIsWrittenAsTheAPIServerWould(t *testing.T) {
	s, kept := shelf("")
	wrote := 0
	if err := s.Write(t.Context(), nodes(500), func() { wrote++ }); err != nil {
		t.Fatal(err)
	}
	if len(kept) != 500 || wrote != 500 {
		t.Fatalf("%d are kept, %d were told of; want 500", len(kept), wrote)
	}
	data := kept["/registry/minions/n-7"]
	if !strings.HasPrefix(data, "k8s\x00") {
		t.Errorf("the value begins with %q", data[:min(len(data), 8)])
	}
	obj, gvk, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(data), nil, nil)
	if err != nil || gvk.Kind != "Node" || obj.(*corev1.Node).Name != "n-7" {
		t.Errorf("read back as %v, %v, %v", obj, gvk, err)
	}
}

func TestTheFirstErrorEndsIt(t *testing.T) {
	s, kept := shelf("/registry/minions/n-40")
	err := s.Write(t.Context(), nodes(100_000), nil)
	if err == nil || !strings.Contains(err.Error(), "minions/n-40") || !strings.Contains(err.Error(), "no room") {
		t.Errorf("error %v", err)
	}
	if len(kept) > 10_000 {
		t.Errorf("%d were written after all", len(kept))
	}
	odd := errors.New("odd")
	if err := s.Write(t.Context(), func() (Item, bool, error) { return Item{}, false, odd }, nil); !errors.Is(err, odd) {
		t.Errorf("an item that cannot be made: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Write(ctx, nodes(5), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("without time: %v", err)
	}
}

func TestAnObjectWithoutItsKindIsRefused(t *testing.T) {
	s, _ := shelf("")
	done := false
	err := s.Write(t.Context(), func() (Item, bool, error) {
		more := !done
		done = true
		return Item{Key: "minions/n", Object: &corev1.Node{}}, more, nil
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "minions/n") {
		t.Errorf("error %v", err)
	}
}

func TestOpenNeedsTheFolder(t *testing.T) {
	if _, err := Open("/does/not/exist", "s"); err == nil || !strings.Contains(err.Error(), "/does/not/exist") {
		t.Errorf("error %v", err)
	}
}
