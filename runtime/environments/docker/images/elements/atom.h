// X atoms by name.

#ifndef DARTBOARD_ATOM_H
#define DARTBOARD_ATOM_H

#include <xcb/xcb.h>

/// XCB_ATOM_NONE if X does not answer.
xcb_atom_t atom(xcb_connection_t *connection, const char *name);

#endif
