import CReportPage

/// What the HTML report is made of: the files of `HTML`, which the program has in it.
enum ReportPage {
  /// The Mustache template.
  static var template: String { unsafe text(report_template) }
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
