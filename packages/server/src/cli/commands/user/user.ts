import { settings } from '../../../config.ts';
import { parseEmail } from '../../../people/email.ts';
import { makeLink } from '../../../people/links.ts';
import { joinWorkspaces } from '../../../people/join-workspaces.ts';
import { parseName } from '../../../people/name.ts';
import { roles } from '../../../people/roles.ts';
import { disableUser, getByEmail, hasUsers, listUsers } from '../../../people/users.ts';
import type { Store } from '../../../storage/store.ts';
import { plural } from '../../../values/plural.ts';
import { findWorkspace, listWorkspaces } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { defineGroup, defineStoreCommand, word } from '../../define/define-command.ts';
import { choice, flag, parsedText, serverAddress } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { Refusal } from '../../../refusals.ts';
import { UsageError } from '../../terminal/command-error.ts';

const linkCommand = defineStoreCommand({
  name: 'link',
  summary: 'make a one-time link: the first sets Overheard up, later ones sign someone in',
  description:
    'Makes a link and prints it alone on stdout. Without a user it sets Overheard up; with an address it signs that user in, also after a lost password. It works once, within 24 hours.',
  arguments: { email: { ...word("the user's address"), isOptional: true } },
  options: { publicUrl: serverAddress },
  json: '{link}',
  examples: [
    'overheard user link',
    'overheard user link ada@example.com',
    'overheard user link ada@example.com --public-url https://overheard.example.com',
  ],
  run: async ({ io, store: { access } }, { email, publicUrl: url }) => {
    const path =
      email === undefined
        ? await firstLink(access, io.clock)
        : await signInLink(access, requireEmail(email), io.clock);
    return linkOutput(path, url);
  },
});

async function firstLink(access: Store['access'], clock: () => number): Promise<string> {
  if (!(await hasUsers(access))) return makeSetUpPath(access, clock);
  throw new UsageError('Name the user: overheard user link EMAIL. See `overheard user list`.');
}

async function signInLink(
  access: Store['access'],
  email: string,
  clock: () => number,
): Promise<string> {
  const user = await getByEmail(access, email);
  if (user.disabled_at !== null) throw new Refusal('user_disabled', { email: user.email });
  return `/sign-in/${await makeLink(access, { user, userId: null, clock })}`;
}

/** Makes a set-up link. Returns its path below the public address. */
export async function makeSetUpPath(access: Store['access'], clock: () => number): Promise<string> {
  return `/setup/${await makeLink(access, { userId: null, clock })}`;
}

function linkOutput(path: string, url: string) {
  const link = `${url}${path}`;
  return {
    json: { link },
    text: link,
    words: ['Open it in a browser while `overheard serve` runs. It works once, within 24 hours.'],
  };
}

const addCommand = defineStoreCommand({
  name: 'add',
  summary: 'add a user, or give one a role',
  description:
    'Adds a user and prints a one-time link alone on stdout, with which they sign in and set a password. With --workspace or --all it gives a role there, also to a user who exists. A disabled user may sign in again.',
  arguments: { email: word('an address, which only names the user: no mail is sent') },
  options: {
    name: parsedText('<text>', 'their name (default: the address up to the @)', {
      parse: parseName,
      expected: 'It must have 1 to 100 characters.',
    }),
    workspace: { ...settings.workspace, summary: 'the workspace, or several: a,b,c' },
    all: flag('every workspace that is not archived'),
    role: choice('<role>', roles, 'role in these workspaces (default: viewer)'),
    operator: flag('may run the whole installation, in every workspace'),
    publicUrl: serverAddress,
  },
  json: '{id, email, link}',
  examples: [
    'overheard user add ada@example.com --name "Ada Example" --workspace acme --role admin',
    'overheard user add ada@example.com --workspace acme,globex --role editor',
    'overheard user add ops@example.com --operator',
  ],
  run: async ({ io, store, sourceOf }, { email: typed, publicUrl: url, ...values }) => {
    const { clock } = io;
    const email = requireEmail(typed);
    const { role = 'viewer' } = values;
    if (values.all && sourceOf('workspace') === 'cli') {
      throw new UsageError('Choose one of --workspace and --all.');
    }
    const places = await findPlaces(store, values);
    const { user, isNew } = await joinWorkspaces(store, {
      email,
      name: values.name,
      isOperator: values.operator,
      workspaceIds: places.map(({ id }) => id),
      role,
      clock,
    });
    const joined =
      places.length === 0
        ? ''
        : ` as ${role === 'viewer' ? 'a' : 'an'} ${role} of ${placeWords(places)}`;
    const sentence = `${isNew ? 'Added' : 'Kept'} the user ${user.email}${joined}.`;
    const { id: userId } = user;
    if (!isNew) return { json: { id: userId, email: user.email, link: null }, words: [sentence] };
    const output = linkOutput(await signInLink(store.access, user.email, clock), url);
    const json = { id: userId, email: user.email, ...output.json };
    return { ...output, json, words: [sentence, ...output.words] };
  },
});

/** The workspaces that `--workspace a,b,c` or `--all` names. */
async function findPlaces(
  { reader }: Store,
  { workspace, all }: { workspace: string | undefined; all: boolean },
): Promise<Workspace[]> {
  if (all) return (await listWorkspaces(reader)).filter(({ archived_at: at }) => at === null);
  const slugs = [...new Set(workspace?.split(',').map((slug) => slug.trim()))];
  return Promise.all(slugs.map((slug) => findWorkspace(reader, slug)));
}

const slugsShown = 5;

function placeWords(places: readonly Workspace[]): string {
  if (places.length > slugsShown) return plural(places.length, 'workspace');
  return places.map(({ slug }) => slug).join(', ');
}

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the users and their roles',
  description: 'Lists every user with the workspaces that they are a member of.',
  json: '{"users":[{id, email, name, is_operator, roles, created_at, disabled_at}]}',
  examples: [
    'overheard user list',
    `overheard user list --json | jq -r '.users[] | select(.is_operator) | .email'`,
  ],
  run: async ({ store }) => {
    const users = await shownUsers(store);
    const none = 'There is no user yet: overheard user link makes the link that sets Overheard up.';
    return {
      json: { users },
      table: tableOf(users, none, {
        EMAIL: ({ email }) => email,
        NAME: ({ name }) => name,
        ROLES: (user) =>
          [
            ...(user.is_operator ? ['operator'] : []),
            ...Object.entries(user.roles).map(([slug, role]) => `${role} of ${slug}`),
          ].join(', ') || null,
        STATE: (user) => (user.disabled_at === null ? 'enabled' : 'disabled'),
        CREATED: (user) => user.created_at,
      }),
    };
  },
});

async function shownUsers({ access, reader }: Store) {
  const workspaces = await reader.selectFrom('workspaces').select(['id', 'slug']).execute();
  const slugs = new Map(workspaces.map(({ id, slug }) => [id, slug]));
  const members = await access.selectFrom('members').selectAll().orderBy('workspace_id').execute();
  const rolesOf = (userId: string): Record<string, string> => {
    const memberships = members.filter(({ user_id }) => user_id === userId);
    return Object.fromEntries(
      memberships.map(({ workspace_id: id, role }) => [slugs.get(id) ?? id, role] as const),
    );
  };
  return (await listUsers(access)).map((user) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    is_operator: user.isOperator,
    roles: rolesOf(user.id),
    created_at: user.created_at,
    disabled_at: user.disabled_at,
  }));
}

const disableCommand = defineStoreCommand({
  name: 'disable',
  summary: 'keep a user from signing in',
  description:
    'Ends every session and link of a user at once, in every server. Roles and keys stay. `overheard user add` enables the user again.',
  arguments: { email: word("the user's address") },
  json: '{id, email, disabled_at}',
  examples: ['overheard user disable ada@example.com'],
  run: async ({ io, store }, { email }) => {
    const doing = { userId: null, clock: io.clock };
    const user = await disableUser(store.access, requireEmail(email), doing);
    const { id, email: address, disabled_at } = user;
    return {
      json: { id, email: address, disabled_at },
      words: [`${address} can't sign in any more. Their keys stay: overheard key list`],
    };
  },
});

/** `overheard user link|add|list|disable` */
export const userCommand = defineGroup({
  name: 'user',
  summary: 'let people sign in to the pages',
  description:
    'Users: people who sign in to the pages in a browser, each with a role per workspace. Nobody needs one for the API.',
  commands: [linkCommand, addCommand, listCommand, disableCommand],
});

function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email !== undefined) return email;
  throw new Refusal('email_malformed', { text });
}
