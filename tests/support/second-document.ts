/** A second document under a contract's name, as two starts at once could once send it. */
import { anyContractPdf, type TestApp, type Waiting } from './app.js';
import { openFile } from './open-file.js';

/** Its signId. */
export async function sendSecond(
  app: TestApp,
  { contract, owner, request }: Pick<Waiting, 'contract' | 'owner' | 'request'>,
): Promise<string> {
  const { provider } = app.ctx;
  const second = await provider.createRequest({
    name: request.reference,
    externalId: contract.externalId,
    expirationDate: contract.expiredAt?.slice(0, 10) ?? '',
    timeZone: 'UTC',
    locale: 'en',
  });
  const { documentId } = await provider.uploadDocument(
    second,
    await openFile(await anyContractPdf()),
    'contract.pdf',
  );
  const { firstName, lastName, username: email } = owner;
  const signer = { firstName, lastName, email, phone: null, locale: 'en' } as const;
  await provider.addSigner(second, signer, { documentId, page: 1, x: 60, y: 700, width: 85, height: 37 });
  await provider.activate(second);
  return second;
}
