#include "places.h"

/// Types of GTK 3 and of GAIL for GTK 2.
static const char *const STANDARD_TYPES[] = {"GtkWidgetAccessible", "GailWidget"};

static const AtkComponentIface *standard_interface(void) {
  for (gsize index = 0; index < G_N_ELEMENTS(STANDARD_TYPES); index++) {
    GType type = g_type_from_name(STANDARD_TYPES[index]);
    gpointer class = type == 0 ? NULL : g_type_class_peek(type);
    if (class != NULL) return g_type_interface_peek(class, ATK_TYPE_COMPONENT);
  }
  return NULL;
}

struct places places_begin(const struct toolkit *toolkit) { return (struct places){.toolkit = toolkit, .usual = standard_interface()}; }

/// False if the widget is in no window.
static bool find_widget(struct places *places, GObject *widget, struct box *box) {
  const struct toolkit *toolkit = places->toolkit;
  GObject *toplevel = toolkit->widget_toplevel(widget);
  GObject *window = toplevel == NULL ? NULL : toolkit->widget_window(toplevel);
  gint x = 0, y = 0;
  if (window == NULL || !toolkit->widget_translate(widget, toplevel, 0, 0, &x, &y)) return false;
  if (window != places->window) toolkit->window_origin(window, &places->x, &places->y);
  places->window = window;
  toolkit->widget_allocation(widget, box);
  box->x = places->x + x;
  box->y = places->y + y;
  return true;
}

struct box places_of(struct places *places, AtkObject *object) {
  struct box box = {0};
  if (!ATK_IS_COMPONENT(object)) return box;
  const AtkComponentIface *interface = ATK_COMPONENT_GET_IFACE(object);
  bool is_usual = places->usual != NULL && interface->get_extents == places->usual->get_extents;
  GObject *widget = is_usual ? toolkit_widget(places->toolkit, object) : NULL;
  if (widget == NULL || !find_widget(places, widget, &box))
    atk_component_get_extents(ATK_COMPONENT(object), &box.x, &box.y, &box.width, &box.height, ATK_XY_SCREEN);
  return box;
}
