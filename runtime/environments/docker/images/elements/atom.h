// The numbers that X has for names.

#ifndef DARTBOARD_ATOM_H
#define DARTBOARD_ATOM_H

#include <xcb/xcb.h>

/// None where X gives no number.
xcb_atom_t atom(xcb_connection_t *connection, const char *name);

#endif
