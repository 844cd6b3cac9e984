extension HCI {
  /// Names of the error codes (Core, Vol 1, Part F): reasons why a command failed or a connection ended.
  static let errorCodeText: StaticString = """
    enum status
      0x00 success
      0x01 unknown hci command
      0x02 unknown connection identifier
      0x03 hardware failure
      0x04 page timeout
      0x05 authentication failure
      0x06 pin or key missing
      0x07 memory capacity exceeded
      0x08 connection timeout
      0x09 connection limit exceeded
      0x0a synchronous connection limit to a device exceeded
      0x0b connection already exists
      0x0c command disallowed
      0x0d connection rejected due to limited resources
      0x0e connection rejected due to security reasons
      0x0f connection rejected due to unacceptable bd_addr
      0x10 connection accept timeout exceeded
      0x11 unsupported feature or parameter value
      0x12 invalid hci command parameters
      0x13 remote user terminated connection
      0x14 remote device terminated connection due to low resources
      0x15 remote device terminated connection due to power off
      0x16 connection terminated by local host
      0x17 repeated attempts
      0x18 pairing not allowed
      0x19 unknown lmp pdu
      0x1a unsupported remote feature
      0x1b sco offset rejected
      0x1c sco interval rejected
      0x1d sco air mode rejected
      0x1e invalid lmp parameters or ll parameters
      0x1f unspecified error
      0x20 unsupported lmp parameter value or ll parameter value
      0x21 role change not allowed
      0x22 lmp response timeout or ll response timeout
      0x23 lmp error transaction collision or ll procedure collision
      0x24 lmp pdu not allowed
      0x25 encryption mode not acceptable
      0x26 link key cannot be changed
      0x27 requested qos not supported
      0x28 instant passed
      0x29 pairing with unit key not supported
      0x2a different transaction collision
      0x2c qos unacceptable parameter
      0x2d qos rejected
      0x2e channel classification not supported
      0x2f insufficient security
      0x30 parameter out of mandatory range
      0x32 role switch pending
      0x34 reserved slot violation
      0x35 role switch failed
      0x36 extended inquiry response too large
      0x37 secure simple pairing not supported by host
      0x38 host busy - pairing
      0x39 connection rejected due to no suitable channel found
      0x3a controller busy
      0x3b unacceptable connection parameters
      0x3c advertising timeout
      0x3d connection terminated due to mic failure
      0x3e connection failed to be established
      0x3f mac connection failed
      0x40 coarse clock adjustment rejected
      0x41 type0 submap not defined
      0x42 unknown advertising identifier
      0x43 limit reached
      0x44 operation cancelled by host
      0x45 packet too long
      0x46 packet too late
      0x47 packet too early
      0x48 insufficient channels
    """
}
