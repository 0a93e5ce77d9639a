// The processes of host and trainer in a simulated run: the real modules behind the real channels, with a life of their own.

import { messageOf } from '../../runtime/core/errors.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { FolderInUseError } from '../../runtime/data/files/lock.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { remoteFabric } from '../../runtime/fabric/remote/client.ts';
import { serveFabric } from '../../runtime/fabric/remote/server.ts';
import { Host, type HostStart } from '../../runtime/run/host/host.ts';
import { compactPolicy } from '../../runtime/run/host/host-policy-compact.ts';
import type { ModuleEnd, ModuleOptions } from '../../runtime/run/module-process.ts';
import type { ModuleLife } from '../../runtime/run/module-supervisor.ts';
import type { TrainerStart } from '../../runtime/run/trainer/trainer-child.ts';
import { acquireTrainerLock } from '../../runtime/run/trainer/trainer-lock.ts';
import { Trainer } from '../../runtime/trainer/trainer.ts';
import { kindOf } from './desktops.ts';
import type { Life } from './life.ts';
import { connect } from './messages.ts';
import { openUpdates } from './updates.ts';
import { SimulatedWorker } from './workers.ts';
import type { World } from './world.ts';

/** A process without its daemon ends within this time. */
const ORPHAN_TIMEOUT_MS = 10_000;
const STARTS_WITHIN_MS = 200;

export function startModule(world: World, daemon: Life, options: ModuleOptions<object>): ModuleLife {
  const isHost = options.name === 'host';
  const life = world.begin(`${options.name} at ${world.passed}`, isHost ? 'host' : 'trainer');
  const [near, far] = connect(daemon, life, world.messages);
  serveFabric(options.fabric, near);
  const fabric = remoteFabric(far);
  const stop = new AbortController();
  far.closed(() => {
    stop.abort();
    void life.clock.sleep(ORPHAN_TIMEOUT_MS).then(() => life.die());
  });
  let end: Pick<ModuleEnd, 'isClean' | 'message'> = {
    isClean: false,
    message: `The ${options.name} was killed.`,
  };
  let wasClosed = false;
  let isReady: () => void = () => undefined;
  const started = new Promise<void>(resolve => {
    isReady = resolve;
  });
  const ended = new Promise<ModuleEnd>(resolve => {
    // Registered after that of the fabric: by then everything is given back.
    near.closed(() => resolve({ ...end, wasClosed }));
  });
  const run = async () => {
    try {
      await life.clock.sleep(world.random.fork(life.name).int(STARTS_WITHIN_MS));
      const prepare = isHost ? prepareHost : prepareTrainer;
      const work = await prepare(world, life, options.start as HostStart & TrainerStart, fabric, stop.signal);
      isReady();
      await work();
      end = { isClean: true, message: `The ${options.name} has ended.` };
    } catch (error) {
      end = { isClean: false, message: `The ${options.name} failed: ${messageOf(error)}` };
      world.witness.note(end.message);
    }
    await fabric.close();
    life.die();
  };
  void run();
  const ready = Promise.race([
    started,
    ended.then(({ message }): never => {
      throw new Error(`Before it was ready: ${message}`);
    }),
  ]);
  ready.catch(() => undefined);
  return {
    ready: daemon.whileAlive(ready),
    ended: daemon.whileAlive(ended),
    silentMs: 0,
    close: async timeoutMs => {
      wasClosed = true;
      void life.clock.sleep(world.messages.latency()).then(() => stop.abort());
      void daemon.clock.sleep(timeoutMs).then(() => life.die());
      await daemon.whileAlive(ended);
    },
  };
}

type Prepare<Start> = (
  world: World,
  life: Life,
  start: Start,
  fabric: Fabric,
  stop: AbortSignal,
) => Promise<() => Promise<void>>;

const prepareHost: Prepare<HostStart> = async (world, life, start, fabric, stop) => {
  const host = new Host({
    ...start,
    kind: kindOf(world, life),
    fabric,
    policy: compactPolicy({
      rollout: start.config.rollout,
      startWorker: async index => {
        await life.clock.sleep(STARTS_WITHIN_MS);
        return new SimulatedWorker(world, life, index);
      },
      clock: life.clock,
    }),
    clock: life.clock,
  });
  return () => host.run(stop);
};

const prepareTrainer: Prepare<TrainerStart> = async (
  world,
  life,
  { run, learns, seed, checkpoints, usedVersion },
  fabric,
  stop,
) => {
  if (learns.kind !== 'heads') throw new RangeError('A simulated run trains the built-in policy only.');
  const { clock } = life;
  await acquireTrainerLock(
    {
      take: async () => {
        if (world.trainer !== undefined && !world.trainer.isDead)
          throw new FolderInUseError('The trainer lives.');
        world.trainer = life;
      },
    },
    async () => world.witness.break('two trainers own the checkpoints'),
    clock,
  );
  const disk = world.disk.on(life);
  const folder = new DurableFolder(checkpoints, disk);
  const { recipe, shape } = learns;
  const trainer = await Trainer.open({
    ...{ run, shape, recipe, checkpoints, disk, clock, random: seeded(seed) },
    engine: { open: () => Promise.reject(new Error('A simulated trainer has no engine.')) },
    openUpdates: async (_, from) => openUpdates(world, life, from),
    weights: Float32Array.of(0),
    usedVersion: world.has('versions start again') ? undefined : usedVersion,
    files: {
      write: async (name, bytes) => {
        if (!world.has('checkpoints are lost')) await folder.write(name, bytes);
        world.witness.checkpoint = Number(/\d+/.exec(name)?.[0]);
        world.witness.note(`${name} is durable`);
      },
    },
    channels: {
      ...fabric,
      batches: fabric.batches.taker(),
      lessons: fabric.lessons.taker(),
    },
    keep: async () => undefined,
  });
  return async () => {
    await trainer.run(stop);
    await trainer.close();
  };
};
