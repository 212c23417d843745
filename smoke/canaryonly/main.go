// Command canaryonly is a scheduler that is ready and does nothing: it binds canary pods and no other. A suite that
// passes it would pass anything.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig to use")
	namespace := flag.String("namespace", "muster-canary", "the namespace whose pods are bound")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, *kubeconfig, *namespace); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, kubeconfig, namespace string) error {
	cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	for ctx.Err() == nil {
		if err := watchOnce(ctx, client, namespace); err != nil {
			return err
		}
	}
	return nil
}

// watchOnce binds until its watch ends, which the API server makes happen now and then.
func watchOnce(ctx context.Context, client kubernetes.Interface, namespace string) error {
	w, err := client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("watching pods: %w", err)
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		pod, ok := event.Object.(*corev1.Pod)
		if !ok || pod.Namespace != namespace || pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil || event.Type == "DELETED" {
			continue
		}
		if err := bind(ctx, client, pod); err != nil {
			log.Print(err) // the canary will come again
		}
	}
	return nil
}

func bind(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: labels.SelectorFromSet(pod.Spec.NodeSelector).String()})
	if err != nil {
		return fmt.Errorf("listing the nodes of pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	if len(nodes.Items) == 0 {
		return fmt.Errorf("no node matches the selector of pod %s/%s", pod.Namespace, pod.Name)
	}
	err = client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: nodes.Items[0].Name},
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("binding pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	return nil
}
