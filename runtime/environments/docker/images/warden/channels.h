// The streams between a desktop and its client. A channel is a program or the screen of the desktop, under a number that the client
// chose. Output becomes frames; input waits until the program reads it.

#ifndef DARTBOARD_CHANNELS_H
#define DARTBOARD_CHANNELS_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

#include "text.h"

#define MAX_CHANNELS 256
/// Standard input, output and error of each channel.
#define MAX_POLLED (3 * MAX_CHANNELS)

/// Adds one frame, or several if the bytes exceed the size of one.
void frame_add(struct text *frames, char kind, int channel, const char *bytes, size_t length);

/// Replaces a forked child by the program, in a new session, with `ends` as input, output and error. Never returns.
void exec_program(char *const *words, const int ends[3]);

/// `words` are the program and its arguments, each terminated by a zero.
void channel_run(struct text *frames, int channel, const char *words, size_t length);
void channel_screen(struct text *frames, int channel);
void channel_write(int channel, const char *bytes, size_t length);
/// Closes the input after the pending bytes.
void channel_end(int channel);
void channel_close(int channel);
void channels_close(void);

/// Reports the end of a child process to its channel, if it has one.
void channels_ended(struct text *frames, pid_t pid, int status);

/// Fills the poll set. With `is_full` nothing more is read. Sets the poll timeout in milliseconds, or -1.
int channels_poll(struct pollfd *polled, int is_full, int *timeout_ms);
/// Handles the poll results.
void channels_polled(struct text *frames, const struct pollfd *polled, int count);

#endif
