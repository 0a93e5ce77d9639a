// The few functions of GTK that are needed, of GTK 2 or GTK 3, whichever the application has. Nothing is linked against either, so
// that one module serves both.

#ifndef DARTBOARD_TOOLKIT_H
#define DARTBOARD_TOOLKIT_H

#include <atk/atk.h>
#include <stdbool.h>

struct toolkit {
  bool is_there;
  /// The functions that are looked up, as they are declared by GTK; a widget and a window are objects here.
  GType (*accessible_type)(void);
  GObject *(*accessible_widget)(AtkObject *accessible);
  GType (*widget_type)(void);
  GObject *(*widget_toplevel)(GObject *widget);
  GObject *(*widget_window)(GObject *widget);
  /// Into a GtkAllocation, which has the fields of a box.
  void (*widget_allocation)(GObject *widget, void *allocation);
  gboolean (*widget_translate)(GObject *widget, GObject *other, gint x, gint y, gint *other_x, gint *other_y);
  gint (*window_origin)(GObject *window, gint *x, gint *y);
  gulong (*window_xid)(GObject *window);
  GObject *(*default_display)(void);
  void (*display_sync)(GObject *display);
  void (*enter)(void);
  void (*leave)(void);
  /// Of GTK 3 alone; none in GTK 2.
  GObject *(*window_clock)(GObject *window);
  void *(*clock_times)(GObject *clock);
  gint64 (*times_number)(const void *times);
  gint64 (*times_begun)(const void *times);
  gint64 (*times_shown)(const void *times);
  gint64 (*times_interval)(const void *times);
};

/// Also brings up the accessibility of GTK 2, which is a library of its own there.
struct toolkit toolkit_find(void);

/// Calls `then` for this signal of every widget.
void toolkit_hook(const struct toolkit *toolkit, const char *signal, GSignalEmissionHook then);

/// None for what is no widget, as a cell of a table is not.
GObject *toolkit_widget(const struct toolkit *toolkit, AtkObject *object);

/// The number that X knows the widget's toplevel window by; 0 where there is none yet.
gulong toolkit_xid(const struct toolkit *toolkit, GObject *widget);

#endif
