// Adapts the widgets of the application to a screen that is read by a program.
//
// Tooltips are off: they depend on how long the pointer rests, so two snapshots of the same screen would differ. The frame limit of GTK 3
// is off: GTK assumes a display of 60 Hz and waits 17 ms between two frames, and the effect of a click often appears only in the second
// frame. This display shows every frame at once.

#ifndef DARTBOARD_WIDGETS_H
#define DARTBOARD_WIDGETS_H

#include "toolkit.h"

/// Applies to every widget that is shown from now on. `toolkit` must outlive the application.
void widgets_adapt(const struct toolkit *toolkit);

/// The longest time until a pending frame is drawn, in milliseconds.
int widgets_frame_wait(void);

#endif
