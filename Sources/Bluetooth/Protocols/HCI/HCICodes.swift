extension HCI {
  /// Opcodes of the commands that btscribe tracks: group (OGF) in the upper 6 bits, command (OCF) in the lower 10 (Core, Vol 4, Part E, 5.4.1). The
  /// names of all others are in ``commands``.
  public enum Opcode: UInt16, CaseIterable, Sendable {
    case inquiry = 0x0401, inquiryCancel, createConnection = 0x0405, disconnect, acceptConnectionRequest = 0x0409,
      pinCodeRequestNegativeReply = 0x040E,
      authenticationRequested = 0x0411, setConnectionEncryption = 0x0413, remoteNameRequest = 0x0419, userConfirmationRequestNegativeReply =
      0x042D,
      userPasskeyRequestNegativeReply = 0x042F, remoteOOBDataRequestNegativeReply = 0x0433, ioCapabilityRequestNegativeReply, reset =
      0x0C03, writeLocalName =
      0x0C13, readLocalName,
      readLocalVersionInformation = 0x1001, readBDADDR = 0x1009, readEncryptionKeySize = 0x1408, leSetScanEnable = 0x200C,
      leCreateConnection, leCreateConnectionCancel,
      leConnectionUpdate = 0x2013,
      leEnableEncryption = 0x2019, leLongTermKeyRequestNegativeReply = 0x201B, leRemoteConnectionParameterRequestReply = 0x2020,
      leRemoteConnectionParameterRequestNegativeReply, leSetDataLength, leAddDeviceToResolvingList = 0x2027, leSetPHY = 0x2032,
      leSetExtendedScanEnable = 0x2042, leExtendedCreateConnection, leSetCIGParameters = 0x2062,
      leSetCIGParametersTest, leCreateCIS, leExtendedCreateConnectionV2 = 0x2085

    /// The group of vendor-specific commands.
    public static let vendorGroup: UInt32 = 0x3F

    /// Offset of the peer's address in a command that creates a connection, from the opcode on; nil for other commands. For LE, the address type
    /// comes before it.
    public var peerAddressOffset: Int? {
      switch self {
      case .createConnection: 3
      case .leCreateConnection: 9
      case .leExtendedCreateConnection: 6
      case .leExtendedCreateConnectionV2: 8
      default: nil
      }
    }

    /// Offset of the initiator filter policy in a command that creates a connection on LE.
    public var filterPolicyOffset: Int? {
      switch self {
      case .leCreateConnection: 7
      case .leExtendedCreateConnection: 3
      case .leExtendedCreateConnectionV2: 5
      default: nil
      }
    }

    /// It creates a connection on LE.
    public var createsLEConnection: Bool { self != .createConnection && peerAddressOffset != nil }
  }

  /// The name of a command in the Core Specification, or of a well-known vendor command; or nil.
  public static func commandName(_ opcode: UInt16, company: UInt16 = Vendor.unknownMaker) -> StaticName? {
    commands.name(UInt32(opcode)) ?? Vendor.command(opcode, of: company)?.name
  }

  /// Error codes that btscribe evaluates (Core, Vol 1, Part F, 2); the names of all are in the enumeration `status`.
  public enum ErrorCode: UInt8, CaseIterable, Sendable {
    case success = 0x00, unknownConnectionIdentifier = 0x02, pageTimeout = 0x04, authenticationFailure, pinOrKeyMissing,
      connectionTimeout = 0x08, remoteUserTerminatedConnection = 0x13,
      remoteDeviceTerminatedConnectionDueToLowResources, remoteDeviceTerminatedConnectionDueToPowerOff, connectionTerminatedByLocalHost,
      unsupportedRemoteFeature = 0x1A, unspecifiedError = 0x1F, lmpResponseTimeoutOrLLResponseTimeout = 0x22, instantPassed = 0x28,
      unacceptableConnectionParameters = 0x3B,
      connectionTerminatedDueToMICFailure = 0x3D, connectionFailedToBeEstablished, operationCancelledByHost = 0x44

    /// The other side ended the connection on purpose.
    public var isRemoteTermination: Bool {
      switch self {
      case .remoteUserTerminatedConnection, .remoteDeviceTerminatedConnectionDueToLowResources,
        .remoteDeviceTerminatedConnectionDueToPowerOff:
        true
      default: false
      }
    }

    /// One of the two sides ended the connection on purpose.
    public var isTermination: Bool { isRemoteTermination || self == .connectionTerminatedByLocalHost }
  }

  /// Event codes (Part E, 7.7).
  public enum EventCode: UInt8, CaseIterable, Sendable {
    case inquiryComplete = 0x01, inquiryResult, connectionComplete, connectionRequest, disconnectionComplete, authenticationComplete,
      remoteNameRequestComplete, encryptionChange, changeConnectionLinkKeyComplete, linkKeyTypeChanged, readRemoteSupportedFeaturesComplete,
      readRemoteVersionInformationComplete, qosSetupComplete, commandComplete, commandStatus, hardwareError, flushOccurred, roleChange,
      numberOfCompletedPackets, modeChange, returnLinkKeys, pinCodeRequest, linkKeyRequest, linkKeyNotification, loopbackCommand,
      dataBufferOverflow, maxSlotsChange, readClockOffsetComplete, connectionPacketTypeChanged, qosViolation, pageScanModeChange,
      pageScanRepetitionModeChange, flowSpecificationComplete, inquiryResultWithRSSI, readRemoteExtendedFeaturesComplete
    case synchronousConnectionComplete = 0x2C, synchronousConnectionChanged, sniffSubrating, extendedInquiryResult,
      encryptionKeyRefreshComplete, ioCapabilityRequest, ioCapabilityResponse, userConfirmationRequest, userPasskeyRequest,
      remoteOOBDataRequest, simplePairingComplete
    case linkSupervisionTimeoutChanged = 0x38, enhancedFlushComplete
    case userPasskeyNotification = 0x3B, keypressNotification, remoteHostSupportedFeaturesNotification, leMeta
    case authenticatedPayloadTimeoutExpired = 0x57, encryptionChangeV2 = 0x59, vendorSpecific = 0xFF
  }

  /// Subevents of LE Meta events (7.7.65).
  public enum LESubevent: UInt8, CaseIterable, Sendable {
    case connectionComplete = 0x01, advertisingReport, connectionUpdateComplete, readRemoteFeaturesComplete, longTermKeyRequest,
      remoteConnectionParameterRequest, dataLengthChange, readLocalP256PublicKeyComplete, generateDHKeyComplete, enhancedConnectionComplete,
      directedAdvertisingReport, phyUpdateComplete, extendedAdvertisingReport, periodicAdvertisingSyncEstablished,
      periodicAdvertisingReport, periodicAdvertisingSyncLost, scanTimeout, advertisingSetTerminated, scanRequestReceived,
      channelSelectionAlgorithm, connectionlessIQReport, connectionIQReport, cteRequestFailed, periodicAdvertisingSyncTransferReceived,
      cisEstablished, cisRequest, createBIGComplete, terminateBIGComplete, bigSyncEstablished, bigSyncLost, requestPeerSCAComplete,
      pathLossThreshold, transmitPowerReporting, bigInfoAdvertisingReport, subrateChange, periodicAdvertisingSyncEstablishedV2,
      periodicAdvertisingReportV2, periodicAdvertisingSyncTransferReceivedV2, periodicAdvertisingSubeventDataRequest,
      periodicAdvertisingResponseReport, enhancedConnectionCompleteV2, cisEstablishedV2, readAllRemoteFeaturesComplete,
      csReadRemoteSupportedCapabilitiesComplete, csReadRemoteFAETableComplete, csSecurityEnableComplete, csConfigComplete,
      csProcedureEnableComplete, csSubeventResult, csSubeventResultContinue, csTestEndComplete, monitoredAdvertisersReport,
      frameSpaceUpdateComplete, utpReceive, connectionRateChange
  }
}
