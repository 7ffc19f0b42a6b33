package main

import (
	"cmp"
	"math/rand/v2"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// store stands for an informer and its cache. Unlike the real cache, which is a
// Go map, it lists its objects in an order that the oracle chooses. The index
// functions are the controller's own.
//
// The embedded interfaces are nil: a call that is not foreseen here panics, and
// shows as such in the answer.
type store struct {
	cache.SharedIndexInformer
	cache.Indexer
	entries  []entry
	byKey    map[string]any
	indexers cache.Indexers
	handlers []cache.ResourceEventHandler
}

type entry struct {
	key     string
	object  any
	indexed map[string]string
}

func newStore() *store {
	return &store{indexers: cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}}
}

// fill replaces the content of the store, in the order of the names.
func fill[T any](s *store, objects []T) {
	s.entries = s.entries[:0]
	s.byKey = make(map[string]any, len(objects))
	for _, object := range objects {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			panic(err)
		}
		indexed := make(map[string]string, len(s.indexers))
		for name, function := range s.indexers {
			values, err := function(object)
			if err != nil {
				panic(err)
			}
			// Every index in use has at most one value for an object.
			if len(values) > 0 {
				indexed[name] = values[0]
			}
		}
		if _, twice := s.byKey[key]; twice {
			continue
		}
		s.entries = append(s.entries, entry{key, object, indexed})
		s.byKey[key] = object
	}
	slices.SortFunc(s.entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
}

func (s *store) shuffle(random *rand.Rand) {
	random.Shuffle(len(s.entries), func(i, j int) {
		s.entries[i], s.entries[j] = s.entries[j], s.entries[i]
	})
}

// objects lists the content of a store in its present order.
func objects[T any](s *store) []T {
	list := make([]T, 0, len(s.entries))
	for _, entry := range s.entries {
		list = append(list, entry.object.(T))
	}
	return list
}

func (s *store) List() []any { return objects[any](s) }

func (s *store) GetByKey(key string) (any, bool, error) {
	object, exists := s.byKey[key]
	return object, exists, nil
}

func (s *store) Index(name string, object any) ([]any, error) {
	values, err := s.indexers[name](object)
	if err != nil {
		return nil, err
	}
	return s.ByIndex(name, values[0])
}

func (s *store) ByIndex(name, value string) ([]any, error) {
	var list []any
	for _, entry := range s.entries {
		if found, exists := entry.indexed[name]; exists && found == value {
			list = append(list, entry.object)
		}
	}
	return list, nil
}

// LastStoreSyncResourceVersion says that the cache does not know how far it is,
// which the controller takes as in step with the server.
func (s *store) LastStoreSyncResourceVersion() string { return "" }

func (s *store) GetIndexers() cache.Indexers { return s.indexers }

func (s *store) AddIndexers(indexers cache.Indexers) error {
	for name, function := range indexers {
		s.indexers[name] = function
	}
	return nil
}

func (s *store) GetStore() cache.Store     { return s }
func (s *store) GetIndexer() cache.Indexer { return s }
func (s *store) HasSynced() bool           { return true }

func (s *store) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	s.handlers = append(s.handlers, handler)
	return nil, nil
}

// deleted tells the controller that an object is gone.
func (s *store) deleted(object metav1.Object) {
	for _, handler := range s.handlers {
		handler.OnDelete(object)
	}
}

// The informer types of client-go, one for each kind.
type (
	nodeInformer      struct{ *store }
	podInformer       struct{ *store }
	daemonSetInformer struct{ *store }
	revisionInformer  struct{ *store }
)

func (i nodeInformer) Informer() cache.SharedIndexInformer      { return i.store }
func (i podInformer) Informer() cache.SharedIndexInformer       { return i.store }
func (i daemonSetInformer) Informer() cache.SharedIndexInformer { return i.store }
func (i revisionInformer) Informer() cache.SharedIndexInformer  { return i.store }

func (i nodeInformer) Lister() corelisters.NodeLister { return corelisters.NewNodeLister(i.store) }
func (i podInformer) Lister() corelisters.PodLister   { return corelisters.NewPodLister(i.store) }
func (i daemonSetInformer) Lister() appslisters.DaemonSetLister {
	return appslisters.NewDaemonSetLister(i.store)
}
func (i revisionInformer) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(i.store)
}

var (
	_ coreinformers.NodeInformer               = nodeInformer{}
	_ coreinformers.PodInformer                = podInformer{}
	_ appsinformers.DaemonSetInformer          = daemonSetInformer{}
	_ appsinformers.ControllerRevisionInformer = revisionInformer{}
)
