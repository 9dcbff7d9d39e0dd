/**
 * The system calls of a confined program, by name.
 *
 * Unlisted calls return ENOSYS, so that the C library falls back to an older call. Calls that a program may reasonably
 * try are refused with an ordinary error. Symbolic links, special files and hard links are refused, so that outputs of
 * a compile are plain files or folders only. `epoll` is unlisted: no program of TeX needs it, and what a set watches takes
 * memory of the kernel that only a control group counts.
 */

const WORDS = /\s+/

/** Files, memory, time, processes and signals: required by TeX, Perl and a shell. */
export const ALLOWED_CALLS: readonly string[] = `
  read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek close close_range sendfile splice tee
  copy_file_range fadvise64 fallocate sync_file_range fsync fdatasync truncate ftruncate flock
  open openat creat stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
  getdents getdents64 getcwd chdir fchdir umask rename renameat mkdir mkdirat rmdir unlink unlinkat
  chmod fchmod fchmodat utime utimes utimensat futimesat
  poll ppoll select pselect6 eventfd2 pipe pipe2 dup dup2 dup3
  munmap mprotect mremap madvise mincore msync brk membarrier
  rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause kill tkill tgkill
  fork vfork execve exit exit_group wait4 waitid restart_syscall set_tid_address set_robust_list get_robust_list
  rseq futex arch_prctl
  getpid getppid gettid getpgid getpgrp setpgid getsid setsid getuid geteuid getgid getegid getresuid getresgid getgroups
  getpriority setpriority sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler
  sched_get_priority_max sched_get_priority_min getcpu
  getrlimit setrlimit prlimit64 getrusage sysinfo uname times
  nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time alarm getitimer setitimer
  timer_create timer_settime timer_gettime timer_delete getrandom
`
  .trim()
  .split(WORDS)

/**
 * Refused with EPERM: links and special files, other owners, other namespaces, other processes, kernel machinery, and
 * writing the caches of all disks of the host, which delays everyone who waits for a disk.
 */
export const FORBIDDEN_CALLS: readonly string[] = `
  symlink symlinkat link linkat mknod mknodat chown fchown lchown fchownat
  setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
  mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
  unshare setns sethostname setdomainname personality
  ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_open pidfd_getfd pidfd_send_signal
  bpf perf_event_open userfaultfd keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register
  memfd_create memfd_secret execveat open_by_handle_at name_to_handle_at
  init_module finit_module delete_module kexec_load kexec_file_load
  sync syncfs quotactl acct swapon swapoff reboot syslog settimeofday clock_settime adjtimex clock_adjtime iopl ioperm
  shmget shmat shmctl msgget msgsnd msgrcv msgctl semget semop semctl mq_open inotify_init1 fanotify_init
`
  .trim()
  .split(WORDS)

/** Refused with EACCES: there is no network, not even between two processes of one compile. */
export const NETWORK_CALLS: readonly string[] = `
  socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg
`
  .trim()
  .split(WORDS)

/** Allowed or refused by their arguments. */
export const FILTERED_CALLS: readonly string[] = ['clone', 'fcntl', 'ioctl', 'mmap', 'prctl', 'renameat2']

/** `fcntl` commands that copy or query a descriptor or set its flags; all others but those for locks return EPERM. */
export const ALLOWED_FCNTLS: readonly number[] = [
  0, // F_DUPFD
  1, // F_GETFD
  2, // F_SETFD
  3, // F_GETFL
  4, // F_SETFL
  5, // F_GETLK
  1030, // F_DUPFD_CLOEXEC
  1032, // F_GETPIPE_SZ
]

/**
 * `fcntl` commands that lock a range of bytes. They return ENOLCK: each range takes memory of the kernel that no limit
 * counts, not even the limit of a control group. `flock` has one lock for each open file at most.
 */
export const LOCKING_FCNTLS: readonly number[] = [
  6, // F_SETLK
  7, // F_SETLKW
  37, // F_OFD_SETLK
  38, // F_OFD_SETLKW
]

/** `ioctl` requests that query a terminal or a descriptor; all others return ENOTTY. */
export const ALLOWED_IOCTLS: readonly number[] = [
  0x5401, // TCGETS
  0x540f, // TIOCGPGRP
  0x5413, // TIOCGWINSZ
  0x541b, // FIONREAD
  0x5421, // FIONBIO
  0x5451, // FIOCLEX
]

/** `prctl` options that name a thread or read and lower its own privileges; all others return EPERM. */
export const ALLOWED_PRCTLS: readonly number[] = [
  1, // PR_SET_PDEATHSIG
  2, // PR_GET_PDEATHSIG
  3, // PR_GET_DUMPABLE
  15, // PR_SET_NAME
  16, // PR_GET_NAME
  38, // PR_SET_NO_NEW_PRIVS
  39, // PR_GET_NO_NEW_PRIVS
]

/**
 * Flags of `mmap` for memory outside page tables, which the watcher cannot count. Huge pages of the pool are always
 * refused, shared mappings unless they map a file, since files are counted.
 */
export const MEMORY_FLAGS = { shared: 0x01, anonymous: 0x20, hugePages: 0x4_0000 } as const

/** RENAME_WHITEOUT, the flag of `renameat2` that leaves a character device under the old name. */
export const WHITEOUT_FLAG = 0x04

/** All flags of `clone` that create a namespace. */
export const NAMESPACE_FLAGS = 0x7e02_0080
