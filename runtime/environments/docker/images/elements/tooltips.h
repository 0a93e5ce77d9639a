// Disables tooltips. They depend on how long the pointer rests, so two snapshots of the same screen would differ.

#ifndef DARTBOARD_TOOLTIPS_H
#define DARTBOARD_TOOLTIPS_H

#include "toolkit.h"

/// Applies to every widget that is shown from now on.
void tooltips_off(const struct toolkit *toolkit);

#endif
