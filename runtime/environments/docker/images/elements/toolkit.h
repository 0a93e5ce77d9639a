// The GTK functions that the module calls. They are looked up in GTK 2 or GTK 3 at run time, so that one module serves both.

#ifndef DARTBOARD_TOOLKIT_H
#define DARTBOARD_TOOLKIT_H

#include <atk/atk.h>
#include <stdbool.h>

struct toolkit {
  bool is_there;
  /// Functions with the signatures that GTK declares. A widget and a window are plain objects here.
  GType (*accessible_type)(void);
  GObject *(*accessible_widget)(AtkObject *accessible);
  GType (*widget_type)(void);
  GObject *(*widget_toplevel)(GObject *widget);
  GObject *(*widget_window)(GObject *widget);
  /// Fills a GtkAllocation, which has the same fields as a box.
  void (*widget_allocation)(GObject *widget, void *allocation);
  gboolean (*widget_translate)(GObject *widget, GObject *other, gint x, gint y, gint *other_x, gint *other_y);
  gint (*window_origin)(GObject *window, gint *x, gint *y);
  gulong (*window_xid)(GObject *window);
  GObject *(*default_display)(void);
  void (*display_sync)(GObject *display);
  void (*enter)(void);
  void (*leave)(void);
  /// GTK 3 only; NULL in GTK 2.
  GObject *(*window_clock)(GObject *window);
  void *(*clock_times)(GObject *clock);
  gint64 (*times_number)(const void *times);
  gint64 (*times_begun)(const void *times);
  gint64 (*times_shown)(const void *times);
  gint64 (*times_interval)(const void *times);
};

/// Also starts GAIL, the accessibility library of GTK 2.
struct toolkit toolkit_find(void);

/// NULL for objects that are not widgets, such as the cells of a table.
GObject *toolkit_widget(const struct toolkit *toolkit, AtkObject *object);

/// The X id of the widget's toplevel window; 0 before the window exists.
gulong toolkit_xid(const struct toolkit *toolkit, GObject *widget);

#endif
