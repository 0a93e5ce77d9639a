#include "tree.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "places.h"

/// Bytes. A policy reads the first few; a page of a document still fits.
#define LONGEST_NAME 400
#define LONGEST_VALUE 4000
/// More nodes than fit on a screen, and less of the application's time than anybody would notice.
#define MOST_NODES 2000
#define MOST_DEPTH 60
#define MOST_MILLISECONDS 60
/// How often the time is looked at: to ask for it costs as much as a node.
#define VISITS_BETWEEN 16
/// Of more children than these only those are asked that can be seen: a table has as many as it has cells.
#define MOST_CHILDREN 200
/// Nothing on a screen is farther away: other numbers mean that there is no place.
#define FARTHEST 30000

/// What a node takes from the node above it.
struct above {
  gulong window;
  gint depth;
  struct box box;
  /// How far the boxes that are told lie from where they are drawn.
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
  gint64 since;
  bool is_slow;
  bool is_whole;
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

/// What this thread has computed for: on a busy machine others take time in between.
static gint64 milliseconds(void) {
  struct timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return (gint64)spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
}

static bool has_place(struct box box) {
  return box.width > 0 && box.height > 0 && box.width < FARTHEST && box.height < FARTHEST && box.x > -FARTHEST &&
         box.y > -FARTHEST && box.x < FARTHEST && box.y < FARTHEST;
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

/// Of a text that is too long, what begins at the top left of what is seen of it.
static gint first_seen(AtkText *text, gint count, struct box box) {
  if (count <= LONGEST_VALUE) return 0;
  gint first = atk_text_get_offset_at_point(text, MAX(box.x, 0) + 2, MAX(box.y, 0) + 2, ATK_XY_SCREEN);
  return first < 0 || first >= count ? 0 : first;
}

/// Takes out what stands for an object within a text, U+FFFC: the object is a node itself.
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
    gchar *value = count <= 0 ? NULL : atk_text_get_text(ATK_TEXT(object), first, MIN(count, first + LONGEST_VALUE));
    if (value != NULL) drop_objects(value);
    bool is_new = value != NULL && strcmp(value, name) != 0;
    text_add_json(text, is_new ? value : "", is_new ? strlen(value) : 0, LONGEST_VALUE);
    g_free(value);
    return;
  }
  double value = NAN;
  // Not asked for, and to be taken all the same: GTK writes it without looking whether anybody wants it.
  gchar *words = NULL;
  if (role != ATK_ROLE_PASSWORD_TEXT && ATK_IS_VALUE(object)) atk_value_get_value_and_text(ATK_VALUE(object), &value, &words);
  g_free(words);
  if (isfinite(value)) text_print(text, "\"%g\"", value);
  else text_add_string(text, "\"\"");
}

/// An icon is called what is written below it.
static gchar *caption_of(AtkObject *object) {
  if (atk_object_get_role(object) != ATK_ROLE_ICON || !ATK_IS_TEXT(object)) return NULL;
  gint count = atk_text_get_character_count(ATK_TEXT(object));
  return count <= 0 ? NULL : atk_text_get_text(ATK_TEXT(object), 0, MIN(count, LONGEST_NAME));
}

/// What it is called; else what it is labelled by; else what is told about it, as of buttons that are only a picture.
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

/// Which window it is in: its widget knows. What is no widget, as a cell is not, is where the node above it is.
static void tell_window(struct walk *walk, AtkObject *object, gulong *window) {
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
  text_add_json(text, role_name == NULL ? "" : role_name, role_name == NULL ? 0 : strlen(role_name), LONGEST_NAME);
  text_add_string(text, ",\"name\":");
  text_add_json(text, name, strlen(name), LONGEST_NAME);
  text_add_string(text, ",\"value\":");
  add_value(text, object, role, box, name);
  text_add_string(text, ",\"states\":[");
  add_states(text, states);
  text_print(text, "],\"box\":[%d,%d,%d,%d],\"depth\":%d}\n", box.x, box.y, box.width, box.height, depth);
  g_free(name);
}

static bool may_go_on(struct walk *walk, gint depth) {
  if (walk->visits++ % VISITS_BETWEEN == 0) walk->is_slow = milliseconds() - walk->since >= MOST_MILLISECONDS;
  if (depth < MOST_DEPTH && walk->nodes < MOST_NODES && !walk->is_slow) return true;
  walk->is_whole = false;
  return false;
}

static void visit(struct walk *walk, AtkObject *object, struct above above);

/// The cells of a table by where they are, row by row: it says itself which one is at a point.
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
  if (count > MOST_CHILDREN && ATK_IS_COMPONENT(object) && has_place(box)) {
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

/// LibreOffice draws the contents of a window itself, and tells places in them as if the menu bar that GTK draws above were not
/// there. The widget which it draws on is as large, and tells its own place; so do the widgets that it puts in between.
static void learn_shift(const struct walk *walk, struct above *above, AtkObject *object, AtkRole role, struct box box) {
  bool is_drawn = role == ATK_ROLE_ROOT_PANE;
  if (is_drawn && box.width == above->box.width && box.height == above->box.height) {
    above->x = above->box.x - box.x;
    above->y = above->box.y - box.y;
  } else if (!is_drawn && toolkit_widget(walk->toolkit, object) != NULL) above->x = above->y = 0;
}

static void visit_showing(struct walk *walk, AtkObject *object, AtkStateSet *states, struct above above) {
  AtkRole role = atk_object_get_role(object);
  struct box box = places_of(&walk->places, object);
  learn_shift(walk, &above, object, role, box);
  // Its own menu bar is told again by what is shifted, and is not drawn there.
  if (role == ATK_ROLE_MENU_BAR && (above.x != 0 || above.y != 0)) return;
  struct box drawn = {box.x + above.x, box.y + above.y, box.width, box.height};
  tell_window(walk, object, &above.window);
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

bool tree_write(struct text *text, const struct toolkit *toolkit) {
  struct walk walk = {.text = text, .toolkit = toolkit, .places = places_begin(toolkit), .since = milliseconds(), .is_whole = true};
  AtkObject *root = atk_get_root();
  if (root != NULL) visit_children(&walk, root, (struct box){0}, (struct above){0});
  return walk.is_whole;
}
