#define _GNU_SOURCE

#include "applications.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"

/// Milliseconds. An application that is never idle answers after 200; the rest allows for a busy machine.
#define ANSWER_TIMEOUT_MS 500
/// Milliseconds, for an application that missed its last deadline.
#define LATE_TIMEOUT_MS 5
/// Bytes. Longer answers end the connection.
#define MAX_ANSWER_BYTES ((size_t)8 << 20)

static void disconnect(struct application *application) {
  if (application->socket >= 0) close(application->socket);
  application->socket = -1;
  application->owed = 0;
  text_clear(&application->coming);
}

static void forget(struct applications *applications, int index) {
  struct application *application = &applications->all[index];
  disconnect(application);
  text_free(&application->tree);
  text_free(&application->coming);
  applications->count--;
  memmove(application, application + 1, (size_t)(applications->count - index) * sizeof *application);
}

static bool is_alive(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

/// Never blocks. If the queue of a stopped application is full, the next request tries again.
static int connect_to(const char *folder, pid_t pid) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%d", folder, (int)pid);
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end < 0) return -1;
  if (connect(end, (struct sockaddr *)&address, sizeof address) == 0) return end;
  close(end);
  return -1;
}

static bool is_known(const struct applications *applications, pid_t pid) {
  for (int index = 0; index < applications->count; index++)
    if (applications->all[index].pid == pid) return true;
  return false;
}

/// Removes ended applications with their sockets, and adds new ones.
static void refresh(struct applications *applications) {
  for (int index = applications->count - 1; index >= 0; index--)
    if (!is_alive(applications->all[index].pid)) forget(applications, index);
  DIR *folder = opendir(applications->folder);
  if (folder == NULL) return;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
    if (pid <= 0 || is_known(applications, pid)) continue;
    if (!is_alive(pid)) unlinkat(dirfd(folder), entry->d_name, 0);
    else if (applications->count < MAX_APPLICATIONS)
      applications->all[applications->count++] = (struct application){.pid = pid, .socket = -1};
  }
  closedir(folder);
}

static void ask(struct applications *applications, struct application *application) {
  char request[16];
  int length = snprintf(request, sizeof request, "%u\n", applications->number);
  if (application->socket < 0) application->socket = connect_to(applications->folder, application->pid);
  if (application->socket < 0) return;
  if (send(application->socket, request, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) == length)
    application->owed = applications->number;
  else disconnect(application);
}

/// Completes the answer if the last line is `end NUMBER RESTED`.
static bool take_end(struct application *application) {
  struct text *coming = &application->coming;
  if (coming->length < 2 || coming->bytes[coming->length - 1] != '\n') return false;
  const char *before = memrchr(coming->bytes, '\n', coming->length - 1);
  const char *line = before == NULL ? coming->bytes : before + 1;
  char last[64];
  size_t length = (size_t)(coming->bytes + coming->length - line);
  if (length >= sizeof last) return false;
  memcpy(last, line, length);
  last[length] = '\0';
  unsigned number;
  int rested;
  if (sscanf(last, "end %u %d", &number, &rested) != 2) return false;
  application->answered = number;
  application->is_rested = rested != 0;
  application->owed = 0;
  text_clear(&application->tree);
  text_add(&application->tree, coming->bytes, (size_t)(line - coming->bytes));
  text_clear(coming);
  return true;
}

/// Reads available bytes. An application that answered an earlier request is asked again.
static void receive(struct applications *applications, struct application *application) {
  char bytes[65536];
  for (;;) {
    ssize_t got = recv(application->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (got <= 0 || application->coming.length > MAX_ANSWER_BYTES) {
      disconnect(application);
      return;
    }
    text_add(&application->coming, bytes, (size_t)got);
  }
  if (take_end(application) && application->answered != applications->number) ask(applications, application);
}

/// One round of poll. False once no answer is outstanding.
static bool poll_once(struct applications *applications, int64_t since) {
  struct pollfd waits[MAX_APPLICATIONS];
  struct application *whose[MAX_APPLICATIONS];
  nfds_t count = 0;
  int64_t timeout = 0, waited = milliseconds() - since;
  for (int index = 0; index < applications->count; index++) {
    struct application *application = &applications->all[index];
    if (application->owed == 0) continue;
    int64_t left = (application->is_late ? LATE_TIMEOUT_MS : ANSWER_TIMEOUT_MS) - waited;
    if (left > timeout) timeout = left;
    whose[count] = application;
    waits[count++] = (struct pollfd){.fd = application->socket, .events = POLLIN};
  }
  if (count == 0 || timeout <= 0) return false;
  if (poll(waits, count, (int)timeout) < 0) return errno == EINTR;
  for (nfds_t index = 0; index < count; index++)
    if (waits[index].revents != 0) receive(applications, whose[index]);
  return true;
}

void applications_ask(struct applications *applications) {
  applications->number++;
  refresh(applications);
  int64_t since = milliseconds();
  for (int index = 0; index < applications->count; index++)
    if (applications->all[index].owed == 0) ask(applications, &applications->all[index]);
  while (poll_once(applications, since)) continue;
  for (int index = 0; index < applications->count; index++)
    applications->all[index].is_late = applications->all[index].answered != applications->number;
}
