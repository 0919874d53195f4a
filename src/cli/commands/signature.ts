/** `esignctl start-signature` and `reset-signature` (rules 1, 2). */
import { createReadStream } from 'node:fs';
import { confirm, confirmHere } from '../ask.js';
import type { Shell } from '../io.js';
import { withRequest } from '../open.js';
import { REQUEST, requestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { UsageError } from '../usage-error.js';
import type { Verb } from '../verb.js';
import type { ContractRow } from '../../core/rows.js';

export function startSignature(program: Verb): void {
  program
    .command('start-signature')
    .description('create the contract of a request and send it to the customer for signature')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .option('--pdf <file>', 'send this PDF instead of the generated contract')
    .changes()
    .examples('start-signature 123', 'start-signature REQ-2026-000123 --pdf terms.pdf')
    .does(start);
}

async function start(shell: Shell, { pdf: file }: { pdf?: string }, key: string): Promise<void> {
  const core = await import('../../core/signature/start-signature.js');
  const { requestStanding } = await import('../../core/requests/open-acts.js');
  const { receiveSuppliedPdf, removeSupplied } = await import('../../core/contracts/contract-files.js');
  const { factsBefore } = await import('../request.js');
  return withRequest(shell, key, async (request, { ctx, by }) => {
    const { id, reference } = request;
    const pdf = file === undefined ? undefined : await receiveSuppliedPdf(ctx, bytesOf(file));
    try {
      if (requestStanding(ctx, request).signature === 'ended') {
        const facts = await factsBefore(ctx, request, 'start-signature');
        await confirmHere(shell, `Send a new contract for ${reference}?`, facts);
      }
      const contract = await withProgress(shell, `sending the contract of ${reference}`, () =>
        core.startSignature(ctx, id, { ...by, pdf }),
      );
      if (contract) return tellContract(shell, `started the signature of ${reference}`, contract);
      return foretell(shell, id, { reference, would: `start the signature of ${reference}` });
    } finally {
      if (pdf) await removeSupplied(pdf);
    }
  });
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new UsageError(`the file ${file} cannot be read (${code})`, 'Name a readable PDF with --pdf.');
  }
}

export function resetSignature(program: Verb): void {
  program
    .command('reset-signature')
    .description('withdraw the contract of a request and send a new one; asks first')
    .known('<request>', REQUEST, 'requests', requestArgument)
    .changes()
    .examples(
      'reset-signature 123',
      'reset-signature REQ-2026-000123 --yes --reason "wrong address"',
      'reset-signature 123 --dry-run',
    )
    .does(reset);
}

async function reset(shell: Shell, _: object, key: string): Promise<void> {
  const core = await import('../../core/signature/reset-signature.js');
  const { factsBefore } = await import('../request.js');
  return withRequest(shell, key, async (request, { ctx, by }) => {
    const { id, reference } = request;
    const facts = await factsBefore(ctx, request, 'reset-signature');
    await confirm(shell, `Close the contract of ${reference} and send a new one?`, facts);
    const contract = await withProgress(shell, `asking about ${reference}`, () =>
      core.resetSignature(ctx, id, by),
    );
    if (contract) return tellContract(shell, `reset the signature of ${reference}`, contract);
    return foretell(shell, id, {
      reference,
      would: `close the contract of ${reference} and send a new one`,
    });
  });
}

function foretell(
  { out, dryRun }: Shell,
  requestId: number,
  { reference, would }: { reference: string; would: string },
): void {
  out.result({ dryRun, requestId, reference }, () => out.line(`would ${would}`));
}

async function tellContract({ out }: Shell, did: string, contract: ContractRow): Promise<void> {
  const { contractDocument } = await import('../documents.js');
  out.result(contractDocument(contract), () => {
    out.line(`${did}: contract ${contract.id}, signId ${contract.signId}`);
    out.link(`to be signed by ${out.time(contract.expiredAt)}:`, String(contract.signUrl));
  });
}
