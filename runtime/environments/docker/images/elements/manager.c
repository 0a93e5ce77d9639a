#include "manager.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "atom.h"

/// Milliseconds: longer than a busy machine delays a small program, shorter than the deadline of a caller of the hub.
#define PATIENCE 500

bool manager_open(struct manager *manager) {
  *manager = (struct manager){.connection = xcb_connect(NULL, NULL)};
  xcb_connection_t *connection = manager->connection;
  if (xcb_connection_has_error(connection)) return false;
  manager->root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
  manager->check = atom(connection, "_NET_SUPPORTING_WM_CHECK");
  manager->request = atom(connection, "_NET_REQUEST_FRAME_EXTENTS");
  manager->extents = atom(connection, "_NET_FRAME_EXTENTS");
  // This window is never mapped. The request needs some window, and this one is ours.
  manager->own = xcb_generate_id(connection);
  uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(connection, 0, manager->own, manager->root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
  return xcb_flush(connection) > 0;
}

static bool is_there(struct manager *manager) {
  xcb_get_property_cookie_t cookie =
      xcb_get_property(manager->connection, 0, manager->root, manager->check, XCB_GET_PROPERTY_TYPE_ANY, 0, 1);
  xcb_get_property_reply_t *reply = xcb_get_property_reply(manager->connection, cookie, NULL);
  bool has_one = reply != NULL && reply->type != XCB_ATOM_NONE;
  free(reply);
  return has_one;
}

static bool has_answered(struct manager *manager) {
  bool is_found = false;
  xcb_generic_event_t *event;
  while ((event = xcb_poll_for_event(manager->connection)) != NULL) {
    const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *)event;
    is_found |= (event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY && change->atom == manager->extents;
    free(event);
  }
  return is_found;
}

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void manager_wait(struct manager *manager) {
  // The window manager stays for the life of the desktop.
  manager->is_there = manager->is_there || is_there(manager);
  if (!manager->is_there) return;
  // Drop a late reply to the previous request.
  has_answered(manager);
  xcb_client_message_event_t question = {
      .response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = manager->own, .type = manager->request};
  xcb_send_event(manager->connection, 0, manager->root,
                 XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, (const char *)&question);
  xcb_flush(manager->connection);
  struct pollfd waiting = {.fd = xcb_get_file_descriptor(manager->connection), .events = POLLIN};
  long end = milliseconds() + PATIENCE;
  while (!has_answered(manager) && !xcb_connection_has_error(manager->connection)) {
    long left = end - milliseconds();
    if (left <= 0 || poll(&waiting, 1, (int)left) < 0) return;
  }
}
