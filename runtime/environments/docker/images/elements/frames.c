#include "frames.h"

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
  (void)data;
  struct times *times = is_layout_known ? kept->clock_times(clock) : NULL;
  if (times == NULL) return;
  is_layout_known = matches_public_values(times);
  // The compositor has reported a real presentation time: keep it.
  if (!is_layout_known || times->shown != 0) return;
  times->shown = times->begun;
  times->interval = FRAME_INTERVAL_US;
  is_layout_known = matches_public_values(times);
}

static gboolean on_realize(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  (void)hint;
  (void)count;
  (void)data;
  GObject *widget = g_value_get_object(values);
  // One frame clock draws a whole window.
  GObject *window = kept->widget_toplevel(widget) == widget ? kept->widget_window(widget) : NULL;
  GObject *clock = window == NULL ? NULL : kept->window_clock(window);
  if (clock == NULL) return TRUE;
  g_signal_handlers_disconnect_by_func(clock, on_painted, NULL);
  g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), NULL);
  return TRUE;
}

void frames_hasten(const struct toolkit *toolkit) {
  // GTK 2 has no frame limit.
  bool has_clock = toolkit->window_clock && toolkit->clock_times && toolkit->times_number && toolkit->times_begun &&
                   toolkit->times_shown && toolkit->times_interval;
  if (!has_clock) return;
  kept = toolkit;
  is_layout_known = true;
  toolkit_hook(toolkit, "realize", on_realize);
}

int frames_apart(void) { return is_layout_known ? FRAME_WAIT_MS : DEFAULT_FRAME_WAIT_MS; }
