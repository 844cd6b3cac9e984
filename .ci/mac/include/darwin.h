/* The declarations of Apple's C library that the sources use: names, types, sizes of macOS. Only .ci/mac/typecheck reads it, on systems
   without Apple's SDK. Look a missing function up before you add it here: macOS must have it, with this declaration. */
#ifndef BTSCRIBE_DARWIN_H
#define BTSCRIBE_DARWIN_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long ssize_t;
typedef int32_t dev_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int64_t off_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef int32_t pid_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef unsigned long clock_t;
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

/* errno.h */
extern int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define ELOOP 62
#define EILSEQ 92

/* time.h, sys/time.h */
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *_Null_unspecified tm_zone;
};
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
int clock_gettime(clockid_t __clock_id, struct timespec *_Null_unspecified __tp);
time_t time(time_t *_Null_unspecified);
time_t mktime(struct tm *_Null_unspecified);
time_t timegm(struct tm *_Null_unspecified const);
struct tm *_Null_unspecified gmtime_r(const time_t *_Null_unspecified, struct tm *_Null_unspecified);
struct tm *_Null_unspecified localtime_r(const time_t *_Null_unspecified, struct tm *_Null_unspecified);

/* stdio.h: FILE is opaque. */
typedef struct __sFILE { unsigned char *_Null_unspecified _p; int _r, _w; short _flags, _file; } FILE;
extern FILE *_Null_unspecified __stdinp, *_Null_unspecified __stdoutp, *_Null_unspecified __stderrp;
FILE *_Null_unspecified fopen(const char *_Null_unspecified, const char *_Null_unspecified);
FILE *_Null_unspecified fdopen(int, const char *_Null_unspecified);
FILE *_Null_unspecified tmpfile(void);
int fclose(FILE *_Null_unspecified);
int fileno(FILE *_Null_unspecified);
int fflush(FILE *_Nullable);
int putc(int, FILE *_Null_unspecified);
size_t fwrite(const void *_Null_unspecified, size_t, size_t, FILE *_Null_unspecified);
size_t fread(void *_Null_unspecified, size_t, size_t, FILE *_Null_unspecified);
int remove(const char *_Null_unspecified);
int rename(const char *_Null_unspecified, const char *_Null_unspecified);
void perror(const char *_Null_unspecified);
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define EOF (-1)
#define BUFSIZ 1024

/* stdlib.h */
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define EX_USAGE 64
void *_Null_unspecified malloc(size_t);
void *_Null_unspecified calloc(size_t, size_t);
void *_Null_unspecified realloc(void *_Null_unspecified, size_t);
void free(void *_Null_unspecified);
char *_Null_unspecified getenv(const char *_Null_unspecified);
int setenv(const char *_Null_unspecified, const char *_Null_unspecified, int);
int unsetenv(const char *_Null_unspecified);
int mkstemp(char *_Null_unspecified);
char *_Null_unspecified mkdtemp(char *_Null_unspecified);
char *_Null_unspecified realpath(const char *_Null_unspecified, char *_Null_unspecified);
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
double strtod(const char *_Null_unspecified, char *_Null_unspecified *_Null_unspecified);
int abs(int);
void arc4random_buf(void *_Null_unspecified, size_t);

/* string.h */
void *_Null_unspecified memchr(const void *_Null_unspecified, int, size_t);
int memcmp(const void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memcpy(void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memmem(const void *_Null_unspecified, size_t, const void *_Null_unspecified, size_t);
void *_Null_unspecified memmove(void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memset(void *_Null_unspecified, int, size_t);
int strcmp(const char *_Null_unspecified, const char *_Null_unspecified);
char *_Null_unspecified strdup(const char *_Null_unspecified);
char *_Null_unspecified strerror(int);
size_t strlen(const char *_Null_unspecified);

/* math.h: functions of a number are Swift's (Darwin.swift). */
double floor(double);
double ceil(double);
double round(double);
double sqrt(double);
double pow(double, double);
double log(double);
double log10(double);
double log2(double);
double exp(double);
double fabs(double);

/* unistd.h, fcntl.h */
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define R_OK (1 << 2)
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define _SC_NPROCESSORS_ONLN 58
int access(const char *_Null_unspecified, int);
int chdir(const char *_Null_unspecified);
int close(int);
int dup2(int, int);
uid_t geteuid(void);
uid_t getuid(void);
gid_t getgid(void);
pid_t getpid(void);
int setuid(uid_t);
int ftruncate(int, off_t);
int isatty(int);
off_t lseek(int, off_t, int);
int pipe(int[_Null_unspecified 2]);
ssize_t pread(int, void *_Null_unspecified, size_t, off_t);
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t readlink(const char *_Null_unspecified, char *_Null_unspecified, size_t);
int rmdir(const char *_Null_unspecified);
long sysconf(int);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int unlink(const char *_Null_unspecified);
ssize_t write(int, const void *_Null_unspecified, size_t);
int pause(void);
/* Swift does not import variadic functions: Darwin.swift declares open and fcntl. */
int open(const char *_Null_unspecified, int, ...);
int fcntl(int, int, ...);
int ioctl(int, unsigned long, ...);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };

/* sys/stat.h, sys/statvfs.h, dirent.h */
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  uint32_t st_flags, st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stat(const char *_Null_unspecified, struct stat *_Null_unspecified);
int lstat(const char *_Null_unspecified, struct stat *_Null_unspecified);
int fstat(int, struct stat *_Null_unspecified);
int chmod(const char *_Null_unspecified, mode_t);
int fchmod(int, mode_t);
int mkdir(const char *_Null_unspecified, mode_t);
int mkfifo(const char *_Null_unspecified, mode_t);
typedef struct { int __dd_fd; } DIR;
struct dirent {
  ino_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen, d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
DIR *_Null_unspecified opendir(const char *_Null_unspecified);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified);
int closedir(DIR *_Null_unspecified);

/* signal.h */
typedef uint32_t sigset_t;
typedef int sig_atomic_t;
struct __siginfo;
union __sigaction_u {
  void (*_Null_unspecified __sa_handler)(int);
  void (*_Null_unspecified __sa_sigaction)(int, struct __siginfo *_Null_unspecified, void *_Null_unspecified);
};
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
typedef void (*_Null_unspecified sig_t)(int);
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGXCPU 24
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGUSR1 30
#define SIGUSR2 31
#define SIGXFSZ 25
#define SIGWINCH 28
#define SA_RESTART 0x0002
#define SA_RESETHAND 0x0004
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int kill(pid_t, int);
int raise(int);
int sigaction(int, const struct sigaction *_Null_unspecified, struct sigaction *_Null_unspecified);
int sigaddset(sigset_t *_Null_unspecified, int);
int sigemptyset(sigset_t *_Null_unspecified);
int sigfillset(sigset_t *_Null_unspecified);
int sigprocmask(int, const sigset_t *_Null_unspecified, sigset_t *_Null_unspecified);
sig_t signal(int, sig_t);

/* pthread.h */
struct _opaque_pthread_t { long __sig; char __opaque[8176]; };
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
struct _opaque_pthread_cond_t { long __sig; char __opaque[40]; };
struct _opaque_pthread_condattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_t *pthread_t __attribute__((swift_private));
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t pthread_cond_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
int pthread_create(struct _opaque_pthread_t *_Nullable *_Nonnull, const pthread_attr_t *_Nullable,
                   void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_join(struct _opaque_pthread_t *_Nonnull, void *_Nullable *_Nullable);
int pthread_detach(struct _opaque_pthread_t *_Nonnull);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *_Nullable);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);

/* poll.h, sys/wait.h, spawn.h, crt_externs.h */
struct pollfd { int fd; short events, revents; };
typedef unsigned int nfds_t;
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
int poll(struct pollfd *_Null_unspecified, nfds_t, int);
#define WNOHANG 0x00000001
pid_t waitpid(pid_t, int *_Null_unspecified, int);
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
int posix_spawn(pid_t *_Null_unspecified, const char *_Null_unspecified, const posix_spawn_file_actions_t _Nullable *_Null_unspecified,
                const posix_spawnattr_t _Nullable *_Null_unspecified, char *_Null_unspecified const __argv[_Null_unspecified],
                char *_Null_unspecified const __envp[_Null_unspecified]);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Null_unspecified);
int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Null_unspecified);
int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Null_unspecified, short);
int posix_spawnattr_setpgroup(posix_spawnattr_t _Nullable *_Null_unspecified, pid_t);
int posix_spawnattr_setsigdefault(posix_spawnattr_t _Nullable *_Nonnull, const sigset_t *_Nonnull);
int posix_spawnattr_setsigmask(posix_spawnattr_t _Nullable *_Nonnull, const sigset_t *_Nonnull);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Null_unspecified);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Null_unspecified);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t _Nullable *_Null_unspecified, int, int);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t _Nullable *_Null_unspecified, int, const char *_Nonnull, int, mode_t);
char *_Nullable *_Nullable *_Nonnull _NSGetEnviron(void);

/* pwd.h, locale.h, sys/utsname.h */
struct passwd {
  char *_Null_unspecified pw_name, *_Null_unspecified pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  time_t pw_change;
  char *_Null_unspecified pw_class, *_Null_unspecified pw_gecos, *_Null_unspecified pw_dir, *_Null_unspecified pw_shell;
  time_t pw_expire;
};
struct passwd *_Null_unspecified getpwuid(uid_t);
#define LC_ALL 0
#define LC_CTYPE 2
char *_Null_unspecified setlocale(int, const char *_Null_unspecified);
struct utsname { char sysname[256], nodename[256], release[256], version[256], machine[256]; };
int uname(struct utsname *_Null_unspecified);

/* sys/socket.h, netinet/in.h, netdb.h */
#define AF_UNSPEC 0
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char __ss_pad1[6]; int64_t __ss_align; char __ss_pad2[112]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  socklen_t ai_addrlen;
  char *_Null_unspecified ai_canonname;
  struct sockaddr *_Null_unspecified ai_addr;
  struct addrinfo *_Null_unspecified ai_next;
};
int getaddrinfo(const char *_Null_unspecified, const char *_Null_unspecified, const struct addrinfo *_Null_unspecified,
                struct addrinfo *_Null_unspecified *_Null_unspecified);
void freeaddrinfo(struct addrinfo *_Null_unspecified);
const char *_Null_unspecified gai_strerror(int);
int socket(int, int, int);
int connect(int, const struct sockaddr *_Null_unspecified, socklen_t);

#pragma clang assume_nonnull end
#endif
