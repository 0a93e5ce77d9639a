// The address of a daemon that does not exist, for tests that open no connection.

import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

export const DAEMON: DaemonAddress = {
  ...{ pid: 7, place: 'lab', boot: 'monday', began: '' },
  ...{ port: 4000, token: 'a-token', version: 1, startedAt: 0 },
};
