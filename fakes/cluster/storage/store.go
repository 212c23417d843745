package storage

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// Prefix of every key of the API server.
const Prefix = "/registry/"

// Store is a connection to an embedded cluster's etcd.
type Store struct {
	client *clientv3.Client
	// write puts one value; tests have another.
	write func(ctx context.Context, key, value string) error
	close func() error
}

// encoder is the API server's own for what it stores.
var encoder = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

// Open connects to the etcd that listens on the socket of this name in a folder. The folder is named by a descriptor, since
// the kernel allows a socket's path about a hundred bytes and the folder may be anywhere.
func Open(dir, socket string) (*Store, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("opening storage: %w", err)
	}
	path := fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), socket)
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{"http://localhost"}, // a name for the dialer, which knows better
		DialOptions: []grpc.DialOption{
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", path)
			}),
		},
	})
	if err != nil {
		_ = d.Close()
		return nil, fmt.Errorf("opening storage: %w", err)
	}
	return &Store{
		client: client,
		write: func(ctx context.Context, key, value string) error {
			_, err := client.Put(ctx, key, value)
			return err
		},
		close: func() error { return errors.Join(client.Close(), d.Close()) },
	}, nil
}

// Close ends the connection.
func (s *Store) Close() error { return s.close() }

// Item is an object with the place it is stored in below Prefix ("minions/n-0").
type Item struct {
	Key string
	// Object has its kind and version set.
	Object runtime.Object
}

// workers encode and write at the same time. etcd puts what arrives together into one batch, so that more of them than
// processors are of use.
const workers = 32

// Write stores every item that next yields, until it yields none: an item at a time, so that each has a revision of its own,
// as objects that come through the API have. next is called by one goroutine at a time. wrote is told after each, never by
// two at a time; it may be nil.
func (s *Store) Write(ctx context.Context, next func() (Item, bool, error), wrote func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var take, tell sync.Mutex
	one := func() (bool, error) {
		take.Lock()
		item, more, err := next()
		take.Unlock()
		if err != nil || !more {
			return false, err
		}
		if err := s.Put(ctx, item); err != nil {
			return false, err
		}
		if wrote != nil {
			tell.Lock()
			wrote()
			tell.Unlock()
		}
		return true, nil
	}
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				more, err := one()
				if err != nil {
					cancel(err)
				}
				if err != nil || !more {
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Put stores one item, in place of what was there.
func (s *Store) Put(ctx context.Context, item Item) error {
	if item.Object.GetObjectKind().GroupVersionKind().Empty() {
		return fmt.Errorf("encoding %s: it does not say which kind it is of", item.Key)
	}
	data, err := runtime.Encode(encoder, item.Object)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", item.Key, err)
	}
	if err := s.write(ctx, Prefix+item.Key, string(data)); err != nil {
		return fmt.Errorf("storing %s: %w", item.Key, err)
	}
	return nil
}
