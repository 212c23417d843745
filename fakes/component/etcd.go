package component

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

// etcd is etcd's own command. It ends the process itself when it stops.
func etcd([]string) int {
	etcdmain.Main(os.Args)
	return 0
}
