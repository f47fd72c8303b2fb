"""Computes what `kubectl apply -k` sends. Supports only the part of kustomize used by the manifests here.

Fails on anything else. `manifests.py` holds the result against the schemas of Kubernetes.
"""

import pathlib

import yaml

# Lists whose items are merged by a key, as in the API.
MERGED_BY = {"containers": "name", "volumes": "name", "env": "name", "volumeMounts": "mountPath"}


def load(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def merge(target, patch):
    """Merges an object strategically, as Kustomize does."""
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        elif key in MERGED_BY and key in target:
            name = MERGED_BY[key]
            for item in value:
                same = next((old for old in target[key] if old[name] == item[name]), None)
                if same is None:
                    target[key].insert(0, item)
                else:
                    merge(same, item)
        else:
            target[key] = value


def is_target(resource, patch):
    return (resource["kind"], resource["metadata"]["name"]) == (patch["kind"], patch["metadata"]["name"])


def config_map(folder, generator):
    data = {}
    for entry in generator["files"]:
        key, _, path = entry.rpartition("=")
        data[key or pathlib.Path(path).name] = (folder / path).read_text()
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": generator["name"]}, "data": data}


def with_image(resource, image):
    for container in resource.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
        if container["image"] == image["name"]:
            container["image"] = f"{image['newName']}:{image['newTag']}"


def build(folder):
    """Returns the resources of a folder with a kustomization."""
    (kustomization,) = load(folder / "kustomization.yaml")
    resources = []
    for name in kustomization["resources"]:
        path = folder / name
        resources += build(path) if path.is_dir() else load(path)
    for key, value in kustomization.items():
        match key:
            case "apiVersion" | "kind" | "resources":
                pass
            case "labels":
                for entry in value:
                    assert set(entry) == {"pairs"}, entry
                    for resource in resources:
                        resource["metadata"].setdefault("labels", {}).update(entry["pairs"])
            case "configMapGenerator":
                assert kustomization["generatorOptions"] == {"disableNameSuffixHash": True}
                resources += [config_map(folder, generator) for generator in value]
            case "generatorOptions":
                pass
            case "patches":
                for entry in value:
                    (patch,) = load(folder / entry["path"])
                    (target,) = [resource for resource in resources if is_target(resource, patch)]
                    merge(target, patch)
            case "images":
                for image in value:
                    for resource in resources:
                        with_image(resource, image)
            case _:
                raise AssertionError(f"{folder}: {key} is not known here")
    return resources
