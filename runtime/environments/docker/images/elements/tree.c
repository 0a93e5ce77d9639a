#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "places.h"

/// Bytes. A policy reads the first few; one page of a document still fits.
#define MAX_NAME_BYTES 400
#define MAX_VALUE_BYTES 4000
/// Limits of one walk: more nodes than fit on a screen, and less time than a user would notice. DARTBOARD_WALK_MS replaces the time: a
/// spreadsheet on a large screen has a thousand cells.
#define MAX_NODES 2000
#define MAX_DEPTH 60
#define MAX_WALK_MS 60
/// Nodes between two reads of the clock: one read costs as much as one node.
#define NODES_PER_CLOCK_READ 16
/// With more children than this, only visible children are visited: a table has one child per cell.
#define MAX_CHILDREN 200
/// Larger coordinates mean that the node has no position.
#define MAX_COORDINATE 30000

/// State that a node inherits from its parent.
struct above {
  gulong window;
  gint depth;
  struct box box;
  /// Offset between reported boxes and drawn boxes.
  gint x, y;
};

struct walk {
  struct text *text;
  const struct toolkit *toolkit;
  struct places places;
  gulong window;
  bool has_window;
  gint nodes;
  guint visits;
  gint64 since, limit;
  bool is_slow;
};

static const struct {
  AtkStateType state;
  const char *name;
} STATES[] = {
    {ATK_STATE_SHOWING, "showing"},   {ATK_STATE_SENSITIVE, "sensitive"}, {ATK_STATE_ENABLED, "enabled"},
    {ATK_STATE_CHECKED, "checked"},   {ATK_STATE_PRESSED, "pressed"},     {ATK_STATE_SELECTED, "selected"},
    {ATK_STATE_FOCUSED, "focused"},   {ATK_STATE_ACTIVE, "active"},       {ATK_STATE_EXPANDABLE, "expandable"},
    {ATK_STATE_EXPANDED, "expanded"}, {ATK_STATE_EDITABLE, "editable"},   {ATK_STATE_SELECTABLE, "selectable"},
    {ATK_STATE_MULTI_LINE, "multi line"}, {ATK_STATE_INDETERMINATE, "indeterminate"}, {ATK_STATE_MODAL, "modal"},
};

/// CPU time of this thread: wall-clock time would include other processes of a busy machine.
static gint64 milliseconds(void) {
  struct timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return (gint64)spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
}

static bool has_place(struct box box) {
  return box.width > 0 && box.height > 0 && box.width < MAX_COORDINATE && box.height < MAX_COORDINATE && box.x > -MAX_COORDINATE &&
         box.y > -MAX_COORDINATE && box.x < MAX_COORDINATE && box.y < MAX_COORDINATE;
}

static bool has_state(AtkStateSet *states, AtkStateType state) {
  return states != NULL && atk_state_set_contains_state(states, state);
}

static void add_states(struct text *text, AtkStateSet *states) {
  bool is_first = true;
  for (gsize index = 0; index < G_N_ELEMENTS(STATES); index++) {
    if (!has_state(states, STATES[index].state)) continue;
    text_print(text, "%s\"%s\"", is_first ? "" : ",", STATES[index].name);
    is_first = false;
  }
}

/// The offset in a long text of the first visible character.
static gint first_seen(AtkText *text, gint count, struct box box) {
  if (count <= MAX_VALUE_BYTES) return 0;
  gint first = atk_text_get_offset_at_point(text, MAX(box.x, 0) + 2, MAX(box.y, 0) + 2, ATK_XY_SCREEN);
  return first < 0 || first >= count ? 0 : first;
}

/// Removes U+FFFC, the placeholder of an embedded object: the object is a node itself.
static void drop_objects(gchar *value) {
  gchar *to = value;
  for (const gchar *from = value; *from != '\0';)
    if (strncmp(from, "\xEF\xBF\xBC", 3) == 0) from += 3;
    else *to++ = *from++;
  *to = '\0';
}

static void add_value(struct text *text, AtkObject *object, AtkRole role, struct box box, const char *name) {
  if (role != ATK_ROLE_PASSWORD_TEXT && ATK_IS_TEXT(object)) {
    gint count = atk_text_get_character_count(ATK_TEXT(object));
    gint first = first_seen(ATK_TEXT(object), count, box);
    gchar *value = count <= 0 ? NULL : atk_text_get_text(ATK_TEXT(object), first, MIN(count, first + MAX_VALUE_BYTES));
    if (value != NULL) drop_objects(value);
    bool is_new = value != NULL && strcmp(value, name) != 0;
    text_add_json(text, is_new ? value : "", is_new ? strlen(value) : 0, MAX_VALUE_BYTES);
    g_free(value);
    return;
  }
  double value = NAN;
  // Unused, but required: GTK writes these results without a check for NULL.
  gchar *words = NULL;
  if (role != ATK_ROLE_PASSWORD_TEXT && ATK_IS_VALUE(object)) atk_value_get_value_and_text(ATK_VALUE(object), &value, &words);
  g_free(words);
  if (isfinite(value)) text_print(text, "\"%g\"", value);
  else text_add_string(text, "\"\"");
}

/// The name of an icon is the caption below it.
static gchar *caption_of(AtkObject *object) {
  if (atk_object_get_role(object) != ATK_ROLE_ICON || !ATK_IS_TEXT(object)) return NULL;
  gint count = atk_text_get_character_count(ATK_TEXT(object));
  return count <= 0 ? NULL : atk_text_get_text(ATK_TEXT(object), 0, MIN(count, MAX_NAME_BYTES));
}

/// The name of the node, else its label, else its description (buttons that show only a picture).
static gchar *name_of(AtkObject *object) {
  const gchar *name = atk_object_get_name(object);
  if (name != NULL && *name != '\0') return g_strdup(name);
  gchar *caption = caption_of(object);
  if (caption != NULL) return caption;
  AtkRelationSet *relations = atk_object_ref_relation_set(object);
  AtkRelation *relation =
      relations == NULL ? NULL : atk_relation_set_get_relation_by_type(relations, ATK_RELATION_LABELLED_BY);
  GPtrArray *labels = relation == NULL ? NULL : atk_relation_get_target(relation);
  gchar *found = NULL;
  if (labels != NULL && labels->len > 0) found = g_strdup(atk_object_get_name(g_ptr_array_index(labels, 0)));
  if (relations != NULL) g_object_unref(relations);
  if (found != NULL && *found != '\0') return found;
  g_free(found);
  const gchar *description = atk_object_get_description(object);
  return g_strdup(description == NULL ? "" : description);
}

/// Writes the window of the node. The widget knows its window; an object that is not a widget is in the window of its parent.
static void write_window(struct walk *walk, AtkObject *object, gulong *window) {
  const struct toolkit *toolkit = walk->toolkit;
  gulong own = toolkit_xid(toolkit, toolkit_widget(toolkit, object));
  if (own != 0) *window = own;
  if (walk->has_window && walk->window == *window) return;
  walk->has_window = true;
  walk->window = *window;
  text_print(walk->text, "window %lu\n", *window);
}

static void add_node(struct walk *walk, AtkObject *object, AtkStateSet *states, AtkRole role, struct box box, gint depth) {
  struct text *text = walk->text;
  const gchar *role_name = atk_role_get_name(role);
  gchar *name = name_of(object);
  walk->nodes++;
  text_add_string(text, "\"role\":");
  text_add_json(text, role_name == NULL ? "" : role_name, role_name == NULL ? 0 : strlen(role_name), MAX_NAME_BYTES);
  text_add_string(text, ",\"name\":");
  text_add_json(text, name, strlen(name), MAX_NAME_BYTES);
  text_add_string(text, ",\"value\":");
  add_value(text, object, role, box, name);
  text_add_string(text, ",\"states\":[");
  add_states(text, states);
  text_print(text, "],\"box\":[%d,%d,%d,%d],\"depth\":%d}\n", box.x, box.y, box.width, box.height, depth);
  g_free(name);
}

static bool may_go_on(struct walk *walk, gint depth) {
  if (walk->visits++ % NODES_PER_CLOCK_READ == 0) walk->is_slow = milliseconds() - walk->since >= walk->limit;
  return depth < MAX_DEPTH && walk->nodes < MAX_NODES && !walk->is_slow;
}

static void visit(struct walk *walk, AtkObject *object, struct above above);

/// Visits the visible cells of a table row by row. The table reports which cell is at a point.
static void visit_seen(struct walk *walk, AtkObject *object, struct box box, struct above above) {
  AtkComponent *component = ATK_COMPONENT(object);
  gint right = box.x + box.width, below = box.y + box.height;
  for (gint y = MAX(box.y, 0) + 1; y < below;) {
    gint next_row = y + 8;
    for (gint x = MAX(box.x, 0) + 1; x < right;) {
      if (!may_go_on(walk, above.depth)) return;
      AtkObject *cell = atk_component_ref_accessible_at_point(component, x, y, ATK_XY_SCREEN);
      struct box at = cell == NULL || cell == object ? (struct box){0} : places_of(&walk->places, cell);
      bool is_cell = has_place(at) && at.x <= x && at.x + at.width > x;
      if (is_cell) {
        visit(walk, cell, above);
        next_row = MAX(next_row, at.y + at.height + 1);
      }
      x = is_cell ? at.x + at.width + 1 : x + 16;
      if (cell != NULL) g_object_unref(cell);
    }
    y = next_row;
  }
}

static void visit_children(struct walk *walk, AtkObject *object, struct box box, struct above above) {
  gint count = atk_object_get_n_accessible_children(object);
  if (count > MAX_CHILDREN && ATK_IS_COMPONENT(object) && has_place(box)) {
    visit_seen(walk, object, box, above);
    return;
  }
  for (gint index = 0; index < count && may_go_on(walk, above.depth); index++) {
    AtkObject *child = atk_object_ref_accessible_child(object, index);
    if (child == NULL) continue;
    visit(walk, child, above);
    g_object_unref(child);
  }
}

/// LibreOffice draws the contents of a window itself and reports positions as if the GTK menu bar above did not exist. The drawing
/// widget has the same size and reports its true position, so the difference is the offset.
static void update_offset(const struct walk *walk, struct above *above, AtkObject *object, AtkRole role, struct box box) {
  bool is_drawn = role == ATK_ROLE_ROOT_PANE;
  if (is_drawn && box.width == above->box.width && box.height == above->box.height) {
    above->x = above->box.x - box.x;
    above->y = above->box.y - box.y;
  } else if (!is_drawn && toolkit_widget(walk->toolkit, object) != NULL) above->x = above->y = 0;
}

static void visit_showing(struct walk *walk, AtkObject *object, AtkStateSet *states, struct above above) {
  AtkRole role = atk_object_get_role(object);
  struct box box = places_of(&walk->places, object);
  update_offset(walk, &above, object, role, box);
  // The shifted tree repeats the menu bar at a wrong position.
  if (role == ATK_ROLE_MENU_BAR && (above.x != 0 || above.y != 0)) return;
  struct box drawn = {box.x + above.x, box.y + above.y, box.width, box.height};
  write_window(walk, object, &above.window);
  if (has_place(box)) add_node(walk, object, states, role, drawn, above.depth);
  above.depth++;
  above.box = drawn;
  if (role != ATK_ROLE_PASSWORD_TEXT) visit_children(walk, object, box, above);
}

static void visit(struct walk *walk, AtkObject *object, struct above above) {
  AtkStateSet *states = atk_object_ref_state_set(object);
  bool is_seen = has_state(states, ATK_STATE_SHOWING) && !has_state(states, ATK_STATE_DEFUNCT);
  if (is_seen) visit_showing(walk, object, states, above);
  if (states != NULL) g_object_unref(states);
}

static gint64 walk_limit(void) {
  const char *set = getenv("DARTBOARD_WALK_MS");
  long limit = set == NULL ? 0 : strtol(set, NULL, 10);
  return limit > 0 ? limit : MAX_WALK_MS;
}

void tree_write(struct text *text, const struct toolkit *toolkit) {
  struct walk walk = {.text = text, .toolkit = toolkit, .places = places_begin(toolkit), .since = milliseconds(), .limit = walk_limit()};
  AtkObject *root = atk_get_root();
  if (root != NULL) visit_children(&walk, root, (struct box){0}, (struct above){0});
}
