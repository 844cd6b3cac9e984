#define _GNU_SOURCE
#include "memory_fault.h"
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __GLIBC__

static void (*before_end)(void);

/// The write function of the stream that stands in for `stderr`. The Swift and C++ runtimes report a failed allocation there, and print a stack trace
/// behind it: at their report the program ends. Everything else goes on to standard error.
static ssize_t write_error(void *cookie, const char *text, size_t count) {
  (void)cookie;
  if (memmem(text, count, "failed to allocate", 18) != NULL || memmem(text, count, "bad_alloc", 9) != NULL) {
    static const char said[] = "btscribe: the system gives no more memory\n";
    before_end();
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
    (void)written;
    _exit(71);
  }
  return write(STDERR_FILENO, text, count);
}

void tell_memory_fault(void (*before)(void)) {
  FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_error});
  if (file == NULL) return;
  before_end = before;
  setvbuf(file, NULL, _IONBF, 0);
  stderr = file;
}

#else

void tell_memory_fault(void (*before)(void)) { (void)before; }

#endif
