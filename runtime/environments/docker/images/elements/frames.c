#include "frames.h"

/// Microseconds from one picture to the next.
#define INTERVAL 1000

/// Milliseconds, in which a timer is over that lasts one interval and a half; and the same where nothing could be done.
#define APART 4
#define USUALLY_APART 20

/// How GTK 3 keeps the times of one picture. It shows them to everybody, and lets nobody write them; it is no longer developed, and
/// so they stay where they are. They are compared with what it shows all the same, before and after.
struct times {
  guint references;
  gint64 number;
  guint64 cookie;
  gint64 begun, smoothed, drawn, shown, interval;
};

static const struct toolkit *kept;
/// Whether the times are kept as said above, as far as one has seen.
static bool is_known;

static bool are_those(const struct times *times) {
  const struct toolkit *toolkit = kept;
  return toolkit->times_number(times) == times->number && toolkit->times_begun(times) == times->begun &&
         toolkit->times_shown(times) == times->shown && toolkit->times_interval(times) == times->interval;
}

/// When the next one may come is reckoned from what is known of this one.
static void on_painted(GObject *clock, gpointer data) {
  (void)data;
  struct times *times = is_known ? kept->clock_times(clock) : NULL;
  if (times == NULL) return;
  is_known = are_those(times);
  // Where somebody knows when it was shown, let it be.
  if (!is_known || times->shown != 0) return;
  times->shown = times->begun;
  times->interval = INTERVAL;
  is_known = are_those(times);
}

static gboolean on_realize(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  (void)hint;
  (void)count;
  (void)data;
  GObject *widget = g_value_get_object(values);
  // All that is in a window is drawn by its clock.
  GObject *window = kept->widget_toplevel(widget) == widget ? kept->widget_window(widget) : NULL;
  GObject *clock = window == NULL ? NULL : kept->window_clock(window);
  if (clock == NULL) return TRUE;
  g_signal_handlers_disconnect_by_func(clock, on_painted, NULL);
  g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), NULL);
  return TRUE;
}

void frames_hasten(const struct toolkit *toolkit) {
  // GTK 2 draws whenever it has time.
  bool has_clock = toolkit->window_clock && toolkit->clock_times && toolkit->times_number && toolkit->times_begun &&
                   toolkit->times_shown && toolkit->times_interval;
  if (!has_clock) return;
  kept = toolkit;
  is_known = true;
  toolkit_hook(toolkit, "realize", on_realize);
}

int frames_apart(void) { return is_known ? APART : USUALLY_APART; }
