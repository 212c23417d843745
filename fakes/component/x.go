package component

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver/app"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	_ "k8s.io/kubernetes/cmd/kube-scheduler/app"
	_ "go.etcd.io/etcd/server/v3/etcdmain"
	_ "sigs.k8s.io/kwok/pkg/kwok/cmd"
)
