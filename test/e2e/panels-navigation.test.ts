// Navigation between panels, the loss of the connection, deadlines, and narrow windows, in Chromium.

import { expect, test } from 'vitest';
import { describePanels, ONE, OTHER } from './panels-fixture.ts';

describePanels('the page of the panels', fixture => {
  const count = (text: string) => fixture.page.locator('.count').first().getByText(text, { exact: true });

  test('each panel keeps its state while another one is shown', async () => {
    await fixture.open(`#/trajectories?trajectory=${ONE}&step=2`);
    await count(`Step 3 of ${fixture.library.detail(ONE).steps}`).waitFor();
    const nav = fixture.page.getByRole('navigation', { name: 'Panels' });
    await nav.getByRole('link', { name: 'Training' }).click();
    await fixture.page.getByText('10:00 of 20:00 trained').waitFor();
    await nav.getByRole('link', { name: 'Trajectories' }).click();
    await count(`Step 3 of ${fixture.library.detail(ONE).steps}`).waitFor();
  });

  test('the back button returns to two trajectories at a step, and then to the entry before them', async () => {
    await fixture.open(`#/trajectories?trajectory=${ONE}`);
    const { page } = fixture;
    const headings = page.locator('.inspector h2');
    await expect.poll(() => headings.count()).toBe(1);
    const pair = `#/trajectories?trajectory=${ONE}&beside=${OTHER}`;
    await page.evaluate(place => location.assign(place), pair);
    await expect.poll(() => headings.count()).toBe(2);
    await page.keyboard.press('ArrowRight');
    await count(`Step 2 of ${fixture.library.detail(ONE).steps}`).waitFor();
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Training' }).click();
    await page.getByText('10:00 of 20:00 trained').waitFor();
    await page.goBack();
    await expect.poll(() => headings.count()).toBe(2);
    await page.goBack();
    await expect.poll(() => headings.count()).toBe(1);
  });

  test('shows a lost connection, and restores the view after it reconnects', async () => {
    await fixture.open(`#/trajectories?trajectory=${ONE}&step=1`);
    await count(`Step 2 of ${fixture.library.detail(ONE).steps}`).waitFor();
    const { port } = fixture.daemon;
    await fixture.daemon.crash();
    await fixture.page.getByText('Connection lost.').waitFor();
    await fixture.restart(port);
    await fixture.page.getByText('Connected', { exact: true }).waitFor();
    await fixture.page.getByText('10,000 trajectories').waitFor();
    await count(`Step 2 of ${fixture.library.detail(ONE).steps}`).waitFor();
    await fixture.page.getByRole('status').getByText('Reconnected at').waitFor();
    // The browser logs an error for each failed attempt to connect.
    fixture.pageErrors.splice(0);
  });

  test('a request without a reply fails at its deadline, and the panel offers to try again', async () => {
    await fixture.openWithClock('#/trajectories');
    await fixture.page.getByText('10,000 trajectories').waitFor();
    fixture.daemon.unanswered.add('trajectories.list');
    await fixture.page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => fixture.daemon.requestsOf('trajectories.list').length).toBeGreaterThan(1);
    await fixture.page.clock.fastForward(31_000);
    await fixture.page.getByText("The daemon did not answer 'trajectories.list' within 30 s.").waitFor();
    fixture.daemon.unanswered.clear();
    await fixture.page.getByRole('button', { name: 'Try again' }).click();
    await fixture.page.getByRole('alert').getByText('did not answer').waitFor({ state: 'hidden' });
    await fixture.page.getByText('10,000 trajectories').waitFor();
  });

  test('a daemon that does not answer is reported while the connection is open', async () => {
    await fixture.openWithClock('#/training');
    await fixture.page.getByText('10:00 of 20:00 trained').waitFor();
    fixture.daemon.unanswered.add('runs.list');
    const lists = fixture.daemon.requestsOf('runs.list').length;
    await fixture.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect.poll(() => fixture.daemon.requestsOf('runs.list').length).toBeGreaterThan(lists);
    await fixture.page.clock.fastForward(18_000);
    fixture.daemon.unanswered.add('daemon.life');
    const before = fixture.daemon.requestsOf('daemon.life').length;
    await fixture.page.clock.fastForward(5000);
    await expect.poll(() => fixture.daemon.requestsOf('daemon.life').length).toBeGreaterThan(before);
    await fixture.page.clock.fastForward(8000);
    await fixture.page.getByText('The daemon does not answer.').waitFor();
    // The focus of the window fetched the list of runs 30 s before.
    const failed = fixture.page.getByText("The daemon did not answer 'runs.list' within 30 s.");
    await failed.waitFor();
    fixture.daemon.unanswered.clear();
    await fixture.page.clock.fastForward(5000);
    await fixture.page.getByRole('status').getByText('Reconnected at').waitFor();
    await fixture.page.getByText('The daemon does not answer.').waitFor({ state: 'hidden' });
    await failed.waitFor({ state: 'hidden' });
  });

  test('an error of the daemon is shown without a run too', async () => {
    fixture.daemon.hasRun = false;
    fixture.daemon.rejections.set('daemon.life', 'The disk is full.');
    await fixture.open('#/training');
    await fixture.page.getByText('No runs yet.').waitFor();
    await fixture.page.getByRole('alert').getByText('The disk is full.').waitFor();
  });

  test.each(['#/trajectories', `#/trajectories?trajectory=${ONE}`, '#/uncertain', '#/annotate'])(
    '%s fits a window of 400 pixels',
    async hash => {
      await fixture.open(hash, 400);
      await fixture.page.locator('.row:visible, .strip, .card').first().waitFor();
      expect(await fixture.page.evaluate('document.documentElement.scrollWidth')).toBe(400);
      expect(await fixture.page.evaluate('document.querySelector("#stage").scrollWidth')).toBeLessThanOrEqual(
        400,
      );
    },
  );
});
