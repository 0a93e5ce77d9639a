// The window manager, as far as one can wait for it.

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

/// False where there is no X to talk to.
bool manager_open(struct manager *manager);

/// A click goes to the window manager first, and is passed on to its window by it. So an application
/// that has nothing left to do may have a click before it. Returns once the window manager has answered a question of ours, since it
/// takes one thing after another; or after a while, where none is there or it hangs.
void manager_wait(struct manager *manager);

#endif
