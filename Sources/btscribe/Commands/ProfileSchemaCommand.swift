import ArgumentParser
import Output
import Profiles

extension Profiles {
  /// `btscribe profiles schema`.
  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the JSON Schema of profiles, with which editors complete keys and mark mistakes while you type.",
      discussion: """
        Editors with a YAML language server read the schema that the first line of a file names:

          btscribe profiles schema -o btscribe-profile.schema.json

          # yaml-language-server: $schema=btscribe-profile.schema.json
          profile: my-device

        The schema knows keys, their words and the shapes of their values. Names, types and expressions are checked by "btscribe profiles \
        check".
        """)

    @OptionGroup var results: OutputOptions

    func run() throws { try results.print(ProfileSchema.json) }
  }
}
