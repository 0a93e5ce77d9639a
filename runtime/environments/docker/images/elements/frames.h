// Removes the frame limit of GTK 3. GTK assumes a display of 60 Hz and waits 17 ms between two frames; the effect of a click often
// appears only in the second frame. This display shows every frame at once, so the wait is useless.

#ifndef DARTBOARD_FRAMES_H
#define DARTBOARD_FRAMES_H

#include "toolkit.h"

/// Applies to every window that is shown from now on. `toolkit` must outlive the application.
void frames_hasten(const struct toolkit *toolkit);

/// The longest time until a pending frame is drawn, in milliseconds.
int frames_apart(void);

#endif
