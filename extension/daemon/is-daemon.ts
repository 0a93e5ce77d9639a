import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { CloseCause } from './lifecycle.ts';

/**
 * True if the process of a daemon file is the daemon. `cause`: the end of a connection to it before its greeting. A daemon of another version
 * refuses, and so proves that it is one. A process that does not answer is known by the time when it began, where the system shows that:
 * after a crash of the machine another process may have the pid of the daemon.
 */
export const isDaemon = ({ began }: Pick<DaemonAddress, 'began'>, cause: CloseCause): boolean =>
  cause !== 'lost' || began !== '';
