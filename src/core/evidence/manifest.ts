/**
 * What an exported archive says of itself: every file with its SHA-256, in `manifest.json`, and a seal over the whole
 * file in the comment at its end. So any byte that differs is found, and mostly also in which file.
 */
import { z } from 'zod';

export const MANIFEST = 'manifest.json';

/** Before the seal's digest, which ends the file. */
export const SEAL = 'esign-export sha256:';
export const SEAL_DIGITS = 64;

const fileSchema = z.object({
  name: z.string(),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  about: z.string(),
});

export const manifestSchema = z.object({
  format: z.literal('esign-export'),
  formatVersion: z.literal(1),
  kind: z.enum(['request', 'user']),
  /** A reference or an e-mail address. */
  subject: z.string(),
  installation: z.string(),
  firm: z.string(),
  madeAt: z.iso.datetime(),
  version: z.string(),
  files: z.array(fileSchema),
  /** What belongs here and could not be had, with the reason. */
  missing: z.array(z.object({ name: z.string(), reason: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ArchivedFile = Manifest['files'][number];
export type Missing = Manifest['missing'][number];
