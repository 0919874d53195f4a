/** Runs `esignctl requests show`. */
import { wholeRequest, type WholeRequest } from '../../core/requests/operator-requests.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withData } from '../reading.js';
import { contractDocument } from './contract-view.js';
import { fieldsTable } from './fields.js';
import { findRequest } from './requests.js';

export function showCommand(shell: Shell, argument: RequestArgument): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const document = requestDocument(wholeRequest(data, findRequest(data, argument)));
    const { contracts, payments, ...plain } = document;
    out.result(document, () => {
      fieldsTable(out, [
        ...Object.entries(plain),
        ...contracts.map(
          ({ id, status, signId }) => [`contract ${id}`, `${status} ${signId ?? ''}`] as const,
        ),
        ...payments.map(({ paymentId, status }) => ['payment', `${status} ${paymentId}`] as const),
      ]);
    });
    return EXIT.done;
  });
}

function requestDocument({ request, customer, contracts, payments }: WholeRequest) {
  const {
    id,
    reference,
    title,
    description,
    status,
    equipmentId,
    paymentId,
    paymentUrl,
    createdAt,
    updatedAt,
  } = request;
  return {
    id,
    reference,
    title,
    description,
    status,
    customer: customer.username,
    equipmentId,
    paymentId,
    paymentUrl,
    createdAt,
    updatedAt,
    contracts: contracts.map(contractDocument),
    payments: payments.map((payment) => ({
      paymentId: payment.paymentId,
      contractId: payment.contractId,
      status: payment.status,
      amount: payment.amount,
      currency: payment.currency,
      createdAt: payment.createdAt,
      expiresAt: payment.expiresAt,
      pendingSince: payment.pendingSince,
      paidAt: payment.paidAt,
    })),
  };
}
