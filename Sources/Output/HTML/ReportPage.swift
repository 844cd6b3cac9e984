import CReportPage

/// Style and script of the HTML report: the files of `Sources/CReportPage`, which are embedded in the program.
enum ReportPage {
  /// The style sheet.
  static var style: String { unsafe text(report_style) }
  /// The hash by which the page allows its style.
  static var styleHash: String { unsafe String(cString: report_style_hash) }
  /// The script.
  static var script: String { unsafe text(report_script) }
  /// The hash by which the page allows its script.
  static var scriptHash: String { unsafe String(cString: report_script_hash) }

  private static func text(_ file: report_file) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: file.start, count: file.count), as: UTF8.self)
  }
}
