#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stddef.h>

/// A file of the HTML report, from this target's folder.
struct report_file {
  const unsigned char *start;
  size_t count;
};

extern const struct report_file report_style, report_script;

/// SHA-256 of style and script in Base64, as a Content-Security-Policy names them.
extern const char *const report_style_hash, *const report_script_hash;

#endif
