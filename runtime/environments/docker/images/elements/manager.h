// A round trip to the window manager.

#ifndef DARTBOARD_MANAGER_H
#define DARTBOARD_MANAGER_H

#include <stdbool.h>
#include <xcb/xcb.h>

struct manager {
  xcb_connection_t *connection;
  xcb_window_t root, own;
  bool is_there;
  xcb_atom_t check, request, extents;
};

/// False if the X server does not answer.
bool manager_open(struct manager *manager);

/// The window manager receives a click first and forwards it to the window, so an idle application may still have a click ahead of it.
/// The window manager handles its events in order: returns once it has answered a request, or after a deadline if it is missing or hangs.
void manager_wait(struct manager *manager);

#endif
