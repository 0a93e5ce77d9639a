// Restores the initial state of the container: kills all processes, empties all writable folders, and verifies the result.

#ifndef DARTBOARD_CLEAN_H
#define DARTBOARD_CLEAN_H

#include "text.h"

/// Call before any other process starts: children inherit the limits and priorities of this process.
void clean_remember(void);

/// Adds a description of what could not be restored; nothing if the container is clean.
void clean(struct text *left);

#endif
