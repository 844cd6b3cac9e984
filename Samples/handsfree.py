#!/usr/bin/env python3
"""A headset and a phone (HFP 1.9 over RFCOMM), from the headset's log: the service level connection, an incoming call with a second one
waiting, a call that the headset dials, volume, and Apple's extensions. handsfree.py FILE.btsnoop"""
import sys

import classic

PHONE = bytes.fromhex("00005e005331")
CALLER, OTHER = '"+14155550123",145', '"4155550199",129'
SENT, RECEIVED = 0, 1


def record(server):
    """A phone's Hands-Free Audio Gateway record."""
    uuid = lambda number: ("uuid", number)
    return [
        (2, 0x0000), (4, 0x00010003), (2, 0x0001), [uuid(0x111F), uuid(0x1203)],
        (2, 0x0004), [[uuid(0x0100)], [uuid(0x0003), (1, server)]],
        (2, 0x0009), [[uuid(0x111E), (2, 0x0109)]],
        (2, 0x0100), "Voice gateway", (2, 0x0301), (1, 1), (2, 0x0311), (2, 0x006F),
    ]


def make():
    link = classic.Link(PHONE)
    link.discover(0x111F, record(4))
    session = classic.Session(link, 4)
    ask = lambda line: session.send(SENT, line.encode() + b"\r")
    tell = lambda *lines: session.send(RECEIVED, b"".join(b"\r\n" + line.encode() + b"\r\n" for line in lines))

    def command(line, *answers, how="OK"):
        ask(line)
        for answer in answers:
            tell(answer)
        tell(how)

    # The service level connection (4.2.1).
    command("AT+BRSF=1023", "+BRSF: 4079")
    command("AT+BAC=1,2,3")
    command("AT+CIND=?", '+CIND: ("service",(0,1)),("call",(0,1)),("callsetup",(0-3)),("callheld",(0-2)),("signal",(0-5)),("roam",(0,1)),'
            '("battchg",(0-5))')
    command("AT+CIND?", "+CIND: 1,0,0,0,4,0,3")
    command("AT+CMER=3,0,0,1")
    command("AT+CHLD=?", "+CHLD: (0,1,1x,2,2x,3)")
    command("AT+BIND=1,2")
    command("AT+BIND=?", "+BIND: (1,2)")
    command("AT+BIND?", "+BIND: 1,1", "+BIND: 2,1")
    command("AT+BIEV=2,80")
    command("AT+CLIP=1")
    command("AT+CCWA=1")
    command("AT+CMEE=1")
    command("AT+NREC=0")
    command("AT+COPS=3,0")
    command("AT+COPS?", '+COPS: 0,0,"Example Mobile"')
    # Two lines in one frame.
    ask("AT+CNUM")
    tell('+CNUM: ,"+14155550100",145,,4', "OK")
    command("AT+VGS=9")
    command("AT+VGM=8")
    command("AT+BIA=0,1,1,1,0,0,0")
    command("AT+XAPL=004C-1234-0100,10", "+XAPL=iPhone,7")
    command("AT+IPHONEACCEV=2,1,7,2,0")
    command("AT+VENDOR?", how="ERROR")
    # An incoming call with the phone's in-band ring tone setting.
    tell("+BSIR: 0")
    tell("+CIEV: 3,1")
    tell("RING")
    # A line in two frames.
    session.send(RECEIVED, f'\r\n+CLIP: {CALLER},,,"Ada Example"\r\n'.encode(), size=20)
    tell("RING", f"+CLIP: {CALLER}")
    tell("+VGS=11")
    command("ATA")
    tell("+CIEV: 2,1", "+CIEV: 3,0")
    ask("AT+BCC")
    tell("OK")
    tell("+BCS: 2")
    command("AT+BCS=2")
    command("AT+CLCC", f"+CLCC: 1,1,0,0,0,{CALLER}")
    # A second call waits, and is accepted; the first is held.
    tell(f"+CCWA: {OTHER},1")
    tell("+CIEV: 3,1")
    command("AT+CHLD=2")
    tell("+CIEV: 3,0", "+CIEV: 4,1")
    command("AT+VTS=5")
    command("AT+BTRH?", "+BTRH: 0")
    command("AT+CHLD=21", how="+CME ERROR: 3")
    command("AT+CHUP")
    tell("+CIEV: 4,0", "+CIEV: 2,0")
    # The headset dials; then it redials the last number, and the network is busy.
    command("ATD4155550142;")
    tell("+CIEV: 3,2")
    tell("+CIEV: 3,3")
    tell("+CIEV: 2,1", "+CIEV: 3,0")
    command("AT+CHUP")
    tell("+CIEV: 2,0")
    command("AT+BLDN", how="BUSY")
    command("AT+BINP=1", how="+CME ERROR: 30")
    command("AT+BVRA=1")
    tell("+BVRA: 0")
    command("AT+CCWA=0")
    # Commands outside of the profile, and a malformed line.
    ask("AT+CBC")
    tell("+CBC: 0,75", "OK")
    tell("+CIEV: 7,2")
    tell("NO CARRIER")
    session.end()
    link.lost()
    return link.btsnoop()


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
