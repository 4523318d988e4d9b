/** How a person works a page: by mouse or by keyboard alone. Counts what they type and send. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Hands {
  readonly page: Page;
  readonly counts: { typed: number; sent: number };
  follow(link: string | RegExp): Promise<void>;
  type(label: string, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** Opens what is folded. */
  open(summary: string): Promise<void>;
  send(button: string | RegExp): Promise<void>;
}

/** More stops than any page has. */
const tabsMax = 400;

/** Hands on a page. With `isKeyboard` every control is reached by Tab and used by keys. */
export function handsOn(page: Page, { isKeyboard }: { isKeyboard: boolean }): Hands {
  const counts = { typed: 0, sent: 0 };
  const main = page.locator('main');
  return {
    page,
    counts,
    follow: (name) => press(main.getByRole('link', { name, exact: typeof name === 'string' })),
    type: async (label, text) => {
      counts.typed++;
      const field = main.getByLabel(label, { exact: true });
      if (!isKeyboard) return field.fill(text);
      await reach(field);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    choose: async (label, option) => {
      const field = main.getByLabel(label, { exact: true });
      if (isKeyboard) {
        await reach(field);
        await page.keyboard.type(option);
      } else await field.selectOption({ label: option });
    },
    open: async (words) => {
      const summary = main.locator('summary', { hasText: words });
      if (!isKeyboard) return summary.click();
      await reach(summary);
      await page.keyboard.press('Enter');
    },
    send: (name) => {
      counts.sent++;
      return press(main.getByRole('button', { name, exact: typeof name === 'string' }));
    },
  };

  async function press(control: Locator): Promise<void> {
    const loaded = page.waitForEvent('load');
    if (isKeyboard) {
      await reach(control.first());
      await page.keyboard.press('Enter');
    } else await control.first().click();
    await loaded;
  }

  /** Goes forward through the page's stops until the control has the focus. */
  async function reach(control: Locator): Promise<void> {
    await control.waitFor();
    for (let tab = 0; tab < tabsMax; tab++) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement))
        return;
      await page.keyboard.press('Tab');
    }
    expect.unreachable(`No Tab reaches ${String(control)}`);
  }
}
