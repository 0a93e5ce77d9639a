// When GTK 3 draws. It takes a screen for one that shows 60 pictures a second, and lets 17 ms pass between two of them; and what a
// click does is often seen only with the second. This screen shows what is drawn at once, and so no time need pass.

#ifndef DARTBOARD_FRAMES_H
#define DARTBOARD_FRAMES_H

#include "toolkit.h"

/// In every window that is brought up from now on. `toolkit` is kept.
void frames_hasten(const struct toolkit *toolkit);

/// Milliseconds within which a picture comes if one is due.
int frames_apart(void);

#endif
