/** A name server on loopback that speaks DNS over UDP (RFC 1035, 4). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Types of records, and what a record of each holds in its text form. */
const types = { A: 1, CNAME: 5, PTR: 12, AAAA: 28 } as const;

export interface NameRecord {
  readonly name: string;
  readonly type: keyof typeof types;
  /** A name, dotted IPv4, or IPv6 in 32 hexadecimal digits. */
  readonly value: string;
}

/** What it says of every question: its records (3, no such name, if it has none), an error, or nothing. */
export type Behaviour = readonly NameRecord[] | { readonly code: number } | 'silent';

/** Starts a server; gives its address and what stops it. */
export async function startNameServer(
  behaviour: Behaviour,
): Promise<{ readonly address: string; readonly stop: () => void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const answer = answerTo(query, behaviour);
    if (answer !== undefined) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => void socket.close() };
}

function answerTo(query: Buffer, behaviour: Behaviour): Buffer | undefined {
  if (behaviour === 'silent') return undefined;
  const { name, end } = readName(query, 12);
  const question = query.subarray(12, end + 4);
  if ('code' in behaviour) return message(query, { code: behaviour.code, question, records: [] });
  const type = query.readUInt16BE(end);
  const records = follow(behaviour, name, type);
  return message(query, { code: records.length === 0 ? 3 : 0, question, records });
}

/** The records of a name and type, and the aliases on the way to them. */
function follow(all: readonly NameRecord[], name: string, type: number): readonly NameRecord[] {
  const own = all.filter((record) => record.name === name);
  const alias = own.find((record) => record.type === 'CNAME');
  if (alias !== undefined) return [alias, ...follow(all, alias.value, type)];
  return own.filter((record) => types[record.type] === type);
}

function message(
  query: Buffer,
  { code, question, records }: { code: number; question: Buffer; records: readonly NameRecord[] },
): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records.map(writeRecord)]);
}

function writeRecord({ name, type, value }: NameRecord): Buffer {
  const isName = type === 'CNAME' || type === 'PTR';
  const numbers = Buffer.from(value.split('.').map(Number));
  const data = isName ? writeName(value) : type === 'A' ? numbers : Buffer.from(value, 'hex');
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(types[type], 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(60, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fields, data]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** A name that is not compressed, and where it ends. */
function readName(bytes: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let place = start;
  for (let length = bytes[place] ?? 0; length > 0; length = bytes[place] ?? 0) {
    labels.push(bytes.toString('latin1', place + 1, place + 1 + length).toLowerCase());
    place += 1 + length;
  }
  return { name: labels.join('.'), end: place + 1 };
}
