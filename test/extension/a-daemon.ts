// A daemon as its file tells of it, for tests that need one and dial none.

import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

export const DAEMON: DaemonAddress = {
  ...{ pid: 7, place: 'lab', boot: 'monday', began: '' },
  ...{ port: 4000, token: 'a-token', version: 1, startedAt: 0 },
};
