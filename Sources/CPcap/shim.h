#include <pcap/pcap.h>

#ifdef __linux__
#include <asm/unistd.h>
#include <linux/capability.h>

extern long syscall(long number, ...);

/* Gives up all capabilities of this process; 0 when done. The C library has no function for it. */
static inline int btscribe_drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return (int)syscall(__NR_capset, &header, none);
}

/* HCIGETCONNLIST of include/net/bluetooth/hci_sock.h: the connections of the adapter that `list` begins with; 0 when it is filled. */
static inline int btscribe_connections(int descriptor, void *list) { return (int)syscall(__NR_ioctl, descriptor, 0x800448D4u, list); }

/* The capabilities that a program's file gives (struct vfs_cap_data): the number of bytes, or -1. */
static inline int btscribe_file_capability(const char *path, void *data, unsigned long size) {
  return (int)syscall(__NR_getxattr, path, "security.capability", data, size);
}
#endif
