#include "toolkit.h"

#include <dlfcn.h>

/// Path of the GTK 2 accessibility library on Debian.
#ifndef GAIL
#define GAIL "/usr/lib/x86_64-linux-gnu/gtk-2.0/modules/libgail.so"
#endif

static void *loaded(const char *library) { return dlopen(library, RTLD_LAZY | RTLD_NOLOAD); }

static void start_gail(void) {
  void *gail = dlopen(GAIL, RTLD_LAZY | RTLD_GLOBAL);
  void (*start)(gint *, gchar ***) = gail == NULL ? NULL : dlsym(gail, "gtk_module_init");
  if (start != NULL) start(NULL, NULL);
}

struct toolkit toolkit_find(void) {
  bool is_third = true;
  void *gtk = loaded("libgtk-3.so.0");
  if (gtk == NULL) {
    is_third = false;
    gtk = loaded("libgtk-x11-2.0.so.0");
  }
  if (gtk == NULL) return (struct toolkit){0};
  if (!is_third) start_gail();
  // dlsym also searches the dependencies of a library, so this finds the functions of GDK.
  struct toolkit toolkit = {
      .accessible_type = dlsym(gtk, "gtk_accessible_get_type"),
      .accessible_widget = dlsym(gtk, "gtk_accessible_get_widget"),
      .widget_type = dlsym(gtk, "gtk_widget_get_type"),
      .widget_toplevel = dlsym(gtk, "gtk_widget_get_toplevel"),
      .widget_window = dlsym(gtk, "gtk_widget_get_window"),
      .widget_allocation = dlsym(gtk, "gtk_widget_get_allocation"),
      .widget_translate = dlsym(gtk, "gtk_widget_translate_coordinates"),
      .window_origin = dlsym(gtk, "gdk_window_get_origin"),
      .window_xid = dlsym(gtk, is_third ? "gdk_x11_window_get_xid" : "gdk_x11_drawable_get_xid"),
      .default_display = dlsym(gtk, "gdk_display_get_default"),
      .display_sync = dlsym(gtk, "gdk_display_sync"),
      .enter = dlsym(gtk, "gdk_threads_enter"),
      .leave = dlsym(gtk, "gdk_threads_leave"),
      .window_clock = dlsym(gtk, "gdk_window_get_frame_clock"),
      .clock_times = dlsym(gtk, "gdk_frame_clock_get_current_timings"),
      .times_number = dlsym(gtk, "gdk_frame_timings_get_frame_counter"),
      .times_begun = dlsym(gtk, "gdk_frame_timings_get_frame_time"),
      .times_shown = dlsym(gtk, "gdk_frame_timings_get_presentation_time"),
      .times_interval = dlsym(gtk, "gdk_frame_timings_get_refresh_interval"),
  };
  toolkit.is_there = toolkit.accessible_type && toolkit.accessible_widget && toolkit.widget_type && toolkit.widget_toplevel &&
                     toolkit.widget_window && toolkit.widget_allocation && toolkit.widget_translate && toolkit.window_origin && toolkit.window_xid && toolkit.default_display && toolkit.display_sync &&
                     toolkit.enter && toolkit.leave;
  return toolkit;
}

GObject *toolkit_widget(const struct toolkit *toolkit, AtkObject *object) {
  bool has_one = g_type_is_a(G_OBJECT_TYPE(object), toolkit->accessible_type());
  return has_one ? toolkit->accessible_widget(object) : NULL;
}

gulong toolkit_xid(const struct toolkit *toolkit, GObject *widget) {
  GObject *toplevel = widget == NULL ? NULL : toolkit->widget_toplevel(widget);
  GObject *window = toplevel == NULL ? NULL : toolkit->widget_window(toplevel);
  return window == NULL ? 0 : toolkit->window_xid(window);
}
