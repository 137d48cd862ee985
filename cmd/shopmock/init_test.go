package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/tidwall/gjson"
)

// manifests returns the documents for a cluster as JSON. TestKubernetesTakesTheManifests holds them against Kubernetes' own schema.
func manifests(t *testing.T) (claim, deployment, service gjson.Result) {
	t.Helper()
	for i, text := range strings.Split(ran(t, "init", "kubernetes"), "\n---\n") {
		decoded, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		*[]*gjson.Result{&claim, &deployment, &service}[i] = gjson.ParseBytes(decoded)
	}
	return claim, deployment, service
}

func TestTheManifestsFitTogether(t *testing.T) {
	t.Parallel()
	claim, deployment, service := manifests(t)
	const pod, shop = "spec.template.", "spec.template.spec.containers.0."
	for name, pair := range map[string][2]gjson.Result{
		"volume claim":  {claim.Get("metadata.name"), deployment.Get(pod + "spec.volumes.0.persistentVolumeClaim.claimName")},
		"mount":         {deployment.Get(shop + "volumeMounts.0.name"), deployment.Get(pod + "spec.volumes.0.name")},
		"deployed pods": {deployment.Get("spec.selector.matchLabels"), deployment.Get(pod + "metadata.labels")},
		"served pods":   {service.Get("spec.selector"), deployment.Get(pod + "metadata.labels")},
		"port":          {service.Get("spec.ports.0.targetPort"), deployment.Get(shop + "ports.0.name")},
		"probed port":   {deployment.Get(shop + "readinessProbe.httpGet.port"), deployment.Get(shop + "ports.0.name")},
	} {
		if !pair[0].Exists() || pair[0].Raw != pair[1].Raw {
			t.Errorf("%s: %s, and %s", name, pair[0].Raw, pair[1].Raw)
		}
	}
	if deployment.Get("spec.replicas").Int() != 1 || deployment.Get("spec.strategy.type").String() != "Recreate" {
		t.Error("two processes may have the volume at once")
	}
}

// The container's command line serves at its port and keeps the shop on its volume, and the probes find it.
func TestTheManifestsContainerServes(t *testing.T) {
	t.Parallel()
	_, deployment, _ := manifests(t)
	shop := deployment.Get("spec.template.spec.containers.0")
	var args []string
	for _, arg := range shop.Get("args").Array() {
		args = append(args, arg.String())
	}
	args[slices.Index(args, shop.Get("volumeMounts.0.mountPath").String())] = t.TempDir()
	args[slices.Index(args, "0.0.0.0:"+shop.Get("ports.0.containerPort").Raw)] = "0.0.0.0:0"
	p := startProgram(t, args[1:]...)
	for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		answer, err := p.client.Get(p.address + shop.Get(probe+".httpGet.path").String())
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", probe, answer.StatusCode)
		}
	}
}
