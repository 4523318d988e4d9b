import { expect, test } from 'vitest';
import { nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { startWeb, Visitor } from '../../../../test/browsers/web.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { makeLink } from '../../../people/links.ts';
import { hashPassword } from '../../../people/password.ts';

const clock = (): number => nowMs;
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };

eachStore('signing in', (open) => {
  test('a set-up link is opened any number of times, works once, and signs the operator in', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const path = `/setup/${await makeLink(store.access, { userId: null, clock })}`;
    const visitor = new Visitor(web);
    for (let look = 0; look < 3; look += 1) expect((await visitor.get(path)).statusCode).toBe(200);
    const faulty = await visitor.post(path, { ...ada, password: 'short' });
    expect(faulty.statusCode).toBe(400);
    expect(faulty.body).toContain('value="ada@example.com"');
    expect(faulty.body).toContain('aria-invalid="true"');
    expect(faulty.body).not.toContain('short');
    expect((await visitor.post(path, ada)).headers.location).toBe('/');
    expect((await visitor.get('/workspaces/new')).statusCode).toBe(200);
    expect((await new Visitor(web).post(path, ada)).statusCode).toBe(404);
    expect((await new Visitor(web).get('/setup')).headers.location).toBe('/sign-in');
  });

  test('the command for a lost password takes any typed address as one word of the shell', async () => {
    const { store } = await open();
    await newPerson(store);
    const visitor = new Visitor(await startWeb(store));
    const typed = async (email: string) =>
      (await visitor.post('/sign-in', { email, password: 'wrong horses' })).body;
    expect(await typed('')).toContain('overheard user link you@example.com<');
    expect(await typed('ada@example.com')).toContain('overheard user link ada@example.com<');
    expect(await typed("a'b; id")).toContain(
      'overheard user link &#39;a&#39;\\&#39;&#39;b; id&#39;<',
    );
  });

  test('an unknown address and a wrong password get the same page', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const person = await newPerson(store, { password: await hashPassword(ada.password) });
    const tried = async (email: string) => {
      const response = await new Visitor(web).post('/sign-in', { email, password: 'wrong horses' });
      const { 'x-request-id': _, date: __, ...headers } = response.headers;
      const body = response.body.replaceAll(email, 'EMAIL');
      return { status: response.statusCode, body, headers };
    };
    const unknown = person.email.replace('person', 'nobody');
    expect(await tried(unknown)).toEqual(await tried(person.email));
  });

  test('signing in ends the session before it and sets another token: no fixation', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const { password } = ada;
    const person = await newPerson(store, { password: await hashPassword(password) });
    const visitor = new Visitor(web, { session: person.session });
    const planted = 'A'.repeat(43);
    const stranger = new Visitor(web, { session: planted });
    for (const each of [visitor, stranger]) {
      const before = each.cookies.get('__Host-overheard-443');
      const response = await each.post('/sign-in', { email: person.email, password, next: '/me' });
      expect(response.headers.location).toBe('/me');
      const after = each.cookies.get('__Host-overheard-443');
      expect(after).not.toBe(before);
      expect((await each.get('/me')).statusCode).toBe(200);
      expect((await new Visitor(web, { session: before ?? '' }).get('/me')).statusCode).toBe(303);
    }
    const raw = (await new Visitor(web).post('/sign-in', { email: person.email, password }))
      .headers['set-cookie'];
    expect(String(raw)).toMatch(
      /^__Host-overheard-443=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax,/,
    );
  });

  test('signing out ends the session in every process at once', async () => {
    const { store, url } = await open();
    const other = await openStore(url);
    try {
      const person = await newPerson(store);
      const [here, there] = [await startWeb(store), await startWeb(other)];
      const visitor = new Visitor(here, person);
      const elsewhere = new Visitor(there, person);
      expect((await elsewhere.get('/me')).statusCode).toBe(200);
      const { headers } = await visitor.post('/sign-out');
      expect(headers).toMatchObject({ location: '/sign-in', 'clear-site-data': '"cache"' });
      expect((await elsewhere.get('/me')).headers.location).toBe('/sign-in?next=%2Fme');
      expect((await elsewhere.post('/me', { name: 'Eve' })).statusCode).toBe(401);
    } finally {
      await other.close();
    }
  });

  test('a changed password ends the other sessions, and a wrong present one changes nothing', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const person = await newPerson(store, { password: await hashPassword(ada.password) });
    const [own, other] = [new Visitor(web, person), new Visitor(web)];
    await other.post('/sign-in', { email: person.email, password: ada.password });
    const words = { current: 'not the password', password: 'another horse battery' };
    expect((await own.post('/me/password', words)).statusCode).toBe(400);
    expect((await other.get('/me')).statusCode).toBe(200);
    const before = own.cookies.get('__Host-overheard-443');
    await own.post('/me/password', { ...words, current: ada.password });
    expect((await own.get('/me')).statusCode).toBe(200);
    expect(own.cookies.get('__Host-overheard-443')).not.toBe(before);
    expect((await other.get('/me')).statusCode).toBe(303);
  });

  test('a person ends a session of their own by its button, and none of another', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const [ben, eve] = [await newPerson(store), await newPerson(store)];
    const sessions = await store.access
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', ben.id)
      .execute();
    const session = sessions[0]?.id ?? '';
    await new Visitor(web, eve).post('/me/sessions', { session });
    expect((await new Visitor(web, ben).get('/me')).statusCode).toBe(200);
    await new Visitor(web, ben).post('/me/sessions', { session });
    expect((await new Visitor(web, ben).get('/me')).statusCode).toBe(303);
  });
});
