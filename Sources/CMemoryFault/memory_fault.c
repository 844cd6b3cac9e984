#define _GNU_SOURCE
#include "memory_fault.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

void return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 128 << 10); }

static void (*before_end)(void);

/// Says that there is no memory, and ends.
static void end(void) {
  static const char said[] = "btscribe: the system gives no more memory\n";
  before_end();
  ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
  (void)written;
  _exit(71);
}

/// The write function of the stream that stands in for `stderr`. The Swift and C++ runtimes report a failed allocation there, and print a stack trace
/// behind it: at their report the program ends. Everything else goes on to standard error.
static ssize_t write_error(void *cookie, const char *text, size_t count) {
  (void)cookie;
  if (memmem(text, count, "failed to allocate", 18) != NULL || memmem(text, count, "bad_alloc", 9) != NULL) {
    end();
  }
  return write(STDERR_FILENO, text, count);
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

/// As much as the allocator asks the system for at once, and more.
enum { ALLOCATOR_STEP = 256 << 10 };

/// Where not even the report of a failed allocation finds memory, the Swift runtime prints a text that it does not have, which is a fault of its own. The
/// handler asks for memory: where there is some, the fault is another, and ends the program as it would without a handler.
static void fault(int number) {
  void *room = mmap(NULL, ALLOCATOR_STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) end();
  munmap(room, ALLOCATOR_STEP);
  signal(number, SIG_DFL);
}

void tell_memory_fault(void (*before)(void)) {
  FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_error});
  if (file == NULL) return;
  before_end = before;
  setvbuf(file, NULL, _IONBF, 0);
  stderr = file;
  if (HAS_SANITIZER) return;
  struct sigaction action = {.sa_handler = fault};
  sigaction(SIGSEGV, &action, NULL);
}

#else

void return_freed_memory(void) {}

void tell_memory_fault(void (*before)(void)) { (void)before; }

#endif
