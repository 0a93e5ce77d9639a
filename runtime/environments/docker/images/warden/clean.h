// Makes a container what it was before anybody used it: ends all that runs, empties all that can be written, and looks whether that
// has come about.

#ifndef DARTBOARD_CLEAN_H
#define DARTBOARD_CLEAN_H

#include "text.h"

/// Before anything else has run: what this process may do, and how it is treated, passes on to all that it starts.
void clean_remember(void);

/// Adds what is left after all, in words; nothing where the container is as it was.
void clean(struct text *left);

#endif
