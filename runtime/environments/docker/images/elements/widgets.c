#include "widgets.h"

/// Microseconds between two frames.
#define FRAME_INTERVAL_US 1000

/// Milliseconds that cover a timer of one and a half frame intervals: with the limit removed, and with the default limit.
#define FRAME_WAIT_MS 4
#define DEFAULT_FRAME_WAIT_MS 20

/// The private layout of frame timings in GTK 3. The public API is read-only. GTK 3 is no longer developed, so the layout is stable;
/// the code still compares it with the public values before and after each write.
struct times {
  guint references;
  gint64 number;
  guint64 cookie;
  gint64 begun, smoothed, drawn, shown, interval;
};

static const struct toolkit *kept;
/// True if every timing so far matched the layout above.
static bool is_layout_known;

static bool matches_public_values(const struct times *times) {
  const struct toolkit *toolkit = kept;
  return toolkit->times_number(times) == times->number && toolkit->times_begun(times) == times->begun &&
         toolkit->times_shown(times) == times->shown && toolkit->times_interval(times) == times->interval;
}

/// GTK derives the time of the next frame from these values.
static void on_painted(GObject *clock, gpointer data) {
  struct times *times = is_layout_known ? kept->clock_times(clock) : NULL;
  if (times == NULL) return;
  is_layout_known = matches_public_values(times);
  // The compositor has reported a real presentation time: keep it.
  if (!is_layout_known || times->shown != 0) return;
  times->shown = times->begun;
  times->interval = FRAME_INTERVAL_US;
  is_layout_known = matches_public_values(times);
}

static void drop_tooltip(GObject *widget, GParamSpec *changed, gpointer data) {
  gboolean has = FALSE;
  g_object_get(widget, "has-tooltip", &has, NULL);
  if (has) g_object_set(widget, "has-tooltip", FALSE, NULL);
}

static gboolean on_realize(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  GObject *widget = g_value_get_object(values);
  g_signal_handlers_disconnect_by_func(widget, drop_tooltip, NULL);
  g_signal_connect(widget, "notify::has-tooltip", G_CALLBACK(drop_tooltip), NULL);
  drop_tooltip(widget, NULL, NULL);
  // One frame clock draws a whole window. GTK 2 has no frame limit.
  bool is_drawn = is_layout_known && kept->widget_toplevel(widget) == widget;
  GObject *window = is_drawn ? kept->widget_window(widget) : NULL;
  GObject *clock = window == NULL ? NULL : kept->window_clock(window);
  if (clock == NULL) return TRUE;
  g_signal_handlers_disconnect_by_func(clock, on_painted, NULL);
  g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), NULL);
  return TRUE;
}

void widgets_adapt(const struct toolkit *toolkit) {
  kept = toolkit;
  is_layout_known = toolkit->window_clock && toolkit->clock_times && toolkit->times_number && toolkit->times_begun &&
                    toolkit->times_shown && toolkit->times_interval;
  // Signals exist once the class exists. The reference is never dropped, because the hook lasts as long as the application.
  g_type_class_ref(toolkit->widget_type());
  g_signal_add_emission_hook(g_signal_lookup("realize", toolkit->widget_type()), 0, on_realize, NULL, NULL);
}

int widgets_frame_wait(void) { return is_layout_known ? FRAME_WAIT_MS : DEFAULT_FRAME_WAIT_MS; }
