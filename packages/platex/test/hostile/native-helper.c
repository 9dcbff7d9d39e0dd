/*
 * Uses up disk or memory in one way after the other, and reports on standard output how far it came: "reached-N;" for
 * N MiB and "made-N;" for N files. Compiled by native-helper.ts.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MIB (1024L * 1024)
#define STEP (16 * MIB)

static void report(const char *what, long count) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s-%ld;\n", what, count);
    if (write(1, text, length) < 0) _exit(3);
}

/* Long enough for a watcher to look. */
static void linger(void) {
    sleep(2);
    _exit(0);
}

static int nameless(int count) {
    char name[32];
    snprintf(name, sizeof name, "%sn%d", count % 2 ? "/tmp/" : "", count);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    unlink(name);
    return file;
}

static void touch(char *memory) {
    for (long at = 0; at < STEP; at += 4096) memory[at] = 1;
}

/* Files without a name or a descriptor, held by a mapping; `forget` drops even the pages from the page table. */
static void fill_mapped(int forget) {
    for (int count = 1; count < 500; count++) {
        int file = nameless(count);
        if (file < 0 || ftruncate(file, STEP) < 0) return;
        char *memory = mmap(0, STEP, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (memory == MAP_FAILED) return;
        touch(memory);
        if (forget) madvise(memory, STEP, MADV_DONTNEED);
        report("reached", count * STEP / MIB);
    }
}

static void fill_allocated(void) {
    for (int count = 1; count < 200; count++) {
        int file = nameless(count);
        if (file < 0 || posix_fallocate(file, 0, STEP) != 0) return;
        report("reached", count * STEP / MIB);
    }
}

/* Every second page of files that claim to be much larger. */
static void fill_sparse(void) {
    for (long page = 0, count = 0; count < 500; count++) {
        int file = nameless(count);
        if (file < 0) return;
        for (int each = 0; each < STEP / 4096 / 4; each++, page++)
            if (pwrite(file, "x", 1, each * 8192L) != 1) return;
        report("reached", page * 4096 / MIB);
    }
}

static void fill_entries(void) {
    char name[64];
    for (int count = 1; count < 200000; count++) {
        snprintf(name, sizeof name, "%sfile-%d", count % 2 ? "/tmp/" : "", count);
        if (count % 3 == 0 && mkdir(name, 0700) < 0) return;
        if (count % 3 != 0 && mknod(name, S_IFREG | 0600, 0) < 0 && close(creat(name, 0600)) < 0) return;
        if (count % 100 == 0) report("made", count);
    }
}

static void fill_attributes(void) {
    static char value[60000];
    int file = open("attributed", O_CREAT | O_WRONLY, 0600);
    char name[32];
    for (int count = 1; count < 100000; count++) {
        snprintf(name, sizeof name, "user.n%d", count);
        if (fsetxattr(file, name, value, sizeof value, 0) < 0) return;
        report("reached", count * (long)sizeof value / MIB + 1000000);
    }
}

static void fill_memory(void) {
    for (int count = 1; count < 500; count++) {
        char *memory = mmap(0, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return;
        touch(memory);
        report("reached", count * STEP / MIB);
    }
}

/* Memory that stays although no page table has it. */
static void fill_shared(void) {
    for (int count = 1; count < 500; count++) {
        char *memory = mmap(0, STEP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return;
        touch(memory);
        madvise(memory, STEP, MADV_DONTNEED);
        report("reached", count * STEP / MIB);
    }
}

/* Each locked range is an object of the kernel. */
static void fill_locks(void) {
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    int files[200];
    for (int each = 0; each < 200; each++) files[each] = nameless(each);
    for (long count = 0; count < 10000000; count++, range.l_start = count / 200 * 2) {
        int command = count % 2 ? F_SETLK : F_OFD_SETLK;
        if (fcntl(files[count % 200], command, &range) < 0) return;
        if (count % 10000 == 0) report("reached", count * 200 / MIB);
    }
}

/* Each pair of a set and a descriptor that it watches is an object of the kernel. */
static void fill_watches(void) {
    struct epoll_event event = {.events = EPOLLIN};
    int pipes[50][2];
    for (int each = 0; each < 50; each++) pipe(pipes[each]);
    for (int set = 0; set < 100; set++) {
        int watcher = epoll_create1(0);
        if (watcher < 0) return;
        for (int each = 0; each < 50; each++) {
            if (epoll_ctl(watcher, EPOLL_CTL_ADD, pipes[each][0], &event) < 0) return;
            report("reached", set);
        }
    }
}

static int memory_thread(void *unused) {
    (void)unused;
    usleep(100000);
    fill_memory();
    linger();
    return 0;
}

static int files_thread(void *unused) {
    (void)unused;
    fill_allocated();
    linger();
    return 0;
}

static void start_thread(int (*run)(void *), int flags) {
    char *stack = malloc(MIB);
    clone(run, stack + MIB, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | flags, 0);
}

static void grow(int out) {
    for (;;) {
        char *memory = mmap(0, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) break;
        touch(memory);
        if (write(out, "x", 1) != 1) break;
    }
    linger();
}

/* Many processes; the first adds up what the others have. */
static void fill_many(void) {
    int ends[2];
    if (pipe(ends) < 0) return;
    for (int process = 0; process < 24; process++)
        if (fork() == 0) grow(ends[1]);
    char byte;
    for (int count = 1; read(ends[0], &byte, 1) == 1; count++) report("reached", count * STEP / MIB);
}

int main(int count, char **arguments) {
    const char *attack = count > 1 ? arguments[1] : "";
    if (!strcmp(attack, "disk-mapped")) fill_mapped(0);
    if (!strcmp(attack, "disk-mapped-forgotten")) fill_mapped(1);
    if (!strcmp(attack, "disk-allocated")) fill_allocated();
    if (!strcmp(attack, "disk-sparse")) fill_sparse();
    if (!strcmp(attack, "disk-entries")) fill_entries();
    if (!strcmp(attack, "disk-attributes")) fill_attributes();
    if (!strcmp(attack, "disk-own-table")) start_thread(files_thread, 0);
    if (!strcmp(attack, "memory-plain")) fill_memory();
    if (!strcmp(attack, "memory-shared")) fill_shared();
    if (!strcmp(attack, "memory-locks")) fill_locks();
    if (!strcmp(attack, "memory-watches")) fill_watches();
    if (!strcmp(attack, "memory-processes")) fill_many();
    if (!strcmp(attack, "memory-dead-leader")) start_thread(memory_thread, CLONE_FILES);
    if (!strcmp(attack, "memory-files")) {
        fill_allocated();
        fill_memory();
    }
    if (!strcmp(attack, "disk-own-table")) pause();
    if (!strcmp(attack, "memory-dead-leader")) syscall(SYS_exit, 0);
    linger();
}
