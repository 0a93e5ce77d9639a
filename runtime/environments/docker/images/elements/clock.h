// The time of this machine, which the hub and the warden share.

#ifndef DARTBOARD_CLOCK_H
#define DARTBOARD_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Since an arbitrary start; never goes back.
static inline int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
