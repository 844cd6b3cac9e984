import Testing
@testable import Conversations

@Suite struct ModuleTests {}
