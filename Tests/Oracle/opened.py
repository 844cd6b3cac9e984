"""Captures that a program without keys can decode."""
import json
import os
import subprocess


def opened(program, capture, folder):
    """The path of a capture that btscribe and tshark decode alike: if btscribe decrypts packets with keys in the capture or
    in its name, a decrypted copy in `folder`, otherwise `capture`."""
    done = subprocess.run([program, "timeline", "-V", "--ll", "--format", "ndjson", capture], capture_output=True)
    if not any(json.loads(line).get("decrypted") for line in done.stdout.splitlines()):
        return capture
    copy = os.path.join(folder, "opened.pcap")
    subprocess.run([program, "convert", "-q", "--decrypt", capture, copy], check=True)
    return copy
