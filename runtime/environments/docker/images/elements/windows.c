#include "windows.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

/// Bytes of a title. X counts property lengths in units of four.
#define MAX_TITLE_BYTES 400
/// Values of WM_STATE.
#define ICONIC 3
/// Milliseconds: longer than a busy machine delays a small program, shorter than the deadline of a caller of the hub.
#define MANAGER_TIMEOUT_MS 500

/// XCB_ATOM_NONE if X does not answer.
static xcb_atom_t atom(xcb_connection_t *connection, const char *name) {
  xcb_intern_atom_cookie_t cookie = xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name);
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(connection, cookie, NULL);
  xcb_atom_t found = reply == NULL ? XCB_ATOM_NONE : reply->atom;
  free(reply);
  return found;
}

bool screen_open(struct screen *screen) {
  *screen = (struct screen){.connection = xcb_connect(NULL, NULL)};
  xcb_connection_t *connection = screen->connection;
  if (xcb_connection_has_error(connection)) return false;
  screen->root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
  screen->wm_state = atom(connection, "WM_STATE");
  screen->net_wm_name = atom(connection, "_NET_WM_NAME");
  screen->net_wm_pid = atom(connection, "_NET_WM_PID");
  screen->net_active_window = atom(connection, "_NET_ACTIVE_WINDOW");
  screen->manager_check = atom(connection, "_NET_SUPPORTING_WM_CHECK");
  screen->request_extents = atom(connection, "_NET_REQUEST_FRAME_EXTENTS");
  screen->frame_extents = atom(connection, "_NET_FRAME_EXTENTS");
  screen->own = xcb_generate_id(connection);
  uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(connection, 0, screen->own, screen->root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
  return xcb_flush(connection) > 0;
}

static xcb_get_property_cookie_t ask_property(struct screen *screen, xcb_window_t window, xcb_atom_t name, uint32_t bytes) {
  return xcb_get_property(screen->connection, 0, window, name, XCB_GET_PROPERTY_TYPE_ANY, 0, bytes / 4);
}

static xcb_get_property_reply_t *property(struct screen *screen, xcb_get_property_cookie_t cookie) {
  return xcb_get_property_reply(screen->connection, cookie, NULL);
}

static bool is_set(struct screen *screen, xcb_get_property_cookie_t cookie) {
  xcb_get_property_reply_t *reply = property(screen, cookie);
  bool is_there = reply != NULL && reply->type != XCB_ATOM_NONE;
  free(reply);
  return is_there;
}

static uint32_t number(struct screen *screen, xcb_get_property_cookie_t cookie) {
  xcb_get_property_reply_t *reply = property(screen, cookie);
  uint32_t value = 0;
  if (reply != NULL && reply->format == 32 && xcb_get_property_value_length(reply) >= 4)
    memcpy(&value, xcb_get_property_value(reply), sizeof value);
  free(reply);
  return value;
}

static bool has_answered(struct screen *screen) {
  bool is_found = false;
  xcb_generic_event_t *event;
  while ((event = xcb_poll_for_event(screen->connection)) != NULL) {
    const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *)event;
    is_found |= (event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY && change->atom == screen->frame_extents;
    free(event);
  }
  return is_found;
}

void screen_await_manager(struct screen *screen) {
  // The window manager stays for the life of the desktop.
  if (!screen->has_manager) screen->has_manager = is_set(screen, ask_property(screen, screen->root, screen->manager_check, 4));
  if (!screen->has_manager) return;
  // Drop a late reply to the previous request.
  has_answered(screen);
  xcb_client_message_event_t question = {
      .response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = screen->own, .type = screen->request_extents};
  xcb_send_event(screen->connection, 0, screen->root,
                 XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, (const char *)&question);
  xcb_flush(screen->connection);
  struct pollfd waiting = {.fd = xcb_get_file_descriptor(screen->connection), .events = POLLIN};
  int64_t end = milliseconds() + MANAGER_TIMEOUT_MS;
  while (!has_answered(screen) && !xcb_connection_has_error(screen->connection)) {
    int64_t left = end - milliseconds();
    if (left <= 0 || poll(&waiting, 1, (int)left) < 0) return;
  }
}

/// The pending requests for one child of the root window.
struct child {
  xcb_window_t window;
  xcb_get_window_attributes_cookie_t attributes;
  xcb_get_geometry_cookie_t geometry;
  xcb_query_tree_cookie_t tree;
  xcb_get_property_cookie_t state;
};

static struct child ask_child(struct screen *screen, xcb_window_t window) {
  return (struct child){
      .window = window,
      .attributes = xcb_get_window_attributes(screen->connection, window),
      .geometry = xcb_get_geometry(screen->connection, window),
      .tree = xcb_query_tree(screen->connection, window),
      .state = ask_property(screen, window, screen->wm_state, 8),
  };
}

/// The application window within a frame: the one with WM_STATE, else the frame itself.
static xcb_window_t client(struct screen *screen, xcb_window_t frame, const xcb_query_tree_reply_t *tree) {
  int count = tree == NULL ? 0 : xcb_query_tree_children_length(tree);
  if (count > MAX_WINDOWS) count = MAX_WINDOWS;
  xcb_window_t *children = tree == NULL ? NULL : xcb_query_tree_children(tree);
  xcb_get_property_cookie_t cookie[MAX_WINDOWS];
  for (int index = 0; index < count; index++) cookie[index] = ask_property(screen, children[index], screen->wm_state, 8);
  xcb_window_t found = frame;
  for (int index = 0; index < count; index++)
    if (is_set(screen, cookie[index]) && found == frame) found = children[index];
  return found;
}

static struct place place_of(const xcb_get_geometry_reply_t *geometry) {
  int border = 2 * geometry->border_width;
  return (struct place){geometry->x, geometry->y, geometry->width + border, geometry->height + border};
}

/// Reads the replies for one child, and keeps the child if it is visible.
static void keep_child(struct screen *screen, const struct child *child) {
  xcb_get_window_attributes_reply_t *attributes = xcb_get_window_attributes_reply(screen->connection, child->attributes, NULL);
  xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(screen->connection, child->geometry, NULL);
  xcb_query_tree_reply_t *tree = xcb_query_tree_reply(screen->connection, child->tree, NULL);
  bool has_state = is_set(screen, child->state);
  bool is_seen = attributes != NULL && geometry != NULL && attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
                 attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
  if (is_seen && screen->count < MAX_WINDOWS) {
    struct window *window = &screen->windows[screen->count++];
    window->frame = child->window;
    window->xid = has_state ? child->window : client(screen, child->window, tree);
    window->place = place_of(geometry);
    int border = geometry->border_width;
    window->inner = (struct place){geometry->x + border, geometry->y + border, geometry->width, geometry->height};
    window->pid = 0;
    text_clear(&window->title);
  }
  free(attributes);
  free(geometry);
  free(tree);
}

/// The pending requests for one visible window.
struct about {
  xcb_get_property_cookie_t name, plain_name, pid;
  xcb_get_geometry_cookie_t geometry;
};

static struct about ask_about(struct screen *screen, const struct window *window) {
  return (struct about){
      .name = ask_property(screen, window->xid, screen->net_wm_name, MAX_TITLE_BYTES),
      .plain_name = ask_property(screen, window->xid, XCB_ATOM_WM_NAME, MAX_TITLE_BYTES),
      .pid = ask_property(screen, window->xid, screen->net_wm_pid, 4),
      .geometry = xcb_get_geometry(screen->connection, window->xid),
  };
}

static void keep_title(struct window *window, const xcb_get_property_reply_t *reply) {
  if (reply == NULL || reply->format != 8 || window->title.length > 0) return;
  text_add(&window->title, xcb_get_property_value(reply), (size_t)xcb_get_property_value_length(reply));
}

static void keep_about(struct screen *screen, struct window *window, const struct about *about) {
  xcb_get_property_reply_t *name = property(screen, about->name);
  xcb_get_property_reply_t *plain_name = property(screen, about->plain_name);
  xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(screen->connection, about->geometry, NULL);
  keep_title(window, name);
  keep_title(window, plain_name);
  window->pid = number(screen, about->pid);
  if (geometry != NULL && window->xid != window->frame) {
    window->inner.x += geometry->x;
    window->inner.y += geometry->y;
    window->inner.width = geometry->width;
    window->inner.height = geometry->height;
  }
  free(name);
  free(plain_name);
  free(geometry);
}

bool screen_look(struct screen *screen) {
  xcb_query_tree_cookie_t cookie = xcb_query_tree(screen->connection, screen->root);
  xcb_get_property_cookie_t active = ask_property(screen, screen->root, screen->net_active_window, 4);
  xcb_query_tree_reply_t *tree = xcb_query_tree_reply(screen->connection, cookie, NULL);
  screen->active = number(screen, active);
  screen->count = 0;
  if (tree == NULL) return false;
  int count = xcb_query_tree_children_length(tree);
  struct child *children = calloc((size_t)count + 1, sizeof *children);
  if (children == NULL) abort();
  for (int index = 0; index < count; index++) children[index] = ask_child(screen, xcb_query_tree_children(tree)[index]);
  for (int index = 0; index < count; index++) keep_child(screen, &children[index]);
  free(children);
  free(tree);
  struct about abouts[MAX_WINDOWS];
  for (int index = 0; index < screen->count; index++) abouts[index] = ask_about(screen, &screen->windows[index]);
  for (int index = 0; index < screen->count; index++) keep_about(screen, &screen->windows[index], &abouts[index]);
  return !xcb_connection_has_error(screen->connection);
}

const struct window *screen_find(const struct screen *screen, xcb_window_t xid) {
  for (int index = 0; index < screen->count; index++)
    if (screen->windows[index].xid == xid) return &screen->windows[index];
  return NULL;
}

bool screen_expects(struct screen *screen, xcb_window_t xid) {
  xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(screen->connection, xid);
  xcb_get_property_cookie_t state = ask_property(screen, xid, screen->wm_state, 4);
  xcb_get_window_attributes_reply_t *attributes = xcb_get_window_attributes_reply(screen->connection, cookie, NULL);
  bool is_aside = number(screen, state) == ICONIC;
  bool is_managed = attributes != NULL && !attributes->override_redirect;
  bool is_viewable = attributes != NULL && attributes->map_state == XCB_MAP_STATE_VIEWABLE;
  free(attributes);
  return is_viewable || (is_managed && !is_aside);
}
