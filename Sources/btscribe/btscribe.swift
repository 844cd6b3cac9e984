// btscribe: the command line. Commands read options, open captures, and pass them to the modules below; they decode nothing themselves.
//
//     struct MyCommand: ParsableCommand {
//       @OptionGroup var input: InputOptions                        // captures, keys, filters
//       @OptionGroup var output: OutputOptions                      // -o, --color, --width
//       func run() throws {
//         let options = try input.timeline(nil)               // without profiles
//         try output.write { out in
//           try input.forEachCapture { source, facts in … }   // returns the outcome: number of packets, damage
//         }
//       }
//     }
//
// Read first: `Btscribe` (Main.swift: the list of commands), `InputOptions` (how captures are opened), `SummaryCommand` (a short command).
//
// - Commands: a file for each. Options: options that several commands share, with their help. Terminal: progress, errors, exit statuses, files that
//   change.
// - Doctor: the checks of `btscribe doctor`.
//
// To add a command: a file in Commands, and its line in `Btscribe`. `make man` makes the manual from the help.
