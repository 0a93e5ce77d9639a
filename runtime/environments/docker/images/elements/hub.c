// The hub of a desktop's elements: one line asks, with a number; one line of JSON tells the windows from back to front, and the
// nodes of the accessibility trees in them.
//
//   {"id":7,"still":true,"windows":[{"xid":…,"title":"…","box":[x,y,w,h],"inner":[x,y,w,h],"pid":…}],
//    "nodes":[{"w":xid,"role":"push button","name":"…","value":"…","states":["checked"],"box":[x,y,w,h],"depth":n}],
//    "late":[xid],"busy":[xid],"cut":[xid],"active":xid}
//
// It looks until two looks in a row show the same, for what one application does may make another do something; where that takes too
// long it tells the last, and that it is not still.
//
// `box` has the window manager's frame around the window, `inner` has not. Late are the windows of an application that did not
// answer in time: their nodes are what it said last. Busy are those of one that answered, but never came to rest; cut those of one
// that had too many nodes to tell. Nodes of windows that are not on the screen are left out. What is covered is for the reader to find out.

#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "applications.h"
#include "manager.h"
#include "windows.h"

/// Milliseconds, and how often: for a window that an application shows and the window manager has yet to bring up.
#define NEXT_LOOK 4
#define MOST_LOOKS 25
#define LONGEST_TITLE 400
/// Milliseconds. What has not become still by then moves by itself.
#define LONGEST_LOOKING 300

static struct applications applications;
static struct screen screen;
static struct manager manager;

/// One line of what an application said; `bytes` are not ended by a zero.
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

/// A line feed follows every line, so that the number ends.
static xcb_window_t window_number(const struct line *line) { return (xcb_window_t)strtoul(line->bytes + 7, NULL, 10); }

static bool names(const struct text *tree, xcb_window_t xid) {
  struct line line;
  for (size_t from = 0; next_line(tree, &from, &line);)
    if (is_window(&line) && window_number(&line) == xid) return true;
  return false;
}

/// Whether one of the application's windows shows nodes, and is not on the screen yet.
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
  for (int looks = 0; looks < MOST_LOOKS; looks++) {
    if (!screen_look(&screen)) return false;
    bool is_missing = false;
    for (int index = 0; index < applications.count && !is_missing; index++)
      is_missing = !applications.all[index].is_late && is_awaited(&applications.all[index]);
    if (!is_missing) return true;
    usleep(NEXT_LOOK * 1000);
  }
  return true;
}

static int overlap(const struct place *a, const struct place *b) {
  int left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
  int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
  int bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
  return right > left && bottom > top ? (right - left) * (bottom - top) : 0;
}

/// The window of a node which its application gave no number: the one of that process which it shares most with.
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
  bool is_nameless = true;
  struct line line;
  for (size_t from = 0; next_line(&application->tree, &from, &line);) {
    if (is_window(&line)) {
      is_nameless = window_number(&line) == 0;
      window = is_nameless ? NULL : screen_find(&screen, window_number(&line));
      continue;
    }
    if (is_nameless && window == NULL) window = window_of(application, &line);
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
static bool is_cut(const struct application *application) { return application->answered != 0 && !application->is_whole; }

/// The windows of the applications of which something is so.
static void add_windows_of(struct text *answer, bool (*is_so)(const struct application *)) {
  bool is_first = true;
  for (int index = 0; index < screen.count; index++) {
    const struct window *window = &screen.windows[index];
    bool is_one = false;
    for (int each = 0; each < applications.count; each++) {
      const struct application *application = &applications.all[each];
      bool is_its = window->pid == (uint32_t)application->pid || names(&application->tree, window->xid);
      is_one |= is_its && is_so(application);
    }
    if (!is_one) continue;
    text_print(answer, "%s%u", is_first ? "" : ",", window->xid);
    is_first = false;
  }
}

static void add_place(struct text *answer, const char *name, const struct place *place) {
  text_print(answer, ",\"%s\":[%d,%d,%d,%d]", name, place->x, place->y, place->width, place->height);
}

static void write_seen(struct text *answer) {
  text_clear(answer);
  text_add_string(answer, "\"windows\":[");
  for (int index = 0; index < screen.count; index++) {
    const struct window *window = &screen.windows[index];
    text_print(answer, "%s{\"xid\":%u,\"title\":", index == 0 ? "" : ",", window->xid);
    text_add_json(answer, window->title.bytes, window->title.length, LONGEST_TITLE);
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
  text_add_string(answer, "],\"cut\":[");
  add_windows_of(answer, is_cut);
  text_print(answer, "],\"active\":%u}\n", screen.active);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_same(const struct text *a, const struct text *b) {
  return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/// False where the screen is gone.
static bool answer(unsigned long id) {
  static struct text seen[2];
  int64_t end = milliseconds() + LONGEST_LOOKING;
  bool is_still = false;
  int now = 0;
  for (int looks = 0; !is_still && (looks < 2 || milliseconds() < end); looks++) {
    now = looks % 2;
    manager_wait(&manager);
    applications_ask(&applications);
    if (!look()) return false;
    write_seen(&seen[now]);
    is_still = looks > 0 && is_same(&seen[0], &seen[1]);
  }
  printf("{\"id\":%lu,\"still\":%s,", id, is_still ? "true" : "false");
  fwrite(seen[now].bytes, 1, seen[now].length, stdout);
  return true;
}

int main(void) {
  const char *folder = getenv("DARTBOARD_ELEMENTS");
  applications.folder = folder == NULL ? "/tmp/elements" : folder;
  if (!screen_open(&screen) || !manager_open(&manager)) {
    fputs("there is no screen to look at\n", stderr);
    return 1;
  }
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (!answer(strtoul(line, NULL, 10))) {
      fputs("the screen is gone\n", stderr);
      return 1;
    }
    if (fflush(stdout) != 0) return 1;
  }
  return 0;
}
