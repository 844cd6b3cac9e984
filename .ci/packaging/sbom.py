#!/usr/bin/env python3
"""sbom.py BINARY [NAME=VERSION…]: writes the program's bill of materials in CycloneDX 1.5. The libraries' versions are those that BINARY prints
(--version --verbose) and those given as arguments; those of Swift packages are read from Package.resolved. The same binary gives the same bytes."""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

root = pathlib.Path(__file__).resolve().parents[2]
# SPDX licenses and package URLs.
LIBRARIES = {
    "Swift": ("Apache-2.0 WITH Swift-exception", "pkg:github/swiftlang/swift@{}"),
    "libpcap": ("BSD-3-Clause", "pkg:github/the-tcpdump-group/libpcap@libpcap-{}"),
    # This includes libgcc, which comes from the same source.
    "libstdc++": ("GPL-3.0-or-later WITH GCC-exception-3.1", "pkg:generic/gcc@{}"),
    "libyaml": ("MIT", "pkg:github/yaml/libyaml@{}"),
    "OpenSSL": ("Apache-2.0", "pkg:generic/openssl@{}"),
    "SQLite": ("blessing", "pkg:generic/sqlite@{}"),
    "zlib": ("Zlib", "pkg:generic/zlib@{}"),
}


def component(name, version, license, url, kind="library"):
    one = {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}
    one["licenses"] = [{"expression": license}] if " " in license else [{"license": {"id": license}}]
    return one


def main():
    binary = pathlib.Path(sys.argv[1])
    said = subprocess.run([binary, "--version", "--verbose"], check=True, capture_output=True, text=True).stdout
    versions = dict(line.split(None, 1) for line in said.splitlines())
    own = versions.pop("btscribe")
    # The C library belongs to the system, not to the program.
    versions.pop("libc", None)
    versions.update(given.split("=", 1) for given in sys.argv[2:])
    parts = []
    for name, words in sorted(versions.items()):
        # "libpcap version 1.10.3 (with TPACKET_V3)", "OpenSSL 3.0.19 27 Jan 2026", "glibc 2.36".
        version = re.search(r"\d+(\.\d+)+\w*", words)[0]
        license, url = LIBRARIES[name]
        if name == "OpenSSL" and version.startswith("1."):
            license = "OpenSSL"
        parts.append(component(name, version, license, url.format(version)))
    for pin in json.loads((root / "Package.resolved").read_text())["pins"]:
        version = pin["state"]["version"]
        parts.append(
            component(pin["identity"], version, "Apache-2.0 WITH Swift-exception", f"pkg:swift/github.com/apple/{pin['identity']}@{version}"))
    # The tables of assigned numbers were generated from these.
    numbers = (root / "Sources/CAssignedNumbers/assigned-numbers.py").read_text()
    for name, license in (("bluetooth-numbers", "MIT"), ("bumble", "Apache-2.0")):
        version = re.search(name + r"\s+(\d+(?:\.\d+)+)", numbers)[1]
        parts.append(component(name, version, license, f"pkg:pypi/{name}@{version}", "data"))
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    url = f"pkg:generic/btscribe@{own}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url + digest)}",
        "version": 1,
        "metadata": {
            "component": component("btscribe", own, "Apache-2.0", url, "application") | {"hashes": [{"alg": "SHA-256", "content": digest}]}
        },
        "components": parts,
        "dependencies": [{"ref": url, "dependsOn": [one["bom-ref"] for one in parts]}],
    }
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        document["metadata"]["timestamp"] = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    print(json.dumps(document, indent=2))


main()
