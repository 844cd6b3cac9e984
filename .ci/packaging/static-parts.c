/* What the static libraries of `make dist` ask for and shall not get. */
#include <stddef.h>

/* libpcap's modules for D-Bus and RDMA need libraries that have no static form: here there are no such interfaces. */
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

/* glibc has it since 2.32. libstdc++ asks it whether it may do without atomic operations: it may not. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
