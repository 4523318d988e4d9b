import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode, negotiateEncoding, worthEncoding } from '../../api/response/encoding.ts';
import type { Asset } from '../assets.ts';
import type { Download } from '../request/page-context.ts';

/** The `Vary` header of pages. */
export const pageVary = 'Accept-Encoding, Cookie';

/** Sends a document in an encoding that the browser accepts. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  status: number = 200,
): Promise<FastifyReply> {
  reply.code(status).header('Vary', pageVary).type('text/html; charset=utf-8');
  return sendEncoded(request, reply, Buffer.from(text));
}

/** Sends a file that browsers may keep for ever. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body }: Asset,
): Promise<FastifyReply> {
  reply.header('Cache-Control', 'public, max-age=31536000, immutable');
  reply.header('Vary', 'Accept-Encoding').type(type);
  return sendEncoded(request, reply, body);
}

/**
 * Sends a file to download. If it fails on the way, the connection is cut, so that the file never
 * looks complete.
 */
export function sendDownload(reply: FastifyReply, { name, type, stream }: Download): FastifyReply {
  reply.header('Content-Disposition', `attachment; filename="${name}"`);
  return reply.header('Cache-Control', 'no-store').type(type).send(stream);
}

/** Sends a picture that a person uploaded. Opened by itself, it can run nothing. */
export function sendPng(reply: FastifyReply, png: Buffer): FastifyReply {
  return reply
    .headers({
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    })
    .type('image/png')
    .send(png);
}

async function sendEncoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): Promise<FastifyReply> {
  const encoding = worthEncoding(negotiateEncoding(headers['accept-encoding']), body.length);
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return reply.send(await encode(body, encoding));
}
