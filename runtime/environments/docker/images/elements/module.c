// The elements of the application that loads this (GTK_MODULES), told to whoever asks on a unix socket named after the process.
//
// A request is a number and a line feed. The answer is what tree.h says, and a last line `end NUMBER RESTED WHOLE`. It is written
// once the application has nothing left to do: every event handled, everything drawn, X in step, no timer about to come. So an
// answer says that what was done to the application before the request has had its effect. Whatever never comes to rest is answered
// after a while all the same, with RESTED 0.
//
// Nothing here ever waits: an asker that does not read is dropped, and the application goes on as if nobody had asked.

#define _GNU_SOURCE

#include <errno.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "frames.h"
#include "toolkit.h"
#include "tooltips.h"
#include "tree.h"

/// Microseconds. What has not come to rest by then is answered as it is; and sooner where it did not the last time either.
#define PATIENCE 200000
#define LITTLE_PATIENCE 40000
/// Microseconds. An asker that has not read its answer by then is dropped.
#define READ_WITHIN 2000000
#define MOST_ASKERS 4
#define MOST_DIGITS 10

struct asker {
  int socket;
  guint reading;
  guint writing;
  char request[MOST_DIGITS + 1];
  size_t received;
  bool is_waiting;
  bool is_in_step;
  guint32 number;
  gint64 since;
  struct text answer;
};

static struct toolkit toolkit;
static struct asker askers[MOST_ASKERS];
static GPollFunc poll_before;
static GSource *at_rest;
/// Whether at_rest is to be run, and whether that is because of rest.
static bool is_due;
static bool is_rested = true;

static void drop(struct asker *asker) {
  if (asker->reading != 0) g_source_remove(asker->reading);
  if (asker->writing != 0) g_source_remove(asker->writing);
  close(asker->socket);
  text_free(&asker->answer);
  *asker = (struct asker){.socket = -1};
}

/// Writes as much as the asker takes now. False where it is gone.
static bool write_some(struct asker *asker) {
  while (asker->answer.length > 0) {
    ssize_t written = send(asker->socket, asker->answer.bytes, asker->answer.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    text_drop(&asker->answer, (size_t)written);
  }
  return true;
}

static gboolean on_writable(gint socket, GIOCondition condition, gpointer data) {
  (void)socket;
  (void)condition;
  struct asker *asker = data;
  if (!write_some(asker)) {
    asker->writing = 0;
    drop(asker);
    return G_SOURCE_REMOVE;
  }
  if (asker->answer.length > 0) return G_SOURCE_CONTINUE;
  asker->writing = 0;
  return G_SOURCE_REMOVE;
}

static void answer(struct asker *asker) {
  asker->is_waiting = false;
  asker->since = g_get_monotonic_time();
  bool is_whole = tree_write(&asker->answer, &toolkit);
  text_print(&asker->answer, "end %u %d %d\n", asker->number, is_rested, is_whole);
  if (!write_some(asker)) drop(asker);
  else if (asker->answer.length > 0) asker->writing = g_unix_fd_add(asker->socket, G_IO_OUT, on_writable, asker);
}

static bool is_line(const struct asker *asker) {
  return asker->received > 0 && asker->request[asker->received - 1] == '\n';
}

/// Takes what came. A request before the last one is answered, or one that is no number, is no way to ask: false.
static bool take(struct asker *asker) {
  ssize_t got = recv(asker->socket, asker->request + asker->received, sizeof asker->request - asker->received, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0 || asker->is_waiting || asker->answer.length > 0) return false;
  asker->received += (size_t)got;
  if (!is_line(asker)) return asker->received < sizeof asker->request;
  asker->request[asker->received - 1] = '\0';
  asker->received = 0;
  char *end = NULL;
  unsigned long number = strtoul(asker->request, &end, 10);
  if (end == asker->request || *end != '\0') return false;
  asker->number = (guint32)number;
  asker->is_waiting = true;
  asker->is_in_step = false;
  asker->since = g_get_monotonic_time();
  return true;
}

static gboolean on_readable(gint socket, GIOCondition condition, gpointer data) {
  (void)socket;
  (void)condition;
  struct asker *asker = data;
  if (take(asker)) return G_SOURCE_CONTINUE;
  asker->reading = 0;
  drop(asker);
  return G_SOURCE_REMOVE;
}

/// A place for one more: an empty one, else that of the asker which has been quiet for longest.
static struct asker *place(void) {
  struct asker *oldest = &askers[0];
  for (int index = 0; index < MOST_ASKERS; index++) {
    if (askers[index].socket < 0) return &askers[index];
    if (askers[index].since < oldest->since) oldest = &askers[index];
  }
  drop(oldest);
  return oldest;
}

static gboolean on_asker(gint listener, GIOCondition condition, gpointer data) {
  (void)condition;
  (void)data;
  int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket < 0) return G_SOURCE_CONTINUE;
  struct asker *asker = place();
  asker->socket = socket;
  asker->since = g_get_monotonic_time();
  asker->reading = g_unix_fd_add(socket, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, asker);
  return G_SOURCE_CONTINUE;
}

/// What the loop polls with, instead of poll(2). Once it would sleep, and no timer is about to end that, the application is at rest.
static gint poll_and_watch(GPollFD *sources, guint count, gint timeout) {
  gint64 now = g_get_monotonic_time(), patience = is_rested ? PATIENCE : LITTLE_PATIENCE;
  bool is_asked = false, is_late = false;
  for (int index = 0; index < MOST_ASKERS; index++) {
    struct asker *asker = &askers[index];
    if (asker->socket < 0) continue;
    is_asked |= asker->is_waiting;
    is_late |= asker->is_waiting && now - asker->since > patience;
    if (asker->answer.length > 0 && now - asker->since > READ_WITHIN) drop(asker);
  }
  if (!is_asked) return poll_before(sources, count, timeout);
  gint ready = timeout == 0 && !is_late ? 1 : poll_before(sources, count, 0);
  // A timer that is due sooner than that belongs to what is going on: GTK draws by one.
  if (ready == 0 && (timeout < 0 || timeout > frames_apart())) is_rested = is_due = true;
  else if (is_late) {
    is_rested = false;
    is_due = true;
  }
  if (is_due) return ready;
  return ready > 0 ? poll_before(sources, count, 0) : poll_before(sources, count, timeout);
}

static gboolean rest_prepare(GSource *source, gint *timeout) {
  (void)source;
  *timeout = -1;
  return is_due;
}

static gboolean rest_check(GSource *source) {
  (void)source;
  return is_due;
}

/// At the first rest it brings X in step, which may bring new events; at the second there is nothing left, and it answers.
static gboolean rest_run(GSource *source, GSourceFunc callback, gpointer data) {
  (void)source;
  (void)callback;
  (void)data;
  is_due = false;
  toolkit.enter();
  for (int index = 0; index < MOST_ASKERS; index++) {
    struct asker *asker = &askers[index];
    if (asker->socket < 0 || !asker->is_waiting) continue;
    GObject *display = toolkit.default_display();
    if (asker->is_in_step || !is_rested || display == NULL) answer(asker);
    else toolkit.display_sync(display);
    asker->is_in_step = true;
  }
  toolkit.leave();
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs rest_functions = {.prepare = rest_prepare, .check = rest_check, .dispatch = rest_run};

/// The socket, in the folder that the environment names; -1 where there is none.
static int listen_here(void) {
  const char *folder = getenv("DARTBOARD_ELEMENTS");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (folder == NULL) return -1;
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%d", folder, (int)getpid());
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  // Whoever had this number before is gone.
  unlink(address.sun_path);
  mode_t before = umask(0077);
  bool is_bound = bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
  umask(before);
  if (is_bound && listen(listener, MOST_ASKERS) == 0) return listener;
  close(listener);
  return -1;
}

/// What GTK calls when the application starts.
__attribute__((visibility("default"))) void gtk_module_init(gint *count, gchar ***arguments);

void gtk_module_init(gint *count, gchar ***arguments) {
  (void)count;
  (void)arguments;
  if (at_rest != NULL) return;
  toolkit = toolkit_find();
  if (!toolkit.is_there) return;
  tooltips_off(&toolkit);
  frames_hasten(&toolkit);
  for (int index = 0; index < MOST_ASKERS; index++) askers[index].socket = -1;
  int listener = listen_here();
  if (listener < 0) return;
  poll_before = g_main_context_get_poll_func(NULL);
  g_main_context_set_poll_func(NULL, poll_and_watch);
  at_rest = g_source_new(&rest_functions, sizeof(GSource));
  g_source_set_priority(at_rest, G_PRIORITY_HIGH);
  g_source_attach(at_rest, NULL);
  g_unix_fd_add(listener, G_IO_IN, on_asker, NULL);
}
