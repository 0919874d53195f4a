/** A contract as commands show it: the fields of the API, never the row. */
import type { startSignature } from '../../core/signature/start-signature.js';

type Contract = NonNullable<Awaited<ReturnType<typeof startSignature>>>;

export function contractDocument(contract: Contract) {
  const { id, requestId, status, signId, signUrl, amount, currency, createdAt, expiredAt, signedAt } =
    contract;
  return { id, requestId, status, signId, signUrl, amount, currency, createdAt, expiredAt, signedAt };
}

export function contractLines(did: string, contract: Contract, showTime: (iso: string | null) => string) {
  return [
    `${did}: contract ${contract.id}, signId ${contract.signId}`,
    `to be signed by ${showTime(contract.expiredAt)}: ${contract.signUrl}`,
  ];
}
