// The windows on the screen, as X knows them.

#ifndef DARTBOARD_WINDOWS_H
#define DARTBOARD_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>

#include "text.h"

#define MOST_WINDOWS 64

struct place {
  int x, y, width, height;
};

struct window {
  /// The application's window, and the one that is a child of the root: the window manager's frame, or the same.
  xcb_window_t xid, frame;
  /// Where the frame is, and where the application's window is in it.
  struct place place, inner;
  /// 0 where it does not say.
  uint32_t pid;
  struct text title;
};

struct screen {
  xcb_connection_t *connection;
  xcb_window_t root;
  xcb_atom_t wm_state, net_wm_name, net_wm_pid, net_active_window;
  /// From back to front.
  struct window windows[MOST_WINDOWS];
  int count;
  xcb_window_t active;
};

/// False where there is no X to talk to.
bool screen_open(struct screen *screen);

/// Looks anew. False where X is gone.
bool screen_look(struct screen *screen);

const struct window *screen_find(const struct screen *screen, xcb_window_t xid);

/// Whether a window that is not among those seen is about to be: it exists, and the window manager has not laid it aside.
bool screen_expects(struct screen *screen, xcb_window_t xid);

#endif
