// Where the nodes of a tree are on the screen. GTK asks X for each widget, and waits for the answer, though it knows itself where
// the widget is within its window: so only the window is asked for, once for all that is in it.

#ifndef DARTBOARD_PLACES_H
#define DARTBOARD_PLACES_H

#include "toolkit.h"

struct box {
  gint x, y, width, height;
};

/// Good for one look at a tree, during which no window moves.
struct places {
  const struct toolkit *toolkit;
  /// Of the widgets that tell their place as all widgets do; none where that is not known.
  const AtkComponentIface *usual;
  /// The window that was asked for last, and where it is.
  GObject *window;
  gint x, y;
};

struct places places_begin(const struct toolkit *toolkit);

/// Without an extent where the node has no place. It must be showing.
struct box places_of(struct places *places, AtkObject *object);

#endif
