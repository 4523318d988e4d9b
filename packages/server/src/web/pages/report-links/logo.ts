import { closeSync, readSync } from 'node:fs';
import { logoBytesMax, readLogo, setLogo } from '../../../people/logos.ts';
import { plainPng } from '../../../values/png.ts';
import { readForm } from '../../request/forms.ts';
import { PageFault } from '../../request/page-fault.ts';
import { receiveFile } from '../../request/receive-file.ts';
import type { ReceivedFile } from '../../request/receive-file.ts';
import { authorOf, get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

const path = '/w/:slug/settings/links/logo';

/** The logo of a workspace, and the forms that set and remove it. */
export const logoRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showLogo),
  post(path, 'admin', 'set the logo of report links', set, { takesFile: true }),
  post(`${path}/remove`, 'admin', 'remove the logo of report links', remove),
];

/** The logo as a picture, for members and for the page of a report link. */
export async function showLogo({ store, workspace }: WorkspaceContext): Promise<Result> {
  const png = await readLogo(store.access, workspace.id);
  if (png === undefined) throw new PageFault(404, 'No logo', 'This workspace has no logo.');
  return { png };
}

async function set(context: WorkspaceContext): Promise<Result> {
  const limited = { ...context, uploadBytesMax: logoBytesMax };
  const { body, file } = await receiveFile(limited, () => Promise.resolve(true));
  try {
    readForm(body, []);
    return await change(context, pngOf(file));
  } finally {
    if (file !== undefined) closeSync(file.fd);
  }
}

function remove(context: WorkspaceContext): Promise<Result> {
  readForm(context.request.body, []);
  return change(context, undefined);
}

async function change(context: WorkspaceContext, png: Buffer | undefined): Promise<Result> {
  const { id: workspaceId, slug } = context.workspace;
  await setLogo(context.store.access, { workspaceId, png }, authorOf(context));
  return { redirect: `/w/${slug}/settings/links` };
}

function pngOf(file: ReceivedFile | undefined): Buffer {
  if (file === undefined) throw refused('Choose a PNG file first.');
  if (file.isTooLarge) {
    throw refused(`It has more than ${logoBytesMax / 1000} KB. Save it smaller, as a PNG.`);
  }
  const bytes = Buffer.alloc(file.bytes);
  readSync(file.fd, bytes, { position: 0 });
  const png = plainPng(bytes);
  if (png !== undefined) return png;
  throw refused(
    /^\s*(?:<\?xml|<!doctype svg|<svg|<!--)/i.test(bytes.toString('latin1', 0, 200))
      ? 'It is an SVG, which can contain scripts. Save the logo as a PNG.'
      : 'It is not a whole PNG of at most 4,096 pixels a side. Save the logo as a PNG again.',
  );
}

function refused(words: string): PageFault {
  return new PageFault(400, 'This logo can’t be used', `${words} The logo was not changed.`);
}
