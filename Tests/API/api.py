#!/usr/bin/env python3
"""The public declarations of the libraries, one line each, in the text files beside this script.

api.py [FOLDER]           rewrites the files, from the modules of the last debug build (swift build), or of the build in FOLDER
api.py --check [FOLDER]   prints the differences from the files; the exit status is 1 if there are any
"""

import difflib
import json
import pathlib
import subprocess
import sys
import tempfile

LIBRARIES = ["PacketCodecs", "KaitaiStruct", "Profiles", "Comparison"]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def declarations(library, binaries, target):
    """The declarations that an app can use, sorted, without those that the compiler generates (==, hash)."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift", "symbolgraph-extract", "-module-name", library, "-target", target, "-I", f"{binaries}/Modules",
                   "-output-dir", folder, "-minimum-access-level", "public", "-skip-synthesized-members"]
        for file in [*ROOT.glob("Sources/C*/module.modulemap"), *pathlib.Path(binaries).glob("C*.build/module.modulemap")]:
            command += ["-Xcc", f"-fmodule-map-file={file}"]
        output(*command)
        lines = set()
        for path in pathlib.Path(folder).glob("*.symbols.json"):
            graph = json.loads(path.read_text())
            for symbol in graph["symbols"]:
                text = "".join(part["spelling"] for part in symbol["declarationFragments"])
                lines.add(".".join(symbol["pathComponents"][:-1] + [" ".join(text.split())]) if len(symbol["pathComponents"]) > 1
                          else " ".join(text.split()))
        return sorted(lines)


def main():
    folders = [argument for argument in sys.argv[1:] if argument != "--check"]
    binaries = folders[0] if folders else output("swift", "build", "--show-bin-path").strip()
    target = json.loads(output("swift", "-print-target-info"))["target"]["unversionedTriple"]
    differs = False
    for library in LIBRARIES:
        new = "".join(line + "\n" for line in declarations(library, binaries, target))
        file = HERE / f"{library}.txt"
        if "--check" not in sys.argv:
            file.write_text(new)
            continue
        old = file.read_text() if file.exists() else ""
        for line in difflib.unified_diff(old.splitlines(), new.splitlines(), str(file.relative_to(ROOT)), "now", n=0, lineterm=""):
            differs = True
            print(line)
    if differs:
        print("The public interface changed. If that is meant: python3 Tests/API/api.py, and commit what it writes.")
    return 1 if differs else 0


sys.exit(main())
