// The elements hub of a desktop. A request is one line with a number. The reply is one line of JSON: the windows from back to front,
// and the nodes of their accessibility trees.
//
//   {"id":7,"still":true,"windows":[{"xid":…,"title":"…","box":[x,y,w,h],"inner":[x,y,w,h],"pid":…}],
//    "nodes":[{"w":xid,"role":"push button","name":"…","value":"…","states":["checked"],"box":[x,y,w,h],"depth":n}],
//    "late":[xid],"busy":[xid],"active":xid}
//
// The hub takes snapshots until two in a row are equal, because one application may trigger another. After a deadline it returns the
// last snapshot with "still":false.
//
// `box` includes the frame that the window manager draws, `inner` does not. The lists name windows by the state of their application:
// `late` did not answer in time (the nodes are those of its last answer), `busy` answered but never became idle. Nodes of windows that are
// not on the screen are left out. The reader has to remove covered nodes.

#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applications.h"
#include "clock.h"
#include "windows.h"

/// Milliseconds between two looks, and their number, while the window manager has yet to map a window that an application shows.
#define LOOK_INTERVAL_MS 4
#define MAX_LOOKS 25
#define MAX_TITLE_BYTES 400
/// Milliseconds. A screen that still changes after this is animated.
#define SETTLE_TIMEOUT_MS 300

static struct applications applications;
static struct screen screen;

/// One line of an answer. `bytes` are not terminated by a zero.
struct line {
  const char *bytes;
  size_t length;
};

static bool next_line(const struct text *tree, size_t *from, struct line *line) {
  if (*from >= tree->length) return false;
  const char *start = tree->bytes + *from;
  const char *end = memchr(start, '\n', tree->length - *from);
  if (end == NULL) return false;
  *line = (struct line){start, (size_t)(end - start)};
  *from += line->length + 1;
  return true;
}

static bool is_window(const struct line *line) { return line->length > 7 && memcmp(line->bytes, "window ", 7) == 0; }

/// A line feed follows every line and terminates the number.
static xcb_window_t window_number(const struct line *line) { return (xcb_window_t)strtoul(line->bytes + 7, NULL, 10); }

static bool has_window(const struct text *tree, xcb_window_t xid) {
  struct line line;
  for (size_t from = 0; next_line(tree, &from, &line);)
    if (is_window(&line) && window_number(&line) == xid) return true;
  return false;
}

/// True if a window of the application has nodes but is not on the screen yet.
static bool is_awaited(const struct application *application) {
  struct line line;
  for (size_t from = 0; next_line(&application->tree, &from, &line);) {
    if (!is_window(&line)) continue;
    xcb_window_t xid = window_number(&line);
    if (xid != 0 && screen_find(&screen, xid) == NULL && screen_expects(&screen, xid)) return true;
  }
  return false;
}

static bool look(void) {
  for (int looks = 0; looks < MAX_LOOKS; looks++) {
    if (!screen_look(&screen)) return false;
    bool is_missing = false;
    for (int index = 0; index < applications.count && !is_missing; index++)
      is_missing = !applications.all[index].is_late && is_awaited(&applications.all[index]);
    if (!is_missing) return true;
    usleep(LOOK_INTERVAL_MS * 1000);
  }
  return true;
}

static int overlap(const struct place *a, const struct place *b) {
  int left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
  int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
  int bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
  return right > left && bottom > top ? (right - left) * (bottom - top) : 0;
}

/// The window of a node without a window id: the window of the same process with the largest overlap.
static const struct window *window_of(const struct application *application, const struct line *line) {
  struct place place;
  const char *box = memmem(line->bytes, line->length, "\"box\":[", 7);
  if (box == NULL || sscanf(box + 7, "%d,%d,%d,%d", &place.x, &place.y, &place.width, &place.height) != 4) return NULL;
  const struct window *best = NULL;
  for (int index = 0; index < screen.count; index++) {
    const struct window *window = &screen.windows[index];
    if (window->pid != (uint32_t)application->pid || overlap(&window->inner, &place) == 0) continue;
    if (best == NULL || overlap(&window->inner, &place) >= overlap(&best->inner, &place)) best = window;
  }
  return best;
}

static void add_nodes(struct text *answer, const struct application *application, bool *is_first) {
  const struct window *window = NULL;
  bool has_no_window = true;
  struct line line;
  for (size_t from = 0; next_line(&application->tree, &from, &line);) {
    if (is_window(&line)) {
      has_no_window = window_number(&line) == 0;
      window = has_no_window ? NULL : screen_find(&screen, window_number(&line));
      continue;
    }
    if (has_no_window && window == NULL) window = window_of(application, &line);
    if (window == NULL) continue;
    text_print(answer, "%s{\"w\":%u,", *is_first ? "" : ",", window->xid);
    text_add(answer, line.bytes, line.length);
    *is_first = false;
  }
}

static bool is_late(const struct application *application) { return application->is_late; }
static bool is_busy(const struct application *application) {
  return !application->is_late && application->answered != 0 && !application->is_rested;
}

/// Writes the windows of the applications that satisfy a predicate.
static void add_windows_of(struct text *answer, bool (*matches)(const struct application *)) {
  bool is_first = true;
  for (int index = 0; index < screen.count; index++) {
    const struct window *window = &screen.windows[index];
    bool is_one = false;
    for (int each = 0; each < applications.count; each++) {
      const struct application *application = &applications.all[each];
      bool is_its = window->pid == (uint32_t)application->pid || has_window(&application->tree, window->xid);
      is_one |= is_its && matches(application);
    }
    if (!is_one) continue;
    text_print(answer, "%s%u", is_first ? "" : ",", window->xid);
    is_first = false;
  }
}

static void add_place(struct text *answer, const char *name, const struct place *place) {
  text_print(answer, ",\"%s\":[%d,%d,%d,%d]", name, place->x, place->y, place->width, place->height);
}

static void write_snapshot(struct text *answer) {
  text_clear(answer);
  text_add_string(answer, "\"windows\":[");
  for (int index = 0; index < screen.count; index++) {
    const struct window *window = &screen.windows[index];
    text_print(answer, "%s{\"xid\":%u,\"title\":", index == 0 ? "" : ",", window->xid);
    text_add_json(answer, window->title.bytes, window->title.length, MAX_TITLE_BYTES);
    add_place(answer, "box", &window->place);
    add_place(answer, "inner", &window->inner);
    text_print(answer, ",\"pid\":%u}", window->pid);
  }
  text_add_string(answer, "],\"nodes\":[");
  bool is_first = true;
  for (int index = 0; index < applications.count; index++) add_nodes(answer, &applications.all[index], &is_first);
  text_add_string(answer, "],\"late\":[");
  add_windows_of(answer, is_late);
  text_add_string(answer, "],\"busy\":[");
  add_windows_of(answer, is_busy);
  text_print(answer, "],\"active\":%u}\n", screen.active);
}

static bool is_same(const struct text *a, const struct text *b) {
  return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/// False if the X server is gone.
static bool answer(unsigned long id) {
  static struct text seen[2];
  int64_t end = milliseconds() + SETTLE_TIMEOUT_MS;
  bool is_still = false;
  int now = 0;
  for (int looks = 0; !is_still && (looks < 2 || milliseconds() < end); looks++) {
    now = looks % 2;
    screen_await_manager(&screen);
    applications_ask(&applications);
    if (!look()) return false;
    write_snapshot(&seen[now]);
    is_still = looks > 0 && is_same(&seen[0], &seen[1]);
  }
  printf("{\"id\":%lu,\"still\":%s,", id, is_still ? "true" : "false");
  fwrite(seen[now].bytes, 1, seen[now].length, stdout);
  return true;
}

int main(void) {
  const char *folder = getenv("DARTBOARD_ELEMENTS");
  applications.folder = folder == NULL ? "/tmp/elements" : folder;
  if (!screen_open(&screen)) {
    fputs("cannot connect to the X server: start it, and set DISPLAY\n", stderr);
    return 1;
  }
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (!answer(strtoul(line, NULL, 10))) {
      fputs("the X server ended: restart the desktop\n", stderr);
      return 1;
    }
    if (fflush(stdout) != 0) return 1;
  }
  return 0;
}
