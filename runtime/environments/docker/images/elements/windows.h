// The windows on the screen, read from X, and a round trip to the window manager.

#ifndef DARTBOARD_WINDOWS_H
#define DARTBOARD_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>

#include "text.h"

#define MAX_WINDOWS 64

struct place {
  int x, y, width, height;
};

struct window {
  /// The window of the application, and the child of the root window: the frame of the window manager, or the same window.
  xcb_window_t xid, frame;
  /// The box of the frame, and the box of the application window in it.
  struct place place, inner;
  /// 0 if unknown.
  uint32_t pid;
  struct text title;
};

struct screen {
  xcb_connection_t *connection;
  xcb_window_t root;
  xcb_atom_t wm_state, net_wm_name, net_wm_pid, net_active_window, manager_check, request_extents, frame_extents;
  /// A window of the hub, never mapped: the window manager answers requests about it.
  xcb_window_t own;
  bool has_manager;
  /// From back to front.
  struct window windows[MAX_WINDOWS];
  int count;
  xcb_window_t active;
};

/// False if the X server does not answer.
bool screen_open(struct screen *screen);

/// The window manager receives a click first and forwards it to the window, so an idle application may still have a click ahead of it.
/// The window manager handles its events in order: returns once it has answered a request, or after a deadline if it is missing or hangs.
void screen_await_manager(struct screen *screen);

/// Reads the windows again. False if the X server is gone.
bool screen_look(struct screen *screen);

const struct window *screen_find(const struct screen *screen, xcb_window_t xid);

/// True if an unlisted window exists and is not iconified, so that it is about to be mapped.
bool screen_expects(struct screen *screen, xcb_window_t xid);

#endif
