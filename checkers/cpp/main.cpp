// Checks certificates: sprouts-check FILE...
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

#include "certificate.h"
#include "refusal.h"

namespace {
/// Exit codes, the same for every checker of the repository.
enum { ACCEPTED = 0, UNDECIDED = 1, BAD_INPUT = 2, REFUSED = 4 };

int check(const char* path) {
  auto start = std::chrono::steady_clock::now();
  try {
    Counts counts;
    Header header = check_certificate(path, counts);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%s: accepted: %s %s %s, %llu facts, %llu options, %.3f s\n", path, header.position.c_str(), header.is_misere ? "misere" : "normal",
           header.is_win ? "win" : "loss", static_cast<unsigned long long>(counts.facts), static_cast<unsigned long long>(counts.options), seconds);
    return ACCEPTED;
  } catch (const Refused& why) {
    if (why.line > 0)
      printf("%s: refused: line %ld: %s\n", path, why.line, why.what());
    else
      printf("%s: refused: %s\n", path, why.what());
    return REFUSED;
  } catch (const NoFile& why) {
    fprintf(stderr, "%s: %s\n", path, why.what());
    return BAD_INPUT;
  } catch (const Undecided& why) {
    printf("%s: undecided: %s\n", path, why.what());
  } catch (const std::bad_alloc&) {
    printf("%s: undecided: there is not enough memory\n", path);
  }
  return UNDECIDED;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    fprintf(stderr, "usage: sprouts-check FILE...\n");
    return BAD_INPUT;
  }
  // The longest recursion, of values with plays of 1,000 moves, fits in this.
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY && stack.rlim_cur < (256u << 20)) {
    stack.rlim_cur = std::min<rlim_t>(256u << 20, stack.rlim_max);
    setrlimit(RLIMIT_STACK, &stack);
  }
  int worst = ACCEPTED;
  for (int i = 1; i < argc; i++) {
    // Each file has a process of its own, so that nothing that one file claims is known to the next.
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      int code = check(argv[i]);
      fflush(stdout);
      _exit(code);
    }
    int status = 0;
    bool is_over = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    if (!is_over) printf("%s: undecided: the check broke off\n", argv[i]);
    worst = std::max(worst, is_over ? WEXITSTATUS(status) : int(UNDECIDED));
  }
  return worst;
}
