/*
 * Fails system calls on files below a folder, for tests: a library that LD_PRELOAD loads into Node.js and git.
 *
 * FAULT_CONTROL is a file of eight 64-bit numbers that all processes of a test share. The n-th call of the selected kinds
 * fails with an error number, or kills the process; others pass. FAULT_FOLDER is the folder.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ARMED, FAIL_AT, ERROR, FROM_THEN_ON, COUNT, HITS, KINDS };
enum { CREATE = 1, WRITE = 2, SYNC = 4, NAME = 8, READ = 16, PIPE = 32, OPEN = 64, REMOVE = 128 };
#define MAX_FILES 65536

static volatile int64_t *control;
static const char *folder;
static size_t folder_length;
/* Whether the file of a descriptor lies below the folder. */
static unsigned char watched[MAX_FILES];

__attribute__((constructor)) static void load(void) {
  const char *path = getenv("FAULT_CONTROL");
  folder = getenv("FAULT_FOLDER");
  if (path == NULL || folder == NULL) return;
  folder_length = strlen(folder);
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = real_open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *place = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) control = place;
  close(file);
}

static int is_below(int at, const char *path) {
  char cwd[PATH_MAX];
  if (control == NULL || path == NULL) return 0;
  if (path[0] == '/') return strncmp(path, folder, folder_length) == 0;
  if (at != AT_FDCWD) return at >= 0 && at < MAX_FILES && watched[at];
  return getcwd(cwd, sizeof cwd) != NULL && strncmp(cwd, folder, folder_length) == 0;
}

/* libuv closes files by the system call itself, so a descriptor marked here may by now be a pipe or an event of Node.js. */
static int is_file(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

static int is_watched(int file) {
  return control != NULL && file >= 0 && file < MAX_FILES && watched[file] && is_file(file);
}

/* Whether this call shall fail; errno says how. */
static int fails(int kind) {
  if (control == NULL || !control[ARMED] || !(control[KINDS] & kind)) return 0;
  int64_t number = __sync_fetch_and_add(&control[COUNT], 1);
  if (number < control[FAIL_AT] || (number > control[FAIL_AT] && !control[FROM_THEN_ON])) return 0;
  __sync_fetch_and_add(&control[HITS], 1);
  if (control[ERROR] < 0) kill(getpid(), SIGKILL);
  errno = (int)control[ERROR];
  return 1;
}

#define REAL(name, type, ...)                              \
  static type (*real)(__VA_ARGS__);                        \
  if (real == NULL) real = dlsym(RTLD_NEXT, name)

static int opened(int at, const char *path, int flags, int file) {
  (void)flags;
  if (file >= 0 && file < MAX_FILES) watched[file] = (unsigned char)is_below(at, path);
  return file;
}

static int kind_of_open(int flags) { return flags & O_CREAT ? CREATE : OPEN; }

#define MODE                                     \
  mode_t mode = 0;                               \
  if (flags & (O_CREAT | __O_TMPFILE)) {         \
    va_list rest;                                \
    va_start(rest, flags);                       \
    mode = va_arg(rest, mode_t);                 \
    va_end(rest);                                \
  }

#define DEFINE_OPEN(NAME)                                                        \
  int NAME(const char *path, int flags, ...) {                                   \
    MODE REAL(#NAME, int, const char *, int, ...);                               \
    if (is_below(AT_FDCWD, path) && fails(kind_of_open(flags))) return -1;       \
    return opened(AT_FDCWD, path, flags, real(path, flags, mode));               \
  }
#define DEFINE_OPENAT(NAME)                                                      \
  int NAME(int at, const char *path, int flags, ...) {                           \
    MODE REAL(#NAME, int, int, const char *, int, ...);                          \
    if (is_below(at, path) && fails(kind_of_open(flags))) return -1;             \
    return opened(at, path, flags, real(at, path, flags, mode));                 \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

#define DEFINE_ON_FILE(NAME, KIND, TYPE, PARAMETERS, TYPES, ARGUMENTS) \
  TYPE NAME PARAMETERS {                                              \
    static TYPE(*real) TYPES;                                         \
    if (real == NULL) real = dlsym(RTLD_NEXT, #NAME);                 \
    if (is_watched(file) && fails(KIND)) return -1;                   \
    return real ARGUMENTS;                                            \
  }
DEFINE_ON_FILE(write, WRITE, ssize_t, (int file, const void *bytes, size_t size), (int, const void *, size_t), (file, bytes, size))
DEFINE_ON_FILE(pwrite, WRITE, ssize_t, (int file, const void *bytes, size_t size, off_t at), (int, const void *, size_t, off_t), (file, bytes, size, at))
DEFINE_ON_FILE(pwrite64, WRITE, ssize_t, (int file, const void *bytes, size_t size, off64_t at), (int, const void *, size_t, off64_t), (file, bytes, size, at))
DEFINE_ON_FILE(writev, WRITE, ssize_t, (int file, const struct iovec *parts, int count), (int, const struct iovec *, int), (file, parts, count))
DEFINE_ON_FILE(pwritev, WRITE, ssize_t, (int file, const struct iovec *parts, int count, off_t at), (int, const struct iovec *, int, off_t), (file, parts, count, at))
DEFINE_ON_FILE(pwritev64, WRITE, ssize_t, (int file, const struct iovec *parts, int count, off64_t at), (int, const struct iovec *, int, off64_t), (file, parts, count, at))
DEFINE_ON_FILE(ftruncate, WRITE, int, (int file, off_t size), (int, off_t), (file, size))
DEFINE_ON_FILE(ftruncate64, WRITE, int, (int file, off64_t size), (int, off64_t), (file, size))
DEFINE_ON_FILE(fsync, SYNC, int, (int file), (int), (file))
DEFINE_ON_FILE(fdatasync, SYNC, int, (int file), (int), (file))
DEFINE_ON_FILE(read, READ, ssize_t, (int file, void *bytes, size_t size), (int, void *, size_t), (file, bytes, size))
DEFINE_ON_FILE(pread, READ, ssize_t, (int file, void *bytes, size_t size, off_t at), (int, void *, size_t, off_t), (file, bytes, size, at))
DEFINE_ON_FILE(pread64, READ, ssize_t, (int file, void *bytes, size_t size, off64_t at), (int, void *, size_t, off64_t), (file, bytes, size, at))

int close(int file) {
  REAL("close", int, int);
  if (file >= 0 && file < MAX_FILES) watched[file] = 0;
  return real(file);
}

#define DEFINE_ON_PATH(NAME, KIND, PARAMETERS, TYPES, ARGUMENTS) \
  int NAME PARAMETERS {                                         \
    static int(*real) TYPES;                                    \
    if (real == NULL) real = dlsym(RTLD_NEXT, #NAME);           \
    if (is_below(AT_FDCWD, path) && fails(KIND)) return -1;     \
    return real ARGUMENTS;                                      \
  }
DEFINE_ON_PATH(mkdir, NAME, (const char *path, mode_t mode), (const char *, mode_t), (path, mode))
DEFINE_ON_PATH(rename, NAME, (const char *path, const char *to), (const char *, const char *), (path, to))
DEFINE_ON_PATH(link, NAME, (const char *path, const char *to), (const char *, const char *), (path, to))
DEFINE_ON_PATH(unlink, REMOVE, (const char *path), (const char *), (path))
DEFINE_ON_PATH(rmdir, REMOVE, (const char *path), (const char *), (path))

int socketpair(int domain, int type, int protocol, int files[2]) {
  REAL("socketpair", int, int, int, int, int[2]);
  return fails(PIPE) ? -1 : real(domain, type, protocol, files);
}

int pipe2(int files[2], int flags) {
  REAL("pipe2", int, int[2], int);
  return fails(PIPE) ? -1 : real(files, flags);
}
