extension RFCOMM {
  static let filterFields: StaticString = """
    btrfcomm protocol =pdu
    btrfcomm.dlci x8 [0:1]&fc
    btrfcomm.channel u8 [0:1]&f8
    btrfcomm.cr x8 [0:1]&02
    btrfcomm.frame_type x8 [1:1]&=ef
    btrfcomm.pf x8 [1:1]&10
    btrfcomm.fcs x8 =
    btspp protocol =
    btspp.data bytes =
    btdun protocol =
    btdun.atcmd string =
    btgnss protocol =
    btgnss.data string =
    btrfcomm.address none [0:1]
    btrfcomm.ea x8 [0:1]&1
    btrfcomm.direction x8 [0:1]&4
    btrfcomm.control none [1:1]
    btrfcomm.len u16 ?01@2=01[2:1]&fe ?01@2=00[2:2]&fffe
    btrfcomm.credits u8 ?fc!00?ff@1=ff?01@2=01[3:1] ?fc!00?ff@1=ff?01@2=00[4:1]
    btrfcomm.mcc none ?fc=00?ef@1=ef[3:1]
    btrfcomm.mcc.types none ?fc=00?ef@1=ef[3:1]
    btrfcomm.mcc.cmd x8 ?fc=00?ef@1=ef[3:1]&fc
    btrfcomm.mcc.cr x8 ?fc=00?ef@1=ef[3:1]&2
    btrfcomm.mcc.ea x8 ?fc=00?ef@1=ef[3:1]&1 ?fc=00?ef@1=ef?fc@3=e0[5:1]&1 ?fc=00?ef@1=ef?fc@3=90[5:1]&1
    btrfcomm.mcc.len u16 ?fc=00?ef@1=ef[4:1]&fe
    btrfcomm.mcc.pn_parameters none ?fc=00?ef@1=ef?fc@3=80[5:1]
    btrfcomm.mcc.msc_parameters none ?fc=00?ef@1=ef?fc@3=e0[5:1]
    btrfcomm.mcc.dlci x8 ?fc=00?ef@1=ef?fc@3=e0[5:1]&fc ?fc=00?ef@1=ef?fc@3=90[5:1]&fc ?fc=00?ef@1=ef?fc@3=80[5:1]&3f
    btrfcomm.mcc.channel u8 ?fc=00?ef@1=ef?fc@3=e0[5:1]&f8 ?fc=00?ef@1=ef?fc@3=90[5:1]&f8 ?fc=00?ef@1=ef?fc@3=80[5:1]&3e
    btrfcomm.mcc.direction x8 ?fc=00?ef@1=ef?fc@3=e0[5:1]&4 ?fc=00?ef@1=ef?fc@3=90[5:1]&4 ?fc=00?ef@1=ef?fc@3=80[5:1]&1
    btrfcomm.mcc.padding x8 ?fc=00?ef@1=ef?fc@3=e0[5:1]&2 ?fc=00?ef@1=ef?fc@3=90[5:1]&2 ?fc=00?ef@1=ef?fc@3=80[5:1]&c0
    btrfcomm.pn.i x8 ?fc=00?ef@1=ef?fc@3=80[6:1]&f
    btrfcomm.pn.cl x8 ?fc=00?ef@1=ef?fc@3=80[6:1]&f0
    btrfcomm.priority u8 ?fc=00?ef@1=ef?fc@3=80[7:1]&3f
    btrfcomm.acknowledgement_timer_t1 u8 ?fc=00?ef@1=ef?fc@3=80[8:1]
    btrfcomm.max_frame_size u16 ?fc=00?ef@1=ef?fc@3=80[9:2]
    btrfcomm.max_retrans u8 ?fc=00?ef@1=ef?fc@3=80[11:1]
    btrfcomm.error_recovery_mode u8 ?fc=00?ef@1=ef?fc@3=80[12:1]&7
    btrfcomm.msc.fc x8 ?fc=00?ef@1=ef?fc@3=e0[6:1]&2
    btrfcomm.msc.rtc x8 ?fc=00?ef@1=ef?fc@3=e0[6:1]&4
    btrfcomm.msc.rtr x8 ?fc=00?ef@1=ef?fc@3=e0[6:1]&8
    btrfcomm.msc.ic x8 ?fc=00?ef@1=ef?fc@3=e0[6:1]&40
    btrfcomm.msc.dv x8 ?fc=00?ef@1=ef?fc@3=e0[6:1]&80
    btrfcomm.msc.bl u8 ?fc=00?ef@1=ef?fc@3=e0?fe@4=06[7:1]&f0
    btrfcomm.msc.break_bits u8 ?fc=00?ef@1=ef?fc@3=e0?fe@4=06[7:1]&e0
    """
}
