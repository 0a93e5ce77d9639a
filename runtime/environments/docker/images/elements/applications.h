// The applications that tell their elements (module.c), as the hub knows them: asked all at once, each given a while to answer.

#ifndef DARTBOARD_APPLICATIONS_H
#define DARTBOARD_APPLICATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "text.h"

#define MOST_APPLICATIONS 32

struct application {
  pid_t pid;
  /// -1 while there is no connection.
  int socket;
  /// The request that it owes an answer to; 0 for none.
  uint32_t owed;
  /// The last request that it has answered, and what it said: windows and nodes as module.c writes them.
  uint32_t answered;
  struct text tree;
  bool is_rested;
  bool is_whole;
  /// Whether the answer is that to the request which is being dealt with.
  bool is_late;
  /// What has come of the next answer.
  struct text coming;
};

struct applications {
  const char *folder;
  struct application all[MOST_APPLICATIONS];
  int count;
  uint32_t number;
};

/// Asks whoever there is, and waits until all have answered or their time is over. Those that owe an answer from before get much
/// less time: one that hangs must not slow every step.
void applications_ask(struct applications *applications);

#endif
