package process

import (
	"fmt"
	"net"
	"syscall"
	"testing"
)

// listenShared listens as a component with --permit-port-sharing does.
func listenShared(t *testing.T, port int) (net.Listener, error) {
	t.Helper()
	lc := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var set error
		err := c.Control(func(fd uintptr) {
			set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, reuseport, 1)
		})
		if err != nil {
			return err
		}
		return set
	}}
	return lc.Listen(t.Context(), "tcp4", fmt.Sprintf("127.0.0.1:%d", port))
}

func TestReservedPortIsOurs(t *testing.T) {
	r, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", r.Port)); err == nil {
		_ = l.Close()
		t.Fatalf("a stranger could listen on the reserved port %d", r.Port)
	}

	l, err := listenShared(t, r.Port)
	if err != nil {
		t.Fatalf("the component could not listen on its reserved port: %v", err)
	}
	defer func() { _ = l.Close() }()
	// Every connection reaches the component, none the reservation.
	for range 50 {
		c, err := net.Dial("tcp4", l.Addr().String())
		if err != nil {
			t.Fatalf("connecting to the component: %v", err)
		}
		s, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Close(), s.Close()
	}
}

func TestReservationsDiffer(t *testing.T) {
	seen := map[int]bool{}
	for range 64 {
		r, err := Reserve()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		if seen[r.Port] {
			t.Fatalf("port %d was reserved twice", r.Port)
		}
		seen[r.Port] = true
	}
}

func TestReleaseTwice(t *testing.T) {
	r, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	r.Release()
	r.Release()
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", r.Port))
	if err != nil {
		t.Fatalf("the port is still taken after its release: %v", err)
	}
	_ = l.Close()
	(*Reservation)(nil).Release()
}
