package process

import (
	"fmt"
	"syscall"
)

// Reservation holds a loopback port for a component from before it starts until the cluster stops.
//
// Picking a free port and hoping that it still is when the component binds it is a race that several clusters side by
// side do lose. Components cannot be handed a listening socket either. But the kernel lets sockets of one user share a
// port when all of them ask for it (SO_REUSEPORT), and sends connections only to those that listen. So a socket bound
// here, which never listens, keeps everybody else off the port, while the component, told to permit port sharing,
// binds the same one. The reservation outlives restarts of the component.
type Reservation struct {
	// Port number on 127.0.0.1.
	Port int
	file int // descriptor of the bound socket
}

// reuseport is SO_REUSEPORT, which package syscall leaves out on Linux. It is 15 on every architecture that
// Kubernetes is released for.
const reuseport = 0xf

// Reserve takes a free port on 127.0.0.1.
func Reserve() (*Reservation, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("reserving a port: opening a socket: %w", err)
	}
	r := &Reservation{file: fd}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, reuseport, 1); err != nil {
		r.Release()
		return nil, fmt.Errorf("reserving a port: setting SO_REUSEPORT: %w", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		r.Release()
		return nil, fmt.Errorf("reserving a port on 127.0.0.1: %w", err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		r.Release()
		return nil, fmt.Errorf("reserving a port: reading its number: %w", err)
	}
	r.Port = name.(*syscall.SockaddrInet4).Port
	return r, nil
}

// Release gives the port back. Nil and released reservations are left alone.
func (r *Reservation) Release() {
	if r != nil && r.file >= 0 {
		_ = syscall.Close(r.file)
		r.file = -1
	}
}
