// A growing text buffer with JSON strings. The GTK module, the hub and the warden share it.

#ifndef DARTBOARD_TEXT_H
#define DARTBOARD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
  char *bytes;
  size_t length;
  size_t room;
};

void text_clear(struct text *text);
void text_free(struct text *text);
void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_print(struct text *text, const char *format, ...);

/// Adds a quoted JSON string of at most `limit` bytes, cut between characters. Invalid UTF-8 becomes U+FFFD.
void text_add_json(struct text *text, const char *bytes, size_t length, size_t limit);

/// Removes the first `length` bytes.
void text_drop(struct text *text, size_t length);

#endif
