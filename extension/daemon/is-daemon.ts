import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { CloseCause } from './lifecycle.ts';

/**
 * Whether the process that a daemon file names is that daemon, although it closed a connection before its greeting. One that refuses, such as a
 * daemon of another version, speaks its protocol. One that does not answer is known by the time when it began, where the system shows it:
 * after a crash of the machine another process may have its pid.
 */
export const isDaemon = ({ began }: Pick<DaemonAddress, 'began'>, cause: CloseCause): boolean =>
  cause !== 'lost' || began !== '';
