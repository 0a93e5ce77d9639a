#define _GNU_SOURCE

#include "clean.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/// All writable folders; the rest is read-only. The first one is the home.
static const char *const FOLDERS[] = {"/home/desktop", "/tmp", "/dev/shm", "/dev/mqueue"};
#define FOLDER_COUNT ((int)(sizeof FOLDERS / sizeof *FOLDERS))
#define HOME_MODE 0755
/// Deeper nesting is not removed, so the container is replaced.
#define MAX_DEPTH 200
/// Milliseconds until killed processes must have ended.
#define KILL_TIMEOUT_MS 2000

static struct rlimit limits[RLIM_NLIMITS];
static cpu_set_t processors;
static int niceness;
static int policy;

void clean_remember(void) {
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) getrlimit(limit, &limits[limit]);
  sched_getaffinity(0, sizeof processors, &processors);
  niceness = getpriority(PRIO_PROCESS, 0);
  policy = sched_getscheduler(0);
}

/// The pid of some other process, or 0.
static int other_process(void) {
  DIR *all = opendir("/proc");
  int found = 0;
  for (struct dirent *each; all != NULL && found == 0 && (each = readdir(all)) != NULL;)
    if (isdigit((unsigned char)each->d_name[0]) && atoi(each->d_name) != getpid()) found = atoi(each->d_name);
  if (all != NULL) closedir(all);
  return found;
}

/// kill(-1) reaches every process at once, and a process with a pending SIGKILL cannot fork.
static int kill_all(void) {
  int left = other_process();
  for (int passed = 0; left != 0 && passed < KILL_TIMEOUT_MS; passed++) {
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    left = other_process();
    if (left != 0) usleep(1000);
  }
  return left;
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/// Takes ownership of the file descriptor.
static void empty(int folder, int depth) {
  DIR *all = fdopendir(folder);
  if (all == NULL) {
    close(folder);
    return;
  }
  for (struct dirent *each; (each = readdir(all)) != NULL;) {
    if (is_dot(each->d_name) || unlinkat(folder, each->d_name, 0) == 0) continue;
    struct stat found;
    if (fstatat(folder, each->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(found.st_mode)) continue;
    fchmodat(folder, each->d_name, 0700, 0);
    int below = depth < MAX_DEPTH ? openat(folder, each->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (below >= 0) empty(below, depth + 1);
    unlinkat(folder, each->d_name, AT_REMOVEDIR);
  }
  closedir(all);
}

static bool is_empty(const char *folder) {
  DIR *all = opendir(folder);
  if (all == NULL) return errno == ENOENT;
  bool is_one = true;
  for (struct dirent *each; is_one && (each = readdir(all)) != NULL;) is_one = is_dot(each->d_name);
  closedir(all);
  return is_one;
}

static void remove_memory(int id) { shmctl(id, IPC_RMID, NULL); }
static void remove_semaphores(int id) { semctl(id, 0, IPC_RMID); }
static void remove_messages(int id) { msgctl(id, IPC_RMID, NULL); }

static const struct {
  const char *file;
  void (*remove)(int id);
} SHARED[] = {
  {"/proc/sysvipc/shm", remove_memory}, {"/proc/sysvipc/sem", remove_semaphores}, {"/proc/sysvipc/msg", remove_messages}};
#define SHARED_COUNT ((int)(sizeof SHARED / sizeof *SHARED))

/// True if there were any. After a header, the second number of each line is an id.
static bool had_shared(int kind, bool is_removed) {
  FILE *all = fopen(SHARED[kind].file, "re");
  if (all == NULL) return false;
  char line[512];
  bool had = false;
  for (int number = 0; fgets(line, sizeof line, all) != NULL; number++) {
    int id;
    if (number == 0 || sscanf(line, "%*d %d", &id) != 1) continue;
    had = true;
    if (is_removed) SHARED[kind].remove(id);
  }
  fclose(all);
  return had;
}

/// Processes of the same user can change these values of each other.
static bool are_limits_unchanged(void) {
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) {
    struct rlimit found;
    if (getrlimit(limit, &found) != 0) return false;
    if (found.rlim_cur != limits[limit].rlim_cur || found.rlim_max != limits[limit].rlim_max) return false;
  }
  cpu_set_t found;
  return sched_getaffinity(0, sizeof found, &found) == 0 && CPU_EQUAL(&found, &processors) &&
         getpriority(PRIO_PROCESS, 0) == niceness && sched_getscheduler(0) == policy;
}

void clean(struct text *left) {
  int process = kill_all();
  if (process != 0) text_print(left, "process %d does not end; ", process);
  for (int kind = 0; kind < SHARED_COUNT; kind++)
    if (had_shared(kind, true) && had_shared(kind, false)) text_print(left, "%s is not empty; ", SHARED[kind].file);
  chmod(FOLDERS[0], HOME_MODE);
  for (int index = 0; index < FOLDER_COUNT; index++) {
    int folder = open(FOLDERS[index], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) empty(folder, 0);
    if (!is_empty(FOLDERS[index])) text_print(left, "%s is not empty; ", FOLDERS[index]);
  }
  struct stat home;
  if (stat(FOLDERS[0], &home) != 0 || (home.st_mode & 07777) != HOME_MODE) text_print(left, "%s has another mode; ", FOLDERS[0]);
  if (listxattr(FOLDERS[0], NULL, 0) > 0) text_print(left, "%s has extended attributes; ", FOLDERS[0]);
  if (!are_limits_unchanged()) text_print(left, "limits or priorities of processes were changed; ");
}
