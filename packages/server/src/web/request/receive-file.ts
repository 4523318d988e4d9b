import { randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, openSync, unlinkSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { allowUpload } from '../../api/service/shared-server.ts';
import { Refusal } from '../../refusals.ts';
import { unreadableForm } from './page-fault.ts';
import type { PageContext } from './page-context.ts';

/** The content of a form with a file. */
export interface UploadForm {
  /** The fields, in the same form as without a file. */
  readonly body: Readonly<Record<string, string | string[]>>;
  readonly file: ReceivedFile | undefined;
}

/** A file without a name on the disk. It disappears when it is closed or the process ends. */
export interface ReceivedFile {
  readonly fd: number;
  /** The file's name from the browser, without folders and invisible characters. */
  readonly name: string;
  readonly bytes: number;
  readonly isTooLarge: boolean;
}

const fieldsMax = 10;
const fieldBytesMax = 1000;
const nameLengthMax = 200;

/**
 * Reads a form to its end and spools its file. Calls `wantsFile` with the fields before the file.
 * An unwanted file is read and dropped, because browsers show no response before they have sent
 * everything. If the connection breaks, nothing is left behind.
 */
export async function receiveFile(
  { request, uploadBytesMax }: PageContext,
  wantsFile: (body: UploadForm['body']) => Promise<boolean>,
): Promise<UploadForm> {
  if (!request.isMultipart()) throw unreadableForm('Open the page again.');
  allowUpload(request.raw);
  const body: Record<string, string | string[]> = {};
  let file: ReceivedFile | undefined;
  const limits = {
    fields: fieldsMax,
    fieldSize: fieldBytesMax,
    files: 1,
    fileSize: uploadBytesMax,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        const before = body[part.fieldname];
        const value = String(part.value);
        body[part.fieldname] = before === undefined ? value : [before, value].flat();
      } else if (part.filename !== '' && (await wantsFile(body))) {
        const { fd, bytes } = await spool(part.file);
        const base = part.filename.split(/[/\\]/).at(-1) ?? '';
        const name = base.replaceAll(/\p{C}/gu, ' ').slice(0, nameLengthMax).toWellFormed();
        file = { fd, bytes, name, isTooLarge: part.file.truncated };
      } else {
        part.file.resume();
      }
    }
    return { body, file };
  } catch (error) {
    if (file !== undefined) closeSync(file.fd);
    throw error;
  }
}

/** Writes a stream to a file that has no name from the start. */
async function spool(stream: Readable): Promise<{ fd: number; bytes: number }> {
  const path = join(tmpdir(), `overheard-${randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  // Only this function closes the file. If a failing stream closed it too, the descriptor could
  // already belong to another file.
  const keepOpen = { write, close: (_: number, done: (error: null) => void) => done(null) };
  const file = createWriteStream('', { fd, fs: keepOpen });
  try {
    await pipeline(stream, file);
    return { fd, bytes: file.bytesWritten };
  } catch (error) {
    closeSync(fd);
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw isFull ? new Refusal('temporary_folder_full', {}, { cause: error }) : error;
  }
}
