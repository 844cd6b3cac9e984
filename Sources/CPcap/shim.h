#include <pcap/pcap.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Gives up all capabilities of this process; 0 when done. There is no libc function for it. */
static inline int btscribe_drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return (int)syscall(SYS_capset, &header, none);
}

/* Datagrams that the kernel dropped on a socket since it was opened, or -1 where it does not tell (SO_MEMINFO, SK_MEMINFO_DROPS). */
static inline long btscribe_socket_drops(int descriptor) {
#ifdef SO_MEMINFO
  unsigned int info[16] = {0};
  socklen_t length = sizeof info;
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, info, &length) == 0 && length >= 9 * sizeof info[0]) return info[8];
#endif
  return -1;
}
#endif
