#!/usr/bin/env python3
"""Regenerates every sample: plays the scenes, writes them in their formats, then damages some. Needs Bumble (requirements.txt)."""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
if os.environ.get("PYTHONHASHSEED") != "0":                # sets of strings have the same order every time
    sys.exit(subprocess.run([sys.executable, __file__], env={**os.environ, "PYTHONHASHSEED": "0"}).returncode)

import logging

logging.basicConfig(level=logging.ERROR)
import baseband
import bnep
import both_sides
import camera
import cis_air
import enhanced
import handsfree
import heart_rate
import hostile
import ipsp
import isochronous
import keyboard
import le_audio
import make_broken
import mesh
import objects
import register
import sensors
import sniffer
import stage
import typed_object
import vendor

put = lambda name, content: (here / name).write_bytes(content)
afternoon = camera.make()
put("gopro.btsnoop", stage.btsnoop(afternoon))
put("gopro-monitor.btsnoop", stage.monitor(afternoon, "00:00:5E:00:53:11"))
put("two-cameras.btsnoop", stage.btsnoop(camera.make(camera.two_at_once, 815)))
strap = heart_rate.make()
put("heart-rate.btsnoop", stage.btsnoop(strap))
put("heart-rate.pklg", stage.packetlogger(strap))
put("typed-object.pcapng", stage.pcapng(typed_object.make(), "one characteristic for everything"))
module = register.make()
put("register.btsnoop", stage.btsnoop(module, 1001))
put("bnep.btsnoop", bnep.make())
put("ipsp.btsnoop", ipsp.make())
put("baseband.pcap", baseband.make())
put("vendor.btsnoop", vendor.make())
put("mesh.btsnoop", mesh.make())
put("isochronous-air.pcap", cis_air.make())
put("handsfree.btsnoop", handsfree.make())
put("objects.btsnoop", objects.make())
put("enhanced.btsnoop", enhanced.make())
desk, couch = keyboard.make()
put("keyboard.btsnoop", stage.btsnoop(desk))
put("keyboard-le.btsnoop", stage.btsnoop(couch))
put("le-audio.btsnoop", stage.btsnoop(le_audio.make()))
put("hostile-name.btsnoop", stage.btsnoop(hostile.make()))
put("encrypted.pcapng", sniffer.make())
both_sides.write(here)
streams, keys = isochronous.make()
put("isochronous.pcapng", streams)
put("isochronous.keys", keys.encode())
put("sensors.btsnoop", sensors.make())
put("sensors.keys", sensors.KEYS.encode())
make_broken.make(here)
