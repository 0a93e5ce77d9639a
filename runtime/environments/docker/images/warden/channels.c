#define _GNU_SOURCE

#include "channels.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

#define HEADER 4
#define MAX_FRAME_BYTES 65535
#define MAX_ARGUMENTS 64
#define SCREEN "/tmp/rfb.sock"
/// Milliseconds between two attempts to connect to a starting screen, and until the attempts end.
#define SCREEN_RETRY_MS 5
#define SCREEN_TIMEOUT_MS 20000
/// Enough reads to drain a full pipe.
#define MAX_LAST_READS 64

struct channel {
  bool is_open;
  /// File descriptors, or -1. The screen uses one descriptor for input and output.
  int in, out, err;
  pid_t pid;
  /// Bytes to be written.
  struct text waiting;
  bool is_ending;
  /// The deadline of a connection attempt in milliseconds; 0 once connected.
  int64_t until;
};

static struct channel channels[MAX_CHANNELS];

void frame_add(struct text *frames, char kind, int channel, const char *bytes, size_t length) {
  do {
    size_t part = length < MAX_FRAME_BYTES ? length : MAX_FRAME_BYTES;
    const char header[HEADER] = {kind, (char)channel, (char)(part >> 8), (char)part};
    text_add(frames, header, HEADER);
    if (part > 0) text_add(frames, bytes, part);
    bytes += part;
    length -= part;
  } while (length > 0);
}

static void close_at(int *file) {
  if (*file >= 0) close(*file);
  *file = -1;
}

static void close_input(struct channel *channel) {
  // The other direction of the screen socket stays open.
  if (channel->in >= 0 && channel->in == channel->out) shutdown(channel->in, SHUT_WR);
  else close_at(&channel->in);
  channel->in = -1;
  text_clear(&channel->waiting);
}

void channel_close(int number) {
  struct channel *channel = &channels[number];
  if (!channel->is_open) return;
  close_input(channel);
  close_at(&channel->out);
  close_at(&channel->err);
  text_free(&channel->waiting);
  *channel = (struct channel){.in = -1, .out = -1, .err = -1};
}

void channels_close(void) {
  for (int number = 0; number < MAX_CHANNELS; number++) channel_close(number);
}

/// Closes the channel and reports its exit code.
static void finish(struct text *frames, int number, int code) {
  char digits[16];
  int length = snprintf(digits, sizeof digits, "%d", code);
  frame_add(frames, 'x', number, digits, (size_t)length);
  channel_close(number);
}

static struct channel *open_channel(int number) {
  channel_close(number);
  channels[number] = (struct channel){.is_open = true, .in = -1, .out = -1, .err = -1};
  return &channels[number];
}

void exec_program(char *const *words, const int ends[3]) {
  for (int end = 0; end < 3; end++) dup2(ends[end], end);
  setsid();
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(words[0], words);
  fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
  _exit(127);
}

void channel_run(struct text *frames, int number, const char *words, size_t length) {
  struct channel *channel = open_channel(number);
  char *arguments[MAX_ARGUMENTS + 1] = {NULL};
  int count = 0;
  for (const char *word = words; word < words + length && count < MAX_ARGUMENTS; word += strlen(word) + 1)
    arguments[count++] = (char *)word;
  int in[2], out[2], err[2];
  if (count == 0 || pipe2(in, O_CLOEXEC) != 0) return finish(frames, number, 126);
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return finish(frames, number, 126);
  channel->pid = fork();
  if (channel->pid == 0) exec_program(arguments, (const int[]){in[0], out[1], err[1]});
  close(in[0]);
  close(out[1]);
  close(err[1]);
  channel->in = in[1];
  channel->out = out[0];
  channel->err = err[0];
  if (channel->pid < 0) return finish(frames, number, 126);
  fcntl(channel->in, F_SETFL, O_NONBLOCK);
  fcntl(channel->out, F_SETFL, O_NONBLOCK);
  fcntl(channel->err, F_SETFL, O_NONBLOCK);
}

static void connect_screen(struct text *frames, int number) {
  struct channel *channel = &channels[number];
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = SCREEN};
  if (file >= 0 && connect(file, (const struct sockaddr *)&address, sizeof address) == 0) {
    channel->in = channel->out = file;
    channel->until = 0;
    return;
  }
  close_at(&file);
  if (milliseconds() >= channel->until) finish(frames, number, 1);
}

void channel_screen(struct text *frames, int number) {
  open_channel(number)->until = milliseconds() + SCREEN_TIMEOUT_MS;
  connect_screen(frames, number);
}

static void write_waiting(struct channel *channel) {
  if (channel->in < 0) return;
  while (channel->waiting.length > 0) {
    ssize_t written = write(channel->in, channel->waiting.bytes, channel->waiting.length);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
    // The reader is gone.
    if (written <= 0) return close_input(channel);
    text_drop(&channel->waiting, (size_t)written);
  }
  if (channel->is_ending) close_input(channel);
}

void channel_write(int number, const char *bytes, size_t length) {
  struct channel *channel = &channels[number];
  if (!channel->is_open || channel->is_ending || (channel->in < 0 && channel->until == 0)) return;
  text_add(&channel->waiting, bytes, length);
  write_waiting(channel);
}

void channel_end(int number) {
  struct channel *channel = &channels[number];
  if (!channel->is_open) return;
  channel->is_ending = true;
  write_waiting(channel);
}

/// True if more bytes may follow.
static bool read_once(struct text *frames, char kind, int number, int *file) {
  static char bytes[MAX_FRAME_BYTES];
  ssize_t length = read(*file, bytes, sizeof bytes);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (length > 0) {
    frame_add(frames, kind, number, bytes, (size_t)length);
    return true;
  }
  if (*file == channels[number].in) channels[number].in = -1;
  close_at(file);
  return false;
}

void channels_ended(struct text *frames, pid_t pid, int status) {
  for (int number = 0; number < MAX_CHANNELS; number++) {
    struct channel *channel = &channels[number];
    if (!channel->is_open || channel->pid != pid) continue;
    // Drain the last output. Background children may keep the other end open.
    for (int reads = 0; reads < MAX_LAST_READS && channel->out >= 0; reads++)
      if (!read_once(frames, 'd', number, &channel->out)) break;
    for (int reads = 0; reads < MAX_LAST_READS && channel->err >= 0; reads++)
      if (!read_once(frames, 'w', number, &channel->err)) break;
    finish(frames, number, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
}

int channels_poll(struct pollfd *polled, int is_full, int *timeout_ms) {
  int count = 0;
  *timeout_ms = -1;
  for (int number = 0; number < MAX_CHANNELS; number++) {
    const struct channel *channel = &channels[number];
    if (!channel->is_open) continue;
    if (channel->until > 0) *timeout_ms = SCREEN_RETRY_MS;
    if (channel->waiting.length > 0 && channel->in >= 0)
      polled[count++] = (struct pollfd){.fd = channel->in, .events = POLLOUT};
    if (is_full) continue;
    if (channel->out >= 0) polled[count++] = (struct pollfd){.fd = channel->out, .events = POLLIN};
    if (channel->err >= 0) polled[count++] = (struct pollfd){.fd = channel->err, .events = POLLIN};
  }
  return count;
}

static bool is_ready(const struct pollfd *polled, int count, int file, short events) {
  for (int index = 0; index < count; index++)
    if (polled[index].fd == file && (polled[index].events & events) && polled[index].revents != 0) return true;
  return false;
}

void channels_polled(struct text *frames, const struct pollfd *polled, int count) {
  for (int number = 0; number < MAX_CHANNELS; number++) {
    struct channel *channel = &channels[number];
    if (!channel->is_open) continue;
    if (channel->until > 0) {
      connect_screen(frames, number);
      if (!channel->is_open) continue;
    }
    if (channel->in >= 0 && is_ready(polled, count, channel->in, POLLOUT)) write_waiting(channel);
    if (channel->out >= 0 && is_ready(polled, count, channel->out, POLLIN)) read_once(frames, 'd', number, &channel->out);
    if (channel->err >= 0 && is_ready(polled, count, channel->err, POLLIN)) read_once(frames, 'w', number, &channel->err);
    // The screen closed its socket. The end of a program is reported by its exit.
    if (channel->pid == 0 && channel->until == 0 && channel->out < 0) finish(frames, number, 0);
  }
}
