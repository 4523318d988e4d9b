/** A workspace with gaps, and the people who work on them. */
import { deriveActions } from '../../src/answers/actions/derive.ts';
import { newPerson } from '../browsers/people.ts';
import { Visitor, startWeb } from '../browsers/web.ts';
import { idOf } from '../stores/rows.ts';
import type { Open } from '../stores/stores.ts';
import { now } from './answers.ts';
import { filled, place } from './reporting.ts';

const clock = () => now;

/** A workspace with the gaps of its answers or so many others, an editor, and a page without the blanks of its markup. */
export async function anEditor(open: Open, gaps = 0) {
  const here = gaps > 0 ? await place(open) : await filled(open);
  const { store, workspaceId, slug } = here;
  const derive = () => deriveActions(store, { workspaceId, windowDays: 28, clock });
  if (gaps > 0)
    await store.writer.insertInto('actions').values(openActions(workspaceId, gaps)).execute();
  else await derive();
  const web = await startWeb(store, { clock });
  const visitorOf = async (role: 'viewer' | 'editor', name: string) =>
    new Visitor(web, await newPerson(store, { workspaceId, role, name, clock }));
  const ada = await visitorOf('editor', 'Ada Example');
  const page = async (path: string, who = ada) =>
    (await who.get(`/w/${slug}/${path}`)).body.replaceAll(/\s+/g, ' ');
  const move = (id: string, fields: object, who = ada) =>
    who.post(`/w/${slug}/gaps/${id}`, { back: 'list', ...fields });
  return { ...here, derive, visitorOf, ada, page, move };
}

function openActions(workspaceId: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    workspace_id: workspaceId,
    id: idOf(index + 1),
    prompt_id: null,
    recommendation: `Write <b>page</b> ${index + 1}.`,
    priority: 'high' as const,
    status: 'open' as const,
    impact_score: 49 - index,
    sov_baseline: null,
    sov_result: null,
    created_at: '2026-11-01T00:00:00.000Z',
  }));
}
