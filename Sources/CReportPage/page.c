// The files of the HTML report, taken in as they are.

#include "report_page.h"

#include "hashes.h"
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style_text[] = {
#embed "report.css"
};
static const unsigned char script_text[] = {
#embed "report.js"
};

const struct report_file report_style = {style_text, sizeof style_text};
const struct report_file report_script = {script_text, sizeof script_text};
const char *const report_style_hash = REPORT_STYLE_HASH;
const char *const report_script_hash = REPORT_SCRIPT_HASH;
