// The streams between a desktop and whoever uses it: each is a program that was started for it, or the desktop's screen, under a
// number that its user chose. What a program says becomes frames; frames for it wait until it reads them.

#ifndef DARTBOARD_CHANNELS_H
#define DARTBOARD_CHANNELS_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

#include "text.h"

#define MOST_CHANNELS 256
/// Its input, its output, its errors.
#define MOST_POLLED (3 * MOST_CHANNELS)

/// Adds one frame, or several where the bytes are too many for one.
void frame_add(struct text *frames, char kind, int channel, const char *bytes, size_t length);

/// In a child: that program, in a session of its own, with these as its input, output and errors. Never returns.
void become(char *const *words, const int ends[3]);

/// `words` are the program and its arguments, each ended by a zero.
void channel_run(struct text *frames, int channel, const char *words, size_t length);
void channel_screen(struct text *frames, int channel);
void channel_write(int channel, const char *bytes, size_t length);
/// Its program reads an end once it has read what waits.
void channel_end(int channel);
void channel_close(int channel);
void channels_close(void);

/// A program has ended; whether it was a channel's.
void channels_ended(struct text *frames, pid_t pid, int status);

/// What is to be waited for; `is_full` where nothing more is to be read. Sets milliseconds after which to look again, or -1.
int channels_poll(struct pollfd *polled, int is_full, int *milliseconds);
/// What has come about of it.
void channels_polled(struct text *frames, const struct pollfd *polled, int count);

#endif
