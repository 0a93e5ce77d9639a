// The hub's connections to applications that run module.c. All are asked at once, each with a deadline.

#ifndef DARTBOARD_APPLICATIONS_H
#define DARTBOARD_APPLICATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "text.h"

#define MAX_APPLICATIONS 32

struct application {
  pid_t pid;
  /// -1 while disconnected.
  int socket;
  /// The request without an answer yet; 0 for none.
  uint32_t owed;
  /// The last answered request, and the answer: windows and nodes as module.c writes them.
  uint32_t answered;
  struct text tree;
  bool is_rested;
  /// True if the answer belongs to an earlier request.
  bool is_late;
  /// The received part of the next answer.
  struct text coming;
};

struct applications {
  const char *folder;
  struct application all[MAX_APPLICATIONS];
  int count;
  uint32_t number;
};

/// Asks all applications and waits until each has answered or missed its deadline. An application that missed an earlier deadline gets
/// a much shorter one, so that a hung application does not slow down every step.
void applications_ask(struct applications *applications);

#endif
