# SPDX-License-Identifier: MIT
"""Kubernetes manifests, read strictly. Debian packages no schemas, but the types of its Python client (python3-kubernetes)
are generated from the published OpenAPI document: names, types and what is required, of each kind."""
import ast
import re
from pathlib import Path

import yaml


class StrictLoader(yaml.SafeLoader):
    """A key that stands twice is a fault."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{key} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def documents(path):
    return [each for each in yaml.load_all(path.read_text(encoding="utf-8"), StrictLoader) if each is not None]


PLAIN = {"str": str, "int": int, "bool": bool, "float": (int, float), "datetime": str}


class Types:
    """The client's types, read from its sources: none of it is imported."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.known = {}

    def exists(self, name):
        return self.path(name).exists()

    def path(self, name):
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
        return self.folder / f"{snake}.py"

    def type_of(self, name):
        """By the manifest's word: the type of each, and whether it is required."""
        if name not in self.known:
            text = self.path(name).read_text(encoding="utf-8")
            types, words = (ast.literal_eval(re.search(rf"{what} = (\{{.*?\}})", text, re.S)[1])
                            for what in ("openapi_types", "attribute_map"))
            required = set(re.findall(r"Invalid value for `(\w+)`, must not be `None`", text))
            self.known[name] = {words[key]: (types[key], key in required) for key in types}
        return self.known[name]

    def faults(self, value, type_name, place, partial=False):
        listed, mapped = re.fullmatch(r"list\[(.+)\]", type_name), re.fullmatch(r"dict\(str, (.+)\)", type_name)
        if listed or mapped:
            if not isinstance(value, list if listed else dict):
                yield f"{place}: {value!r} is no {type_name}"
                return
            for key, each in enumerate(value) if listed else value.items():
                yield from self.faults(each, (listed or mapped)[1], f"{place}[{key}]", partial)
        elif type_name in PLAIN:
            if not isinstance(value, PLAIN[type_name]) or (isinstance(value, bool) and type_name != "bool"):
                yield f"{place}: {value!r} is no {type_name}"
        elif type_name != "object":
            yield from self.faults_of_fields(value, type_name, place, partial)

    def faults_of_fields(self, value, type_name, place, partial):
        if not isinstance(value, dict):
            yield f"{place}: {value!r} is no {type_name}"
            return
        fields = self.type_of(type_name)
        for key, each in value.items():
            if key not in fields:
                yield f"{place}: {type_name} has no {key}"
            else:
                yield from self.faults(each, fields[key][0], f"{place}.{key}", partial)
        for key, (_, required) in fields.items():
            if required and key not in value and not partial:
                yield f"{place}: {type_name} needs {key}"

    def faults_of_document(self, document):
        """Of a manifest; what has no kind is a patch of a DaemonSet."""
        if "kind" not in document:
            yield from self.faults(document, "V1DaemonSet", "patch", partial=True)
            return
        version = {"v1": "V1", "apps/v1": "V1"}.get(document.get("apiVersion"))
        name = f"{version}{document['kind']}"
        if version is None or not self.exists(name):
            yield f"{document.get('apiVersion')} {document['kind']} is not known"
            return
        yield from self.faults(document, name, document["kind"])


def pod_of(document):
    """The pod's part of a Pod, a DaemonSet or a patch."""
    return document["spec"]["template"]["spec"] if "template" in document.get("spec", {}) else document.get("spec", {})


def faults_of_references(document):
    """What a schema does not say: each mount has its volume, each selector its label."""
    pod = pod_of(document)
    volumes = {each["name"] for each in pod.get("volumes", [])}
    for container in pod.get("containers", []) + pod.get("initContainers", []):
        for mount in container.get("volumeMounts", []):
            if mount["name"] not in volumes:
                yield f"{container['name']} mounts {mount['name']}, which is no volume"
    expected = document.get("spec", {}).get("selector", {}).get("matchLabels", {})
    labels = document["spec"]["template"].get("metadata", {}).get("labels", {}) if expected else {}
    yield from (f"the selector's {key} is no label of the pod" for key in expected if labels.get(key) != expected[key])
