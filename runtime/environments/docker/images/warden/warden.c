// The first process of a desktop's container. It starts the session, serves programs and the screen as streams over its own input and
// output, and resets the desktop on request, which costs a fraction of a new container. No process in the container can kill, stop or
// inspect it: it has pid 1 and is not dumpable.
//
// A client that is killed closes the input, and a client that is stopped sends no frames. In both cases the warden exits, so that the
// engine removes the container and no orphan remains.
//
// A frame in either direction: one letter, one byte for the channel, two bytes of length (big-endian), and the payload.
//
//   requests                                                      answers
//   r<n> program\0argument\0…   runs a program in channel n      d<n> bytes      output
//   s<n>                        connects the screen as channel n  w<n> bytes      errors
//   d<n> bytes                  input                             x<n> code       the program ended
//   e<n>                        end of input
//   c<n>                        closes a channel; on channel 0: a heartbeat
//   a0                          resets the desktop                a0 text         done; what could not be reset, if anything

#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channels.h"
#include "clean.h"
#include "clock.h"
#include "text.h"

#define START "/usr/lib/dartboard/start"
#define PIECE 65536
/// Bytes of unsent answers above which programs are not read any more.
#define FULL (4 << 20)
#define PIPE_ROOM (1 << 20)
/// Milliseconds without a frame from the client after which the container ends. The client sends a heartbeat every 15 s.
#define LEASE_MS 60000

static struct text requests;
static struct text answers;
static pid_t session;
/// When the last frame arrived, in milliseconds of the clock.
static int64_t heard_at;

static void start_session(void) {
  session = fork();
  if (session != 0) return;
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  exec_program((char *const[]){START, NULL}, (const int[]){nothing, nothing, nothing});
}

static void reset_desktop(void) {
  channels_close();
  struct text left = {0};
  clean(&left);
  start_session();
  frame_add(&answers, 'a', 0, left.bytes, left.length);
  text_free(&left);
}

static void handle_request(char kind, int channel, const char *bytes, size_t length) {
  switch (kind) {
    case 'r': return channel_run(&answers, channel, bytes, length);
    case 's': return channel_screen(&answers, channel);
    case 'd': return channel_write(channel, bytes, length);
    case 'e': return channel_end(channel);
    case 'c': return channel_close(channel);
    case 'a': return reset_desktop();
    // The client speaks another version of the protocol.
    default: exit(2);
  }
}

static void handle_requests(void) {
  size_t at = 0;
  while (requests.length - at >= 4) {
    const unsigned char *header = (const unsigned char *)requests.bytes + at;
    size_t length = (size_t)header[2] << 8 | header[3];
    if (requests.length - at < 4 + length) break;
    handle_request((char)header[0], header[1], requests.bytes + at + 4, length);
    at += 4 + length;
  }
  if (at > 0) text_drop(&requests, at);
}

static void read_requests(void) {
  static char bytes[PIECE];
  ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
  if (length > 0) {
    heard_at = milliseconds();
    text_add(&requests, bytes, (size_t)length);
  }
  // The client is gone, and the engine closed the input.
  if (length == 0) exit(0);
  handle_requests();
}

static void send_answers(void) {
  ssize_t written = write(STDOUT_FILENO, answers.bytes, answers.length);
  if (written > 0) text_drop(&answers, (size_t)written);
}

/// The container ends with its session: without a window manager the desktop is lost.
static void reap_children(int signals) {
  struct signalfd_siginfo info;
  bool is_terminated = false;
  while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
    if (info.ssi_signo != SIGCHLD) is_terminated = true;
  if (is_terminated) exit(0);
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == session) exit(1);
    channels_ended(&answers, pid, status);
  }
}

int main(void) {
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  sigset_t handled;
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  sigaddset(&handled, SIGTERM);
  sigaddset(&handled, SIGINT);
  sigprocmask(SIG_BLOCK, &handled, NULL);
  int signals = signalfd(-1, &handled, SFD_NONBLOCK | SFD_CLOEXEC);
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_ROOM);
  clean_remember();
  start_session();
  heard_at = milliseconds();
  for (;;) {
    static struct pollfd polled[3 + MAX_POLLED];
    int timeout_ms;
    polled[0] = (struct pollfd){.fd = signals, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    polled[2] = (struct pollfd){.fd = answers.length > 0 ? STDOUT_FILENO : -1, .events = POLLOUT};
    int count = channels_poll(polled + 3, answers.length > FULL, &timeout_ms);
    int64_t left = LEASE_MS - (milliseconds() - heard_at);
    if (left <= 0) exit(4);
    if (timeout_ms < 0 || timeout_ms > left) timeout_ms = (int)left;
    if (poll(polled, (nfds_t)(3 + count), timeout_ms) < 0 && errno != EINTR) exit(3);
    channels_polled(&answers, polled + 3, count);
    if (polled[0].revents != 0) reap_children(signals);
    if (polled[1].revents != 0) read_requests();
    if (answers.length > 0) send_answers();
  }
}
