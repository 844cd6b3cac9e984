"""Captures as a program without keys can read them."""
import json
import os
import subprocess


def opened(program, capture, folder):
    """The path of a capture that says the same to btscribe and to tshark: where btscribe opens encrypted packets by what stands in the capture or
    in its name, that of a decrypted copy in `folder`, otherwise `capture`."""
    done = subprocess.run([program, "timeline", "-V", "--ll", "--format", "ndjson", capture], capture_output=True)
    if not any(json.loads(line).get("decrypted") for line in done.stdout.splitlines()):
        return capture
    copy = os.path.join(folder, "opened.pcap")
    subprocess.run([program, "convert", "-q", "--decrypt", capture, copy], check=True)
    return copy
