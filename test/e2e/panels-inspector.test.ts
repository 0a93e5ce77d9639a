// One trajectory in detail in Chromium: steps, pictures, decisions, two side by side, verdict, success pool.

import { beforeEach, expect, test } from 'vitest';
import { describePanels, ONE, OTHER } from './panels-fixture.ts';

describePanels('one trajectory', fixture => {
  const count = (text: string) => fixture.page.locator('.count').first().getByText(text, { exact: true });

  const whole = fixture.library.detail(ONE);

  /** In one task of the page: on a busy machine, the keys may be too far apart. */
  const pressInList = (...keys: string[]) =>
    fixture.page.getByRole('listbox', { name: 'Trajectories' }).evaluate((list, all) => {
      for (const chord of all) {
        const key = chord.replace('Control+', '');
        const pressed = { key, ctrlKey: key !== chord, bubbles: true, cancelable: true };
        list.dispatchEvent(new KeyboardEvent('keydown', pressed));
      }
    }, keys);

  beforeEach(async () => {
    await fixture.open(`#/trajectories?trajectory=${ONE}`);
    await fixture.page.getByRole('heading', { name: whole.instruction }).waitFor();
  });

  test('the arrow keys move through the steps, and a reload keeps the step', async () => {
    await fixture.page.keyboard.press('ArrowRight');
    await fixture.page.keyboard.press('ArrowRight');
    await count(`Step 3 of ${whole.steps}`).waitFor();
    await fixture.page.reload();
    await count(`Step 3 of ${whole.steps}`).waitFor();
    await fixture.page.keyboard.press('End');
    await count(`After ${whole.steps} steps`).waitFor();
  });

  test('shows the screen of the selected step', async () => {
    const shown = () =>
      fixture.page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.picture');
        return canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data.join() ?? '';
      });
    await fixture.page.locator('.frame[data-waiting="false"]').first().waitFor();
    const first = await shown();
    expect(first.length).toBeGreaterThan(320 * 240 * 4);
    await fixture.page.keyboard.press('End');
    await expect.poll(shown).not.toBe(first);
  });

  test('shows the decisions of a step', async () => {
    const [step] = whole.each;
    await fixture.page
      .locator('.decisions')
      .getByRole('heading', { name: step?.says ?? '' })
      .waitFor();
    await fixture.page.locator('.decisions [data-chosen="true"]').first().waitFor();
    await fixture.page.locator('.decisions').getByText('Uncertainty').waitFor();
  });

  test('fetches elements only when their overlay is on, and a reload keeps the overlay', async () => {
    expect(fixture.daemon.requestsOf('trajectory.elements')).toEqual([]);
    await fixture.page.getByRole('button', { name: 'Elements' }).click();
    await expect.poll(() => fixture.daemon.requestsOf('trajectory.elements').length).toBe(1);
    await fixture.page.reload();
    await expect.poll(() => fixture.daemon.requestsOf('trajectory.elements').length).toBe(2);
  });

  test('playback stops at the end', async () => {
    await fixture.page.keyboard.press('End');
    await fixture.page.keyboard.press('ArrowLeft');
    await fixture.page.keyboard.press('Space');
    await count(`After ${whole.steps} steps`).waitFor();
    await fixture.page.getByRole('button', { name: 'Play' }).waitFor();
  });

  test('playback ends when the panel is left, which stays left', async () => {
    await fixture.openWithClock(`#/trajectories?trajectory=${ONE}`);
    await count(`Step 1 of ${whole.steps}`).waitFor();
    await fixture.page.keyboard.press('Space');
    await fixture.page.getByRole('button', { name: 'Pause' }).waitFor();
    const nav = fixture.page.getByRole('navigation', { name: 'Panels' });
    await nav.getByRole('link', { name: 'Training' }).click();
    await fixture.page.getByText('10:00 of 20:00 trained').waitFor();
    await fixture.page.clock.runFor(5000);
    expect(await fixture.page.title()).toBe('Training – Dartboard');
    await nav.getByRole('link', { name: 'Trajectories' }).click();
    await fixture.page.getByRole('button', { name: 'Play' }).waitFor();
  });

  test('two trajectories open side by side, and the arrow keys move both', async () => {
    await fixture.page.goto(
      `http://127.0.0.1:${fixture.daemon.port}/#/trajectories?trajectory=${ONE}&beside=${OTHER}`,
    );
    await fixture.page.reload();
    await expect.poll(() => fixture.page.locator('.inspector h2').count()).toBe(2);
    await fixture.page.keyboard.press('ArrowRight');
    await expect
      .poll(() => fixture.page.locator('.count').allTextContents())
      .toEqual([`Step 2 of ${whole.steps}`, `Step 2 of ${fixture.library.detail(OTHER).steps}`]);
    await fixture.page.getByRole('button', { name: 'Close the second trajectory' }).click();
    await expect.poll(() => fixture.page.locator('.inspector h2').count()).toBe(1);
  });

  test('a verdict by hand is sent, and a second press removes it', async () => {
    const success = fixture.page.getByRole('button', { name: 'Set the verdict to success' });
    const said = () => fixture.daemon.requestsOf('annotate').map(({ params }) => params);
    const verdict = (given: boolean | null) => ({
      ...{ trajectory: ONE, who: 'anonymous' },
      remark: { kind: 'verdict', success: given },
    });
    await success.click();
    await expect.poll(said).toEqual([verdict(true)]);
    await fixture.page.getByText('Verdict by hand:').waitFor();
    await success.click();
    await expect.poll(said).toEqual([verdict(true), verdict(null)]);
  });

  test('a success can be added to the success pool and removed', async () => {
    const isSuccess = (id: string) => fixture.library.detail(id).outcome === 'success';
    const ids = Array.from({ length: 50 }, (_, at) => `t-00${9999 - at}`);
    const [good = '', bad = ''] = [ids.find(isSuccess), ids.find(id => !isSuccess(id))];
    const open = async (id: string) => {
      await fixture.page.goto(`http://127.0.0.1:${fixture.daemon.port}/#/trajectories?trajectory=${id}`);
      await fixture.page.reload();
      await fixture.page.getByRole('heading', { name: fixture.library.detail(id).instruction }).waitFor();
    };
    await open(bad);
    const pool = fixture.page.getByRole('button', { name: 'Success pool' });
    expect(await pool.count()).toBe(0);
    await open(good);
    await pool.waitFor();
    await fixture.page.getByRole('button', { name: 'Success pool', pressed: false }).click();
    const star = fixture.page.locator('.row .star:visible');
    await star.waitFor();
    await fixture.page.getByRole('button', { name: 'Success pool', pressed: true }).click();
    await fixture.page.getByRole('button', { name: 'Success pool', pressed: false }).waitFor();
    await star.waitFor({ state: 'hidden' });
    const said = fixture.daemon.requestsOf('annotate').map(({ params: { remark } }) => remark);
    expect(said.slice(-2)).toEqual([
      { kind: 'pool', isMember: true },
      { kind: 'pool', isMember: null },
    ]);
  });

  test('Escape returns to the list, and the back button to the trajectory', async () => {
    await fixture.page.keyboard.press('Escape');
    await fixture.page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
    await fixture.page.goBack();
    await fixture.page.getByRole('heading', { name: whole.instruction }).waitFor();
  });

  test.each([
    // It stays closed.
    { key: 'Escape', opened: () => '' },
    // The trajectory of the arrow key opens, although the step of the open one changes.
    { key: 'ArrowRight', opened: (newest: string) => `?trajectory=${newest}` },
    // The pair stays.
    { key: 'Control+Enter', opened: (newest: string) => `?trajectory=${ONE}&beside=${newest}` },
  ])('the address after an arrow key and $key', async ({ key, opened }) => {
    await fixture.openWithClock(`#/trajectories?trajectory=${ONE}`);
    const { page } = fixture;
    await page.getByText('10,000 trajectories').waitFor();
    await count(`Step 1 of ${whole.steps}`).waitFor();
    await pressInList('ArrowDown', key);
    await page.clock.runFor(1000);
    const newest = String(fixture.library.ids.at(-1));
    expect(await page.evaluate('location.hash')).toBe(`#/trajectories${opened(newest)}`);
  });

  test('screens that failed while the connection was lost load after it', async () => {
    const { daemon, page } = fixture;
    daemon.unanswered.add('trajectory.frame');
    await page.reload();
    await page.getByRole('heading', { name: whole.instruction }).waitFor();
    await page.locator('.shot').first().waitFor();
    const { port } = daemon;
    await daemon.close();
    await page.locator('.shot canvas[data-missing]').first().waitFor({ state: 'attached' });
    daemon.unanswered.clear();
    await daemon.open(port);
    await page.locator('.frame[data-waiting="false"]').first().waitFor();
    const isDrawn = () =>
      page
        .locator('.shot canvas')
        .first()
        .evaluate(each => {
          const canvas = each as HTMLCanvasElement;
          const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, 1) ?? {};
          return data.some(byte => byte > 0);
        });
    await expect.poll(isDrawn).toBe(true);
    expect(await page.locator('.shot canvas[data-missing]').count()).toBe(0);
  });

  test('a screen that is missing is blank, with the reason', async () => {
    const { daemon, page } = fixture;
    const isBlank = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.picture');
        const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
        return pixels?.every(byte => byte === 0);
      });
    await page.locator('.frame[data-waiting="false"]').first().waitFor();
    expect(await isBlank()).toBe(false);
    daemon.rejections.set('trajectory.frame', 'The screen is missing.');
    await page.evaluate(place => location.assign(place), `#/trajectories?trajectory=${OTHER}`);
    await count('The screen is missing.').waitFor();
    expect(await isBlank()).toBe(true);
  });

  test('shows why it could not be loaded, and tries again', async () => {
    fixture.daemon.rejections.set('trajectory.get', 'Its file is damaged.');
    await fixture.page.reload();
    await fixture.page.getByRole('alert').getByText('Its file is damaged.').waitFor();
    fixture.daemon.rejections.clear();
    await fixture.page.getByRole('button', { name: 'Try again' }).click();
    await fixture.page.getByRole('heading', { name: whole.instruction }).waitFor();
  });
});
