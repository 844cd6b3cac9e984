#!/usr/bin/env python3
"""A car and a phone (OBEX over RFCOMM), from the car's log: the phone book (PBAP 1.2), messages (MAP 1.4, single response mode), then a
pushed card (OPP) and a folder with a password (FTP). objects.py FILE.btsnoop"""
import struct
import sys

import classic

PHONE = bytes.fromhex("00005e005332")
SENT, RECEIVED = 0, 1
CONNECT, DISCONNECT, PUT, PUT_FINAL, GET_FINAL, SET_PATH, ABORT = 0x80, 0x81, 0x02, 0x82, 0x83, 0x85, 0xFF
CONTINUE, SUCCESS, UNAUTHORIZED, FORBIDDEN, NOT_FOUND = 0x90, 0xA0, 0xC1, 0xC3, 0xC4
PBAP = bytes.fromhex("796135f0f0c511d809660800200c9a66")
MAP = bytes.fromhex("bb582b40420c11dbb0de0800200c9a66")
FTP = bytes.fromhex("f9ec7bc4953c11d2984e525400dc9e09")

header = lambda kind, value: bytes([kind]) + struct.pack(">H", len(value) + 3) + value
wide = lambda text: text.encode("utf-16-be") + b"\0\0"
name = lambda text: header(0x01, wide(text) if text else b"")
kind = lambda text: header(0x42, text.encode() + b"\0")
target, who = (lambda uuid: header(0x46, uuid)), (lambda uuid: header(0x4A, uuid))
body, end = (lambda data: header(0x48, data)), (lambda data: header(0x49, data))
connection = lambda number: b"\xCB" + struct.pack(">I", number)
length = lambda number: b"\xC3" + struct.pack(">I", number)
SRM, WAIT = b"\x97\x01", b"\x98\x01"


def parameters(*triples):
    return header(0x4C, b"".join(bytes([tag, len(value)]) + value for tag, value in triples))


def packet(code, *parts):
    data = b"".join(parts)
    return bytes([code]) + struct.pack(">H", len(data) + 3) + data


def card(first, last, number):
    return f"BEGIN:VCARD\r\nVERSION:3.0\r\nN:{last};{first};;;\r\nFN:{first} {last}\r\nTEL;TYPE=CELL:{number}\r\nEND:VCARD\r\n".encode()


BOOK = card("Me", "Example", "+14155550100") + b"".join(
    card(first, "Example", f"+1415555{number:04}") for number, first in enumerate(("Ada", "Björn", "Chloé", "Dora"), 120))
MESSAGE = b"\r\n".join([
    b"BEGIN:BMSG", b"VERSION:1.0", b"STATUS:UNREAD", b"TYPE:SMS_GSM", b"FOLDER:telecom/msg/inbox", b"BEGIN:BENV", b"BEGIN:BBODY",
    b"CHARSET:UTF-8", b"LENGTH:52", b"BEGIN:MSG", b"The train is late again, start without me.", b"END:MSG", b"END:BBODY", b"END:BENV",
    b"END:BMSG", b""])


def record(service, server, label):
    uuid = lambda number: ("uuid", number)
    return [
        (2, 0x0000), (4, 0x00010000 + service), (2, 0x0001), [uuid(service)],
        (2, 0x0004), [[uuid(0x0100)], [uuid(0x0003), (1, server)], [uuid(0x0008)]], (2, 0x0100), label,
    ]


def make():
    link = classic.Link(PHONE)
    link.discover(0x112F, record(0x112F, 19, "Phonebook"))
    session = classic.Session(link, 19)
    ask, answer = (lambda *parts: session.send(SENT, packet(*parts))), (lambda *parts: session.send(RECEIVED, packet(*parts)))
    hello = lambda code, *parts: (code, b"\x10\x00" + struct.pack(">H", 1000), *parts)

    # The phone book: the number of entries, all of them in three packets, a list of calls, an entry that does not exist.
    ask(*hello(CONNECT, target(PBAP), parameters((0x10, struct.pack(">I", 0x1F)))))
    answer(*hello(SUCCESS, connection(1), who(PBAP)))
    ask(GET_FINAL, connection(1), name("telecom/pb.vcf"), kind("x-bt/phonebook"), parameters((4, b"\0\0")))
    answer(SUCCESS, parameters((8, struct.pack(">H", 5))))
    ask(GET_FINAL, connection(1), name("telecom/pb.vcf"), kind("x-bt/phonebook"),
        parameters((6, struct.pack(">Q", 0x85)), (7, b"\1"), (4, b"\xff\xff")))
    answer(CONTINUE, body(BOOK[:200]))
    ask(GET_FINAL, connection(1))
    answer(CONTINUE, body(BOOK[200:400]))
    ask(GET_FINAL, connection(1))
    answer(SUCCESS, end(BOOK[400:]))
    ask(SET_PATH, b"\x02\x00", connection(1), name("telecom"))
    answer(SUCCESS)
    ask(GET_FINAL, connection(1), name("ich"), kind("x-bt/vcard-listing"), parameters((1, b"\0"), (4, b"\0\2"), (5, b"\0\0")))
    answer(SUCCESS, end(b'<?xml version="1.0"?><vCard-listing version="1.0"><card handle="1.vcf" name="Example;Ada"/></vCard-listing>'))
    ask(GET_FINAL, connection(1), name("99.vcf"), kind("x-bt/vcard"))
    answer(NOT_FOUND)
    ask(DISCONNECT, connection(1))
    answer(SUCCESS)
    session.end()

    # Messages: the list, one of them in single response mode, and setting its read status.
    link.discover(0x1132, record(0x1132, 20, "SMS"))
    session = classic.Session(link, 20)
    ask(*hello(CONNECT, target(MAP), parameters((0x29, struct.pack(">I", 0x7F)))))
    answer(*hello(SUCCESS, connection(7), who(MAP)))
    for folder in ("telecom", "msg"):
        ask(SET_PATH, b"\x02\x00", connection(7), name(folder))
        answer(SUCCESS)
    ask(GET_FINAL, connection(7), name("inbox"), kind("x-bt/MAP-msg-listing"),
        parameters((1, b"\0\5"), (3, b"\x0c"), (6, b"\1"), (0x10, struct.pack(">I", 0x1F)), (0x13, b"\x20")))
    answer(SUCCESS, parameters((0x0D, b"\1"), (0x19, b"20260203T101500-0800"), (0x12, b"\0\1")),
           end(b'<MAP-msg-listing version="1.0"><msg handle="0400000000000001" sender_name="Ada" type="SMS_GSM"/></MAP-msg-listing>'))
    ask(GET_FINAL, connection(7), SRM, name("0400000000000001"), kind("x-bt/message"), parameters((0x0A, b"\0"), (0x14, b"\1")))
    answer(CONTINUE, SRM, body(MESSAGE[:80]))
    answer(CONTINUE, body(MESSAGE[80:160]))
    answer(SUCCESS, end(MESSAGE[160:]))
    ask(PUT_FINAL, connection(7), name("0400000000000001"), kind("x-bt/messageStatus"), parameters((0x17, b"\0"), (0x18, b"\1")), end(b"0"))
    answer(SUCCESS)
    ask(PUT_FINAL, connection(7), kind("x-bt/MAP-NotificationRegistration"), parameters((0x0E, b"\1")), end(b"0"))
    answer(FORBIDDEN)
    ask(DISCONNECT, connection(7))
    answer(SUCCESS)
    session.end()

    # A card is pushed in two packets; the second push is aborted.
    link.discover(0x1105, record(0x1105, 12, "Object push"))
    session = classic.Session(link, 12)
    mine = card("Car", "Example", "+14155550199")
    ask(*hello(CONNECT))
    answer(*hello(SUCCESS))
    ask(PUT, name("../car.vcf"), kind("text/x-vcard"), length(len(mine)), body(mine[:60]))
    answer(CONTINUE)
    ask(PUT_FINAL, end(mine[60:]))
    answer(SUCCESS)
    ask(PUT, name("photo.jpg"), kind("image/jpeg"), length(9000), body(bytes(range(100))))
    answer(CONTINUE)
    ask(ABORT)
    answer(SUCCESS)
    ask(DISCONNECT)
    answer(SUCCESS)
    session.end()

    # The folder needs a password: a nonce, and the digest of it and the password.
    link.discover(0x1106, record(0x1106, 13, "Files"))
    session = classic.Session(link, 13)
    nonce, digest = bytes(range(0x30, 0x40)), bytes(range(0x80, 0x90))
    ask(*hello(CONNECT, target(FTP)))
    answer(*hello(UNAUTHORIZED, header(0x4D, b"\0\x10" + nonce + b"\1\1\1" + b"\2\6\1Files")))
    ask(*hello(CONNECT, target(FTP), header(0x4E, b"\0\x10" + digest + b"\2\x10" + nonce)))
    answer(*hello(SUCCESS, connection(3), who(FTP)))
    ask(SET_PATH, b"\x03\x00", connection(3))
    answer(SUCCESS)
    ask(GET_FINAL, connection(3), kind("x-obex/folder-listing"))
    answer(SUCCESS, end(b'<folder-listing version="1.0"><file name="notes.txt" size="12"/></folder-listing>'))
    ask(GET_FINAL, connection(3), name("notes.txt"))
    answer(SUCCESS, length(12), b"\x44\x00\x12" + b"20260203T101500", end(b"Buy apples.\n"))
    session.end()
    link.lost()
    return link.btsnoop()


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
