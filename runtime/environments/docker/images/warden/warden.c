// The first process of a desktop's container. It starts the session, hands out programs and the screen as streams over its own input
// and output, and makes everything new when it is told to, which costs a fraction of a new container. Nobody in the container can end,
// stop or look into it: it is the first process, and tells no other one what it has in memory.
//
// Frames go both ways: a letter, a channel, two bytes of length (the higher first), and so many bytes.
//
//   r<n> program\0argument\0…   runs a program in channel n      d<n> bytes      its output
//   s<n>                        connects the screen as channel n  w<n> bytes      its errors
//   d<n> bytes                  for its input                     x<n> code       it has ended
//   e<n>                        the end of its input
//   c<n>                        its user has gone
//   a0                          everything anew                   a0 words        done; what is left of before, if anything

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
#include "text.h"

#define START "/usr/lib/dartboard/start"
#define PIECE 65536
/// Bytes that wait to be sent: above this nothing more is read from programs.
#define FULL (4 << 20)
#define PIPE_ROOM (1 << 20)

static struct text asked;
static struct text answers;
static pid_t session;

static void start_session(void) {
  session = fork();
  if (session != 0) return;
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  become((char *const[]){START, NULL}, (const int[]){nothing, nothing, nothing});
}

static void begin_anew(void) {
  channels_close();
  struct text left = {0};
  clean(&left);
  start_session();
  frame_add(&answers, 'a', 0, left.bytes, left.length);
  text_free(&left);
}

static void do_asked(char kind, int channel, const char *bytes, size_t length) {
  switch (kind) {
    case 'r': return channel_run(&answers, channel, bytes, length);
    case 's': return channel_screen(&answers, channel);
    case 'd': return channel_write(channel, bytes, length);
    case 'e': return channel_end(channel);
    case 'c': return channel_close(channel);
    case 'a': return begin_anew();
    // Whoever asks for something else is of another version.
    default: exit(2);
  }
}

static void do_all_asked(void) {
  size_t at = 0;
  while (asked.length - at >= 4) {
    const unsigned char *header = (const unsigned char *)asked.bytes + at;
    size_t length = (size_t)header[2] << 8 | header[3];
    if (asked.length - at < 4 + length) break;
    do_asked((char)header[0], header[1], asked.bytes + at + 4, length);
    at += 4 + length;
  }
  if (at > 0) text_drop(&asked, at);
}

static void hear(void) {
  static char bytes[PIECE];
  ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
  if (length > 0) text_add(&asked, bytes, (size_t)length);
  // The engine has closed it: nobody will ever ask again.
  if (length == 0) exit(0);
  do_all_asked();
}

static void tell(void) {
  ssize_t written = write(STDOUT_FILENO, answers.bytes, answers.length);
  if (written > 0) text_drop(&answers, (size_t)written);
}

/// A session that ends ends the container, as every desktop is lost with its window manager.
static void bury(int signals) {
  struct signalfd_siginfo info;
  bool is_told_to_end = false;
  while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
    if (info.ssi_signo != SIGCHLD) is_told_to_end = true;
  if (is_told_to_end) exit(0);
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == session) exit(1);
    channels_ended(&answers, pid, status);
  }
}

int main(void) {
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  sigaddset(&heard, SIGINT);
  sigprocmask(SIG_BLOCK, &heard, NULL);
  int signals = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_ROOM);
  clean_remember();
  start_session();
  for (;;) {
    static struct pollfd polled[3 + MOST_POLLED];
    int milliseconds;
    polled[0] = (struct pollfd){.fd = signals, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    polled[2] = (struct pollfd){.fd = answers.length > 0 ? STDOUT_FILENO : -1, .events = POLLOUT};
    int count = channels_poll(polled + 3, answers.length > FULL, &milliseconds);
    if (poll(polled, (nfds_t)(3 + count), milliseconds) < 0 && errno != EINTR) exit(3);
    channels_polled(&answers, polled + 3, count);
    if (polled[0].revents != 0) bury(signals);
    if (polled[1].revents != 0) hear();
    if (answers.length > 0) tell();
  }
}
