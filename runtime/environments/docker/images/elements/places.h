// Positions of tree nodes on the screen. GTK would make one round trip to X per widget, although it knows the position of a widget
// within its window. This code asks X for the window only, once per window.

#ifndef DARTBOARD_PLACES_H
#define DARTBOARD_PLACES_H

#include "toolkit.h"

struct box {
  gint x, y, width, height;
};

/// Valid for one walk of a tree, during which no window moves.
struct places {
  const struct toolkit *toolkit;
  /// The standard implementation of ATK positions; NULL if it was not found.
  const AtkComponentIface *usual;
  /// The last window that was queried, and its position.
  GObject *window;
  gint x, y;
};

struct places places_begin(const struct toolkit *toolkit);

/// The node must be showing. The box has no extent if the node has no position.
struct box places_of(struct places *places, AtkObject *object);

#endif
