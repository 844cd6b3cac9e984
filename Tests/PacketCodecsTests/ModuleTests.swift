import Testing
@testable import PacketCodecs

@Suite struct ModuleTests {}
