#include "tooltips.h"

static void no_tooltip(GObject *widget, GParamSpec *changed, gpointer data) {
  (void)changed;
  (void)data;
  gboolean has = FALSE;
  g_object_get(widget, "has-tooltip", &has, NULL);
  if (has) g_object_set(widget, "has-tooltip", FALSE, NULL);
}

static gboolean on_realize(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  (void)hint;
  (void)count;
  (void)data;
  GObject *widget = g_value_get_object(values);
  g_signal_handlers_disconnect_by_func(widget, no_tooltip, NULL);
  g_signal_connect(widget, "notify::has-tooltip", G_CALLBACK(no_tooltip), NULL);
  no_tooltip(widget, NULL, NULL);
  return TRUE;
}

void tooltips_off(const struct toolkit *toolkit) { toolkit_hook(toolkit, "realize", on_realize); }
