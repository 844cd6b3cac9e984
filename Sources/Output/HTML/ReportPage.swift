import CReportPage

/// Style and script of the HTML report: the files of `Sources/CReportPage`, which are embedded in the program.
enum ReportPage {
  static var style: String { unsafe text(report_style) }
  /// The hash by which the page allows its style.
  static var styleHash: String { unsafe String(cString: report_style_hash) }
  static var script: String { unsafe text(report_script) }
  /// The hash by which the page allows its script.
  static var scriptHash: String { unsafe String(cString: report_script_hash) }

  /// The beginning of a page without a script, up to the start of its body.
  static func head(_ title: HTML) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-\(styleHash)'; img-src data:; \
    base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="btscribe">
    <link rel="icon" href="data:,">
    <title>\(title)</title>
    <style>\(HTML(trusted: style))</style>
    </head>
    <body>
    """
  }

  private static func text(_ file: report_file) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: file.start, count: file.count), as: UTF8.self)
  }
}
