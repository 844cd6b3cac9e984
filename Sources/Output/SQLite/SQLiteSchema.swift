/// The tables of a database. Their comments are part of the schema: `.schema` shows them.
enum SQLiteSchema {
  static let tables = """
    CREATE TABLE capture (           -- the file; one row
      id INTEGER PRIMARY KEY,
      file TEXT,                     -- its name
      format TEXT,
      packets INTEGER,               -- packets read
      first_us INTEGER,              -- time of the first packet; all times are microseconds since 1970, UTC
      last_us INTEGER,
      damage TEXT,                   -- where and how it is damaged, or NULL
      cannot_show TEXT               -- what the capture leaves out on purpose, or NULL
    );
    CREATE TABLE packets (           -- one row for each PDU, at the packet that completed it
      id INTEGER PRIMARY KEY,
      frame INTEGER,                 -- number of the packet in the file, from 1
      time_us INTEGER,
      adapter INTEGER,               -- number of the HCI adapter, where the capture has it
      direction TEXT,                -- sent, received; of sniffers: central, peripheral
      layer TEXT,                    -- topmost protocol: att, hci.event, l2cap.signaling ...
      name TEXT,                     -- the PDU, as the Core Specification calls it
      opcode INTEGER,
      connection_id INTEGER REFERENCES connections(id),
      device_id INTEGER REFERENCES devices(id),
      attribute_id INTEGER REFERENCES gatt(id),
      handle INTEGER,                -- of the attribute
      value BLOB,                    -- of the attribute, reassembled where it came in parts
      status TEXT,                   -- of answers: ok, or the error
      request_frame INTEGER,         -- the request that this answers
      response_frame INTEGER,        -- the answer to this
      latency_us INTEGER,            -- between the two
      length INTEGER,                -- bytes the packet had
      bytes BLOB,                    -- bytes the capture kept, without H4's type
      note TEXT,                     -- of notes: the text
      radio_channel INTEGER,         -- of sniffers: the RF channel, 0 to 39, as the Link Layer numbers it
      rssi INTEGER,                  -- signal strength in dBm
      phy TEXT,                      -- LE 1M, LE 2M, LE Coded
      access_address INTEGER,
      crc TEXT                       -- ok, bad; NULL where the sniffer did not check it
    );
    CREATE TABLE messages (          -- one row for each message of a profile
      id INTEGER PRIMARY KEY,
      frame INTEGER,                 -- the packet that completed it
      time_us INTEGER,
      direction TEXT,
      connection_id INTEGER REFERENCES connections(id),
      device_id INTEGER REFERENCES devices(id),
      attribute_id INTEGER REFERENCES gatt(id),
      profile TEXT,
      message TEXT,                  -- its kind; NULL where the profile has none for it
      characteristic TEXT,           -- as the profile names it
      operation TEXT,                -- write, notify, indicate, read, advertise
      frames TEXT,                   -- the packets it was assembled from: a JSON array
      payload BLOB,                  -- its bytes, without headers of fragments
      checksum TEXT,                 -- ok, bad, or NULL where it has none
      complete INTEGER,              -- 1; 0 where parts are missing
      problem TEXT,
      reply_to INTEGER,              -- frame of the request that it answers
      latency_us INTEGER,            -- since that request
      text TEXT                      -- the message in words
    );
    CREATE TABLE fields (            -- the fields of messages
      message_id INTEGER REFERENCES messages(id),
      place INTEGER,                 -- its place in the message, from 0
      path TEXT,                     -- header.length, samples[3].x; values.battery_level where an id names a value
      value,                         -- a number, text, or bytes; 1 and 0 for yes and no; NULL where it is absent
      name TEXT,                     -- of a number that has a name
      unit TEXT,
      start INTEGER,                 -- first of its bytes in the payload; NULL where it was computed
      length INTEGER,
      PRIMARY KEY (message_id, place)
    ) WITHOUT ROWID;
    CREATE TABLE operations (        -- what was done: a scan, a connection, a read with all of its packets
      id INTEGER PRIMARY KEY,
      frame INTEGER,                 -- first packet
      end_frame INTEGER,             -- last packet
      time_us INTEGER,
      end_us INTEGER,
      adapter INTEGER,
      connection_id INTEGER REFERENCES connections(id),
      device_id INTEGER REFERENCES devices(id),
      attribute_id INTEGER REFERENCES gatt(id),
      handle INTEGER,
      operation TEXT,                -- read, write, subscribe, notify, connect, discover, pair ...
      incoming INTEGER,              -- 1 where the peer began it
      status TEXT,                   -- ok, the error, no answer, cancelled; open where the capture ended first
      latency_us INTEGER,            -- from the request to its answer
      count INTEGER,                 -- values, parts, reports
      bytes INTEGER,                 -- of all values
      value BLOB,                    -- the value, its first 64 bytes
      detail TEXT
    );
    CREATE TABLE findings (          -- what is wrong, or worth knowing
      id INTEGER PRIMARY KEY,
      frame INTEGER,
      time_us INTEGER,
      name TEXT,
      severity TEXT,                 -- error, warning, note
      degree TEXT,                   -- how sure it is: certain, likely
      frames TEXT,                   -- the packets that prove it: a JSON array
      repeated INTEGER,              -- number of further findings like it that are not listed; NULL for none
      connection_id INTEGER REFERENCES connections(id),
      attribute_id INTEGER REFERENCES gatt(id),
      text TEXT,
      advice TEXT                    -- what to do about it
    );
    CREATE TABLE adapters (          -- the host's own
      id INTEGER PRIMARY KEY,
      number INTEGER,                -- of hci0, hci1; 0 where the capture has one only, without a number
      address TEXT,
      name TEXT,
      manufacturer TEXT
    );
    CREATE TABLE devices (           -- devices that were connected, or heard
      id INTEGER PRIMARY KEY,
      address TEXT,
      address_type TEXT,             -- public, random static, random private resolvable, BR/EDR ...
      name TEXT,
      identity_id INTEGER REFERENCES devices(id), -- the device behind a private address
      reports INTEGER,               -- advertisements heard; from here on NULL where none was
      first_us INTEGER,
      last_us INTEGER,
      rssi INTEGER,                  -- last signal in dBm
      rssi_median INTEGER,
      connectable INTEGER,
      company INTEGER,               -- of its manufacturer data
      company_name TEXT,
      services TEXT,                 -- UUIDs it advertised
      advertising BLOB               -- its last advertising data
    );
    CREATE TABLE connections (       -- connections with devices
      id INTEGER PRIMARY KEY,
      adapter INTEGER,
      handle INTEGER,
      device_id INTEGER REFERENCES devices(id),
      transport TEXT,                -- LE, BR/EDR, synchronous, isochronous
      role TEXT,                     -- of this host: central, peripheral
      start_frame INTEGER,           -- NULL where the capture begins inside
      start_us INTEGER,
      end_frame INTEGER,             -- NULL where it was still open at the end
      end_us INTEGER,
      end_reason TEXT,
      encrypted_frame INTEGER,       -- from here on encrypted
      mtu INTEGER,                   -- NULL if not known
      interval_us INTEGER,
      peripheral_latency INTEGER,
      packets INTEGER
    );
    CREATE TABLE gatt (              -- attributes of devices, and of this host
      id INTEGER PRIMARY KEY,
      database_id INTEGER,           -- attributes with the same number are served by the same device
      device_id INTEGER REFERENCES devices(id), -- who serves it; NULL for this host, and where the peer is unknown
      adapter INTEGER,               -- this host's adapter, where it serves it
      handle INTEGER,
      kind TEXT,                     -- service, include, declaration, characteristic, descriptor, unknown
      uuid TEXT,
      name TEXT,                     -- as the profile names it, or the assigned name
      service_id INTEGER REFERENCES gatt(id),
      characteristic_id INTEGER REFERENCES gatt(id), -- of a descriptor
      end_handle INTEGER,            -- of a service
      properties INTEGER,            -- of a characteristic
      can TEXT,                      -- the same in words
      source TEXT,                   -- how it is known: discovery, cache, profile, guess
      frame INTEGER                  -- the packet that showed it
    );
    """

  static let indexes = """
    CREATE INDEX packets_frame ON packets(frame);
    CREATE INDEX packets_attribute ON packets(attribute_id) WHERE attribute_id IS NOT NULL;
    CREATE INDEX messages_frame ON messages(frame);
    CREATE INDEX messages_kind ON messages(profile, message);
    CREATE INDEX operations_frame ON operations(frame);
    CREATE INDEX findings_frame ON findings(frame);
    """

  /// Deletes operations and findings whose packets were left out.
  static let narrowing = """
    DELETE FROM operations WHERE frame NOT IN (SELECT frame FROM packets) AND end_frame NOT IN (SELECT frame FROM packets);
    DELETE FROM findings WHERE frame NOT IN (SELECT frame FROM packets);
    """

  static let views = """
    CREATE VIEW timeline AS          -- packets for people
      SELECT packets.frame,
        strftime('%Y-%m-%d %H:%M:%S', packets.time_us / 1000000, 'unixepoch')
          || printf('.%06d', packets.time_us % 1000000) AS time,
        coalesce(devices.name, devices.address) AS device,
        packets.direction, packets.layer, packets.name AS pdu,
        coalesce(gatt.name, gatt.uuid, CASE WHEN packets.handle IS NOT NULL THEN printf('0x%04x', packets.handle) END) AS attribute,
        lower(hex(packets.value)) AS value, packets.status, packets.latency_us / 1000.0 AS latency_ms
      FROM packets LEFT JOIN devices ON devices.id = packets.device_id LEFT JOIN gatt ON gatt.id = packets.attribute_id
      ORDER BY packets.id;
    CREATE VIEW conversation AS      -- messages for people
      SELECT messages.frame,
        strftime('%Y-%m-%d %H:%M:%S', messages.time_us / 1000000, 'unixepoch')
          || printf('.%06d', messages.time_us % 1000000) AS time,
        coalesce(devices.name, devices.address) AS device, messages.direction, messages.characteristic, messages.message, messages.text,
        messages.reply_to, messages.latency_us / 1000.0 AS latency_ms, messages.problem
      FROM messages LEFT JOIN devices ON devices.id = messages.device_id
      ORDER BY messages.id;
    """
}
