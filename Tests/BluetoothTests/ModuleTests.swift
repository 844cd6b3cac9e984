import Testing
@testable import Bluetooth

@Suite struct ModuleTests {}
