/* Replacements for functions and data that the static libraries of `make dist` would take from elsewhere. */
#include <stddef.h>

/* libpcap's modules for D-Bus and RDMA need libraries that have no static form: these functions report that there are no such interfaces. */
void *dbus_create(const char *device, char *message, int *is_ours) {
  (void)device, (void)message;
  *is_ours = 0;
  return NULL;
}

int dbus_findalldevs(void *list, char *message) {
  (void)list, (void)message;
  return 0;
}

void *rdmasniff_create(const char *device, char *message, int *is_ours) { return dbus_create(device, message, is_ours); }

int rdmasniff_findalldevs(void *list, char *message) { return dbus_findalldevs(list, message); }

/* glibc has it since 2.32. libstdc++ reads it to decide whether it can do without atomic operations: 0 means that it cannot. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
