// When a container's desktop can be used: its screen greets whoever connects. That its panel is painted is seen on the
// screen alone, and not here.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { DockerHost } from './host.ts';
import { Warden } from './warden.ts';

export async function greets(host: DockerHost, id: string, clock: Clock): Promise<void> {
  const thing = `container ${id.slice(0, 12)}`;
  const warden = new Warden(await host.attach(id), { thing, clock });
  const screen = warden.screen();
  const said = await new Promise<string>(resolve => {
    screen.onData(data => resolve(Buffer.from(data).toString('latin1')));
    void screen.closed.then(code =>
      resolve(`nothing: ${code === undefined ? 'it is gone' : `exit code ${code}`}`),
    );
  });
  warden.close();
  if (said.startsWith('RFB ')) return;
  throw new BoundaryError({ boundary: 'environment', thing, message: `its screen says ${said}` });
}
