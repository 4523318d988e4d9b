/** What is done on a page before it is looked at. */
import type { Page } from 'playwright-core';

export async function lookAtSubject(page: Page): Promise<void> {
  await page.fill('#name', 'Apple');
  await page.fill('#aliases', 'offline');
  await page.fill('#domains', 'co.uk');
  await page.click('button[value=look]');
  await page.waitForSelector('#preview');
}

/** The last part follows its job without a reload. */
export async function saveSubject(page: Page): Promise<void> {
  await lookAtSubject(page);
  await page.click('button[value=save]');
  await page.waitForSelector('live-part .good');
}

/** Imports a file, of prompts unless said, and waits for how it ends. */
export function importFile(
  content: string,
  end: string,
  rows = 'prompts',
): (page: Page) => Promise<void> {
  return async (page) => {
    await page.selectOption('#rows', rows);
    await page.setInputFiles('#file', {
      name: 'prompts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
    await page.click('button.primary');
    await page.waitForSelector(`live-part ${end}`);
  };
}

export async function signInWrongly(page: Page): Promise<void> {
  await page.fill('#email', 'nobody@example.com');
  await page.fill('#password', 'not the password');
  await page.click('button.primary');
}

export async function makeKey(page: Page): Promise<void> {
  await page.fill('#name', 'reporting');
  await page.click('button.primary');
  await page.waitForSelector('#key');
}

export async function addReceiverHere(page: Page): Promise<void> {
  await page.selectOption('#host', 'vercel');
  await page.click('button.primary');
  await page.waitForSelector('#step-0');
}

export async function makeReport(page: Page): Promise<void> {
  await page.fill('#name', 'a client');
  await page.click('button.primary');
  await page.waitForSelector('#report-link');
}

export async function addWebhookHere(page: Page): Promise<void> {
  await page.fill('#address', 'https://hooks.example.com/services/T0/B0/secret123');
  await page.click('button.primary');
  await page.waitForSelector('#webhook-secret');
}

export async function inviteSomeone(page: Page): Promise<void> {
  await page.fill('#email', 'eve@example.com');
  await page.click('button.primary');
  await page.waitForSelector('#invitation');
}

/** Changes something on a page, so that there is a history. */
export async function useForms(page: Page): Promise<void> {
  const history = page.url();
  await page.goto(history.replace('history', 'keys'));
  await makeKey(page);
  await page.goto(history.replace('history', 'members'));
  await inviteSomeone(page);
  await page.goto(history);
}

/** Pastes prompts of every kind, and looks at what they would add. */
export async function pastePrompts(page: Page): Promise<void> {
  await page.fill('#own', 'Which CRM?\nWhich CRM?\n???\nIs Acme any good?\n<b>New</b>');
  await page.click('form[method=post]:has(#own) .button.primary');
  await page.waitForSelector('#own-fault');
}
