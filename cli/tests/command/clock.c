// A clock that is ahead of the real time by the number of seconds in a file. A change of the file takes effect at once.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;

__attribute__((constructor)) static void find_number(void) {
    const char *name = getenv("CLOCK");
    int file = name ? open(name, O_RDONLY) : -1;
    if (file < 0) return;
    void *bytes = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (bytes != MAP_FAILED) ahead = bytes;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, time);
    if (!failed && clock == CLOCK_REALTIME && ahead) time->tv_sec += *ahead;
    return failed;
}
