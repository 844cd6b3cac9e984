# The container of a phone's log, as Kaitai Struct describes binary files.
meta:
  id: btsnoop
  title: Bluetooth snoop log
  endian: be
seq:
  - id: magic
    contents: ["btsnoop", 0]
  - id: version
    type: u4
    valid: 1
  - id: datalink
    type: u4
    enum: datalink
  - id: records
    type: record
    repeat: eos
instances:
  first_time:
    value: records[0].unix_microseconds
types:
  record:
    seq:
      - id: original_length
        type: u4
      - id: included_length
        type: u4
      - id: flags
        type: u4
      - id: drops
        type: u4
      - id: time
        type: s8
      - id: packet
        size: included_length
    instances:
      is_received:
        value: (flags & 1) != 0
      unix_microseconds:
        value: time - 0x00dcddb30f2f8000
enums:
  datalink:
    1001: h1
    1002: h4
    2001: monitor
