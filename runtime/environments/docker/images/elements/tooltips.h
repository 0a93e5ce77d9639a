// No tooltips: they come and go with the time that a pointer rests, and two looks at the same screen would differ.

#ifndef DARTBOARD_TOOLTIPS_H
#define DARTBOARD_TOOLTIPS_H

#include "toolkit.h"

/// Of every widget that is brought up from now on.
void tooltips_off(const struct toolkit *toolkit);

#endif
