// The accessibility tree of the own application, as lines of text.

#ifndef DARTBOARD_TREE_H
#define DARTBOARD_TREE_H

#include "text.h"
#include "toolkit.h"

/// Adds the visible nodes. Each window begins with a line `window XID` (0 if the id is unknown). One line per node follows: a JSON object
/// without its opening brace. A menu is a window of its own. Large trees are cut at limits of nodes, depth and time.
void tree_write(struct text *text, const struct toolkit *toolkit);

#endif
