// The accessibility tree of the application that this runs in, as lines.

#ifndef DARTBOARD_TREE_H
#define DARTBOARD_TREE_H

#include "text.h"
#include "toolkit.h"

/// Adds what is showing. First comes a line `window XID`, with 0 for a window without a number; then a line for each node in it,
/// a JSON object without its opening brace; then the next window. A menu is a window of its own, wherever it is in the tree.
/// Gives false where something was left out, since there was too much of it.
bool tree_write(struct text *text, const struct toolkit *toolkit);

#endif
