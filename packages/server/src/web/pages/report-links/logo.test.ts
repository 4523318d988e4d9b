import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import {
  chunk,
  end,
  header,
  pixels,
  plainPicture,
  signature,
} from '../../../../test/browsers/png.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, openUploads, startWeb } from '../../../../test/browsers/web.ts';
import { listReportLinks } from '../../../people/report-links.ts';

const place = Buffer.from('52.5200 N, 13.4050 E');
const picture = Buffer.concat([signature, header(), chunk('eXIf', place), pixels, end]);

eachStore('the logo of report links', (open) => {
  test('a logo is shown to strangers on a path of its own, where it can run nothing, without what else the file had', async () => {
    const { admin, stranger, logo, link } = await aLink(open);
    expect((await stranger.get(`${link}/logo`)).statusCode).toBe(404);
    expect((await stranger.get(link)).body).not.toContain('<img');
    const sent = await admin.upload(logo, {}, { name: 'logo.png', content: picture });
    expect(sent.statusCode).toBe(303);
    expect((await stranger.get(link)).body).toContain(`src="${link}/logo"`);
    for (const shown of [await stranger.get(`${link}/logo`), await admin.get(logo)]) {
      expect(shown.rawPayload).toEqual(plainPicture);
      expect(shown.headers).toMatchObject({
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    }
    expect((await admin.post(`${logo}/remove`, {})).statusCode).toBe(303);
    expect((await stranger.get(`${link}/logo`)).statusCode).toBe(404);
    expect((await stranger.get(link)).body).not.toContain('<img');
  });

  test('an SVG, a file of more than 100 KB, and a broken PNG are refused with a sentence, and the logo stays', async () => {
    const { admin, stranger, logo, link } = await aLink(open);
    await admin.upload(logo, {}, { name: 'logo.png', content: picture });
    const large = Buffer.concat([signature, header(), chunk('IDAT', Buffer.alloc(100_000)), end]);
    const wrong: ReadonlyArray<readonly [string, string | Buffer, RegExp]> = [
      [
        'logo.svg',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        /It is an SVG, which can contain scripts/,
      ],
      ['logo.png', large, /It has more than 100 KB/],
      ['logo.png', picture.subarray(0, 60), /It is not a whole PNG/],
    ];
    for (const [name, content, words] of wrong) {
      const refused = await admin.upload(logo, {}, { name, content });
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toMatch(words);
    }
    expect((await stranger.get(`${link}/logo`)).rawPayload).toEqual(plainPicture);
    expect(openUploads() ?? 0).toBe(0);
  });

  test('only an admin sets or removes the logo of a workspace, and its history says who', async () => {
    const { admin, editor, foreign, logo, slug } = await aLink(open);
    const file = { name: 'logo.png', content: picture };
    expect((await editor.upload(logo, {}, file)).statusCode).toBe(403);
    expect((await editor.post(`${logo}/remove`, {})).statusCode).toBe(403);
    expect((await foreign.upload(logo, {}, file)).statusCode).toBe(404);
    expect((await admin.get(logo)).statusCode).toBe(404);
    await admin.upload(logo, {}, file);
    expect((await editor.get(logo)).statusCode).toBe(200);
    expect((await foreign.get(logo)).statusCode).toBe(404);
    expect((await admin.get(`/w/${slug}/settings/history`)).body).toContain(
      'set the logo of report links',
    );
  });

  test('a logo is not shown by an ended link, and looking at it does not count as opening the link', async () => {
    const { admin, stranger, logo, link, store, workspaceId, setNow } = await aLink(open);
    await admin.upload(logo, {}, { name: 'logo.png', content: picture });
    await stranger.get(`${link}/logo`);
    expect(await listReportLinks(store.access, workspaceId)).toMatchObject([{ opened: 0 }]);
    setNow(nowMs + 31 * 24 * 3_600_000);
    expect((await stranger.get(`${link}/logo`)).statusCode).toBe(404);
  });
});

/** A workspace with a report link for 30 days, and people of each kind. */
async function aLink(open: Open) {
  let atMs = nowMs;
  const clock = () => atMs;
  const { store } = await open({ clock });
  const { workspaceId, slug } = await newTenant(store);
  const other = await newTenant(store);
  const web = await startWeb(store, { clock });
  const visitor = async (role: 'admin' | 'editor', of = workspaceId) =>
    new Visitor(web, await newPerson(store, { workspaceId: of, role, clock }));
  const admin = await visitor('admin');
  const links = `/w/${slug}/settings/links`;
  const form = hiddenField(await admin.get(links), 'form');
  const fields = { form, name: 'x', page: 'overview', view: '', days: '30' };
  const { body } = await admin.post(links, fields);
  return {
    store,
    workspaceId,
    slug,
    admin,
    editor: await visitor('editor'),
    foreign: await visitor('admin', other.workspaceId),
    stranger: new Visitor(web),
    logo: `${links}/logo`,
    link: /\/s\/[\w-]{43}/.exec(body)?.[0] ?? '',
    setNow: (ms: number) => {
      atMs = ms;
    },
  };
}
