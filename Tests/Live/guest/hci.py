"""Virtual controllers and HCI sockets of the Linux kernel, with the standard library alone."""
import ctypes
import os
import socket
import struct
import time

AF_BLUETOOTH, BTPROTO_HCI = 31, 1
RAW, USER, MONITOR, CONTROL = range(4)
NOBODY = 0xFFFF
libc = ctypes.CDLL(None, use_errno=True)


def open_socket(adapter, channel):
    """A bound HCI socket; Python's own bind does not support channels."""
    made = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW, BTPROTO_HCI)
    address = struct.pack("<HHH", AF_BLUETOOTH, adapter, channel)
    if libc.bind(made.fileno(), address, len(address)) != 0:
        number = ctypes.get_errno()
        made.close()
        raise OSError(number, os.strerror(number))
    return made


class Adapter:
    """A virtual controller of the kernel, played by this program, and its host side: bytes written to one side are read at the other, and the
    monitor records them. The kernel itself sends nothing to it; with `is_raw=False` the kernel is its host."""

    def __init__(self, is_raw=True):
        self.controller = os.open("/dev/vhci", os.O_RDWR)
        os.write(self.controller, b"\xff\x80" if is_raw else b"\xff\x00")       # a primary controller
        answer = b""
        while answer[:1] != b"\xff":
            answer = os.read(self.controller, 4096)
        self.index = struct.unpack_from("<H", answer, 2)[0]
        if not is_raw:
            return
        until = time.time() + 10
        while True:
            try:
                self.host = open_socket(self.index, USER)
                break
            except OSError:
                if time.time() > until:
                    raise
                time.sleep(0.05)

    def unplug(self):
        os.close(self.controller)
