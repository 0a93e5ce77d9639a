// The network between the hosts of the benchmark. With root rights on Linux, each host is a network namespace with an address of its own
// behind a bridge, with delay and loss where the kernel has netem, and can be cut off. Otherwise all processes share the loopback address.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface HostNetwork {
  /** For the configuration in the outcome. */
  readonly about: string;
  /** Of the daemon and of the broker. */
  readonly address: string;
  /** The command that runs a program on the host of this number, without the program. */
  within(host: number): readonly string[];
  /** Absent where no host can be cut off. */
  readonly link?: HostLinks;
  close(): Promise<void>;
}

interface HostLinks {
  /** From now on no packet passes, and nobody is told. */
  cut(host: number): Promise<void>;
  mend(host: number): Promise<void>;
}

const BRIDGE = 'dartbench';
const [SUBNET, DAEMON] = ['10.213.77', 1] as const;
const FIRST_HOST = 11;
/** In each direction. */
const NETEM = 'delay 2ms 500us loss 0.1%';

const LOOPBACK: HostNetwork = {
  about: 'one loopback address, without delay, loss and partitions (no network namespaces here)',
  address: '127.0.0.1',
  within: () => [],
  close: async () => undefined,
};

export async function withNetwork<T>(
  hosts: number,
  say: (text: string) => void,
  work: (network: HostNetwork) => Promise<T>,
): Promise<T> {
  const network = await openNetwork(hosts);
  say(`  ${network.about}`);
  try {
    return await work(network);
  } finally {
    await network.close();
  }
}

async function openNetwork(hosts: number): Promise<HostNetwork> {
  const numbers = Array.from({ length: hosts }, (_, host) => host);
  const remove = () => removed(numbers);
  try {
    // An earlier benchmark may have been killed.
    await remove();
    await command(`ip link add ${BRIDGE} type bridge`);
    await command(`ip addr add ${SUBNET}.${DAEMON}/24 dev ${BRIDGE}`);
    await command(`ip link set ${BRIDGE} up`);
    for (const host of numbers) await addHost(host);
  } catch {
    await remove();
    return LOOPBACK;
  }
  const hasNetem = await withNetem(numbers);
  return {
    about: hasNetem
      ? `network namespaces, each with ${NETEM}`
      : 'network namespaces, without delay and loss (no netem in this kernel)',
    address: `${SUBNET}.${DAEMON}`,
    within: host => ['ip', 'netns', 'exec', nameOf(host)],
    link: {
      cut: host => command(`ip link set ${outer(host)} nomaster`),
      mend: host => command(`ip link set ${outer(host)} master ${BRIDGE}`),
    },
    close: remove,
  };
}

async function addHost(host: number): Promise<void> {
  const name = nameOf(host);
  await command(`ip netns add ${name}`);
  await command(`ip link add ${outer(host)} type veth peer name ${inner(host)} netns ${name}`);
  await command(`ip link set ${outer(host)} master ${BRIDGE} up`);
  await command(`ip -n ${name} addr add ${SUBNET}.${FIRST_HOST + host}/24 dev ${inner(host)}`);
  for (const device of ['lo', inner(host)]) await command(`ip -n ${name} link set ${device} up`);
}

/** False if the kernel has no netem. */
async function withNetem(hosts: readonly number[]): Promise<boolean> {
  try {
    for (const host of hosts) {
      await command(`tc qdisc add dev ${outer(host)} root netem ${NETEM}`);
      await command(`tc -n ${nameOf(host)} qdisc add dev ${inner(host)} root netem ${NETEM}`);
    }
    return true;
  } catch {
    return false;
  }
}

async function removed(hosts: readonly number[]): Promise<void> {
  const ignoringMissing = (line: string) => command(line).catch(() => undefined);
  for (const host of hosts) {
    await ignoringMissing(`ip link del ${outer(host)}`);
    await ignoringMissing(`ip netns del ${nameOf(host)}`);
  }
  await ignoringMissing(`ip link del ${BRIDGE}`);
}

async function command(line: string): Promise<void> {
  const [program = '', ...args] = line.split(' ');
  await promisify(execFile)(program, args);
}

const nameOf = (host: number): string => `${BRIDGE}-${host}`;
const outer = (host: number): string => `${BRIDGE}-o${host}`;
const inner = (host: number): string => `${BRIDGE}-i${host}`;
