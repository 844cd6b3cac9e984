extension SMP {
  static let filterFields: StaticString = """
    # Security Manager
    btsmp protocol =pdu
    btsmp.opcode x8{smp} [0:1]
    btsmp.reason x8{smp-reason} /05[1:1]
    btsmp.io_capability x8{io-capability} /01,02[1:1]
    btsmp.oob_data_flags x8 /01,02[2:1]
    btsmp.authreq x8 /01,02[3:1] /0b[1:1]
    btsmp.bonding_flags x8 .bonding_flags
    btsmp.mitm_flag bool .mitm
    btsmp.sc_flag bool .sc
    btsmp.keypress_flag bool .keypress
    btsmp.max_enc_key_size u8 /01,02[4:1]
    btsmp.initiator_key_distribution x8 /01,02[5:1]
    btsmp.responder_key_distribution x8 /01,02[6:1]
    btsmp.key_dist_enc bool .initiator_key_distribution|responder_key_distribution&01
    btsmp.key_dist_id bool .initiator_key_distribution|responder_key_distribution&02
    btsmp.key_dist_sign bool .initiator_key_distribution|responder_key_distribution&04
    btsmp.key_dist_linkkey bool .initiator_key_distribution|responder_key_distribution&08
    btsmp.cfm_value bytes .confirm_value
    btsmp.random_value bytes .random_value|rand
    btsmp.long_term_key bytes .long_term_key
    btsmp.ediv x16 .ediv
    btsmp.id_resolving_key bytes .identity_resolving_key
    btsmp.signature_key bytes .signature_key
    btsmp.address_type x8 .addr_type
    btsmp.bd_addr ether .bd_addr
    btsmp.public_key_x bytes .public_key_x
    btsmp.public_key_y bytes .public_key_y
    btsmp.dhkey_check bytes .dhkey_check
    btsmp.notification_type x8 /0e[1:1]
    btsmp.reserved_flags x8 /01,02[3:1]&e0 /0b[1:1]&e0
    btsmp.key_dist_reserved x8 .initiator_key_distribution|responder_key_distribution&f0
    """
}
