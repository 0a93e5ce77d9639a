#include "atom.h"

#include <stdlib.h>
#include <string.h>

xcb_atom_t atom(xcb_connection_t *connection, const char *name) {
  xcb_intern_atom_cookie_t cookie = xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name);
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(connection, cookie, NULL);
  xcb_atom_t found = reply == NULL ? XCB_ATOM_NONE : reply->atom;
  free(reply);
  return found;
}
