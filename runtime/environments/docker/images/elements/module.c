// A GTK module (loaded by GTK_MODULES) that serves the accessibility tree of its application on a unix socket named after the pid.
//
// A request is a number and a line feed. The answer has the format of tree.h and ends with a line `end NUMBER RESTED`. The module
// answers once the application is idle: all events handled, everything drawn, X synchronised, no timer due soon. So all input that the
// application received before the request has had its effect. An application that is never idle gets an answer after a timeout, with
// RESTED 0.
//
// Nothing here blocks: a client that does not read is disconnected, and the application is not affected.

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

#include "toolkit.h"
#include "tree.h"
#include "widgets.h"

/// Microseconds until an application that is not idle is answered for anyway; shorter if it was not idle the last time either.
#define IDLE_TIMEOUT_US 200000
#define SHORT_IDLE_TIMEOUT_US 40000
/// Microseconds. A client that has not read its answer by then is disconnected.
#define READ_TIMEOUT_US 2000000
#define MAX_CLIENTS 4
#define MAX_DIGITS 10

struct client {
  int socket;
  guint reading;
  guint writing;
  char request[MAX_DIGITS + 1];
  size_t received;
  bool is_waiting;
  bool is_synchronised;
  guint32 number;
  gint64 since;
  struct text answer;
};

static struct toolkit toolkit;
static struct client clients[MAX_CLIENTS];
static GPollFunc poll_before;
static GSource *idle_source;
/// True if idle_source must run, and true if it runs because the application is idle.
static bool is_due;
static bool is_rested = true;

static void drop(struct client *client) {
  if (client->reading != 0) g_source_remove(client->reading);
  if (client->writing != 0) g_source_remove(client->writing);
  close(client->socket);
  text_free(&client->answer);
  *client = (struct client){.socket = -1};
}

/// Writes as much as the socket accepts. False if the client is gone.
static bool write_some(struct client *client) {
  while (client->answer.length > 0) {
    ssize_t written = send(client->socket, client->answer.bytes, client->answer.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    text_drop(&client->answer, (size_t)written);
  }
  return true;
}

static gboolean on_writable(gint socket, GIOCondition condition, gpointer data) {
  struct client *client = data;
  bool is_gone = !write_some(client);
  if (!is_gone && client->answer.length > 0) return G_SOURCE_CONTINUE;
  client->writing = 0;
  if (is_gone) drop(client);
  return G_SOURCE_REMOVE;
}

static void answer(struct client *client) {
  client->is_waiting = false;
  client->since = g_get_monotonic_time();
  tree_write(&client->answer, &toolkit);
  text_print(&client->answer, "end %u %d\n", client->number, is_rested);
  if (!write_some(client)) drop(client);
  else if (client->answer.length > 0) client->writing = g_unix_fd_add(client->socket, G_IO_OUT, on_writable, client);
}

static bool is_line(const struct client *client) {
  return client->received > 0 && client->request[client->received - 1] == '\n';
}

/// Reads a request. False for a protocol error: a second request before the answer, or a request that is not a number.
static bool take(struct client *client) {
  ssize_t got = recv(client->socket, client->request + client->received, sizeof client->request - client->received, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0 || client->is_waiting || client->answer.length > 0) return false;
  client->received += (size_t)got;
  if (!is_line(client)) return client->received < sizeof client->request;
  client->request[client->received - 1] = '\0';
  client->received = 0;
  char *end = NULL;
  unsigned long number = strtoul(client->request, &end, 10);
  if (end == client->request || *end != '\0') return false;
  client->number = (guint32)number;
  client->is_waiting = true;
  client->is_synchronised = false;
  client->since = g_get_monotonic_time();
  return true;
}

static gboolean on_readable(gint socket, GIOCondition condition, gpointer data) {
  struct client *client = data;
  if (take(client)) return G_SOURCE_CONTINUE;
  client->reading = 0;
  drop(client);
  return G_SOURCE_REMOVE;
}

/// A free slot, or the slot of the client that has been quiet for the longest time.
static struct client *free_slot(void) {
  struct client *oldest = &clients[0];
  for (int index = 0; index < MAX_CLIENTS; index++) {
    if (clients[index].socket < 0) return &clients[index];
    if (clients[index].since < oldest->since) oldest = &clients[index];
  }
  drop(oldest);
  return oldest;
}

static gboolean on_client(gint listener, GIOCondition condition, gpointer data) {
  int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket < 0) return G_SOURCE_CONTINUE;
  struct client *client = free_slot();
  client->socket = socket;
  client->since = g_get_monotonic_time();
  client->reading = g_unix_fd_add(socket, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, client);
  return G_SOURCE_CONTINUE;
}

/// Replaces poll(2) in the main loop. The application is idle once the loop would sleep and no timer is due soon.
static gint poll_until_idle(GPollFD *sources, guint count, gint timeout) {
  gint64 now = g_get_monotonic_time(), timeout_us = is_rested ? IDLE_TIMEOUT_US : SHORT_IDLE_TIMEOUT_US;
  bool is_asked = false, is_late = false;
  for (int index = 0; index < MAX_CLIENTS; index++) {
    struct client *client = &clients[index];
    if (client->socket < 0) continue;
    is_asked |= client->is_waiting;
    is_late |= client->is_waiting && now - client->since > timeout_us;
    if (client->answer.length > 0 && now - client->since > READ_TIMEOUT_US) drop(client);
  }
  if (!is_asked) return poll_before(sources, count, timeout);
  gint ready = timeout == 0 && !is_late ? 1 : poll_before(sources, count, 0);
  // An earlier timer belongs to work in progress: GTK draws on a timer.
  if (ready == 0 && (timeout < 0 || timeout > widgets_frame_wait())) is_rested = is_due = true;
  else if (is_late) {
    is_rested = false;
    is_due = true;
  }
  if (is_due) return ready;
  return ready > 0 ? poll_before(sources, count, 0) : poll_before(sources, count, timeout);
}

static gboolean idle_prepare(GSource *source, gint *timeout) {
  *timeout = -1;
  return is_due;
}

static gboolean idle_check(GSource *source) {
  return is_due;
}

/// The first idle moment synchronises X, which may deliver new events. The second one answers.
static gboolean idle_run(GSource *source, GSourceFunc callback, gpointer data) {
  is_due = false;
  toolkit.enter();
  for (int index = 0; index < MAX_CLIENTS; index++) {
    struct client *client = &clients[index];
    if (client->socket < 0 || !client->is_waiting) continue;
    GObject *display = toolkit.default_display();
    if (client->is_synchronised || !is_rested || display == NULL) answer(client);
    else toolkit.display_sync(display);
    client->is_synchronised = true;
  }
  toolkit.leave();
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs idle_functions = {.prepare = idle_prepare, .check = idle_check, .dispatch = idle_run};

/// Opens the socket in the folder DARTBOARD_ELEMENTS; -1 on failure.
static int listen_here(void) {
  const char *folder = getenv("DARTBOARD_ELEMENTS");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (folder == NULL) return -1;
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%d", folder, (int)getpid());
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  // An earlier process with this pid has ended.
  unlink(address.sun_path);
  mode_t before = umask(0077);
  bool is_bound = bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
  umask(before);
  if (is_bound && listen(listener, MAX_CLIENTS) == 0) return listener;
  close(listener);
  return -1;
}

/// GTK calls this when the application starts.
__attribute__((visibility("default"))) void gtk_module_init(gint *count, gchar ***arguments);

void gtk_module_init(gint *count, gchar ***arguments) {
  if (idle_source != NULL) return;
  toolkit = toolkit_find();
  if (!toolkit.is_there) return;
  widgets_adapt(&toolkit);
  for (int index = 0; index < MAX_CLIENTS; index++) clients[index].socket = -1;
  int listener = listen_here();
  if (listener < 0) return;
  poll_before = g_main_context_get_poll_func(NULL);
  g_main_context_set_poll_func(NULL, poll_until_idle);
  idle_source = g_source_new(&idle_functions, sizeof(GSource));
  g_source_set_priority(idle_source, G_PRIORITY_HIGH);
  g_source_attach(idle_source, NULL);
  g_unix_fd_add(listener, G_IO_IN, on_client, NULL);
}
