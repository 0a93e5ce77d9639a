#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct text *text, size_t more) {
  if (text->room - text->length > more) return;
  size_t room = text->room == 0 ? 1024 : text->room;
  while (room - text->length <= more) room *= 2;
  char *bytes = realloc(text->bytes, room);
  // Without memory no answer can be written.
  if (bytes == NULL) abort();
  text->bytes = bytes;
  text->room = room;
}

void text_clear(struct text *text) { text->length = 0; }

void text_free(struct text *text) {
  free(text->bytes);
  *text = (struct text){0};
}

void text_add(struct text *text, const char *bytes, size_t length) {
  if (length == 0) return;
  make_room(text, length);
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

void text_add_string(struct text *text, const char *string) { text_add(text, string, strlen(string)); }

void text_print(struct text *text, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length > 0) text_add(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

void text_drop(struct text *text, size_t length) {
  text->length -= length;
  memmove(text->bytes, text->bytes + length, text->length);
}

/// The length in bytes of the first character; 0 if it is not valid UTF-8. Overlong forms, surrogates and values beyond U+10FFFF are
/// invalid.
static size_t character(const unsigned char *at, size_t left) {
  if (at[0] < 0x80) return 1;
  size_t size = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
  if (at[0] < 0xC2 || at[0] > 0xF4 || size > left) return 0;
  for (size_t index = 1; index < size; index++)
    if ((at[index] & 0xC0) != 0x80) return 0;
  if (at[0] == 0xE0 && at[1] < 0xA0) return 0;
  if (at[0] == 0xED && at[1] > 0x9F) return 0;
  if (at[0] == 0xF0 && at[1] < 0x90) return 0;
  if (at[0] == 0xF4 && at[1] > 0x8F) return 0;
  return size;
}

static void add_one(struct text *text, const unsigned char *at, size_t size) {
  if (size > 1) text_add(text, (const char *)at, size);
  else if (*at == '"' || *at == '\\') text_add(text, (char[]){'\\', (char)*at}, 2);
  else if (*at == '\n') text_add(text, "\\n", 2);
  else if (*at == '\t') text_add(text, "\\t", 2);
  else if (*at < 0x20 || *at == 0x7F) text_print(text, "\\u%04x", *at);
  else text_add(text, (const char *)at, 1);
}

void text_add_json(struct text *text, const char *bytes, size_t length, size_t limit) {
  const unsigned char *at = (const unsigned char *)bytes;
  size_t left = length;
  size_t end = length < limit ? 0 : length - limit;
  text_add(text, "\"", 1);
  while (left > 0) {
    size_t size = character(at, left);
    size_t taken = size == 0 ? 1 : size;
    if (left - taken < end) break;
    if (size == 0) text_add_string(text, "\xEF\xBF\xBD");
    else add_one(text, at, size);
    at += taken;
    left -= taken;
  }
  text_add(text, "\"", 1);
}
