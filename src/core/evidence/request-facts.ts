/** A request with everything that belongs to it, as the archive's `request.json` has it. */
import { requireEquipment } from '../../db/equipments/equipments.js';
import type { Db } from '../../db/db.js';
import { rolesOf } from '../users/rights.js';
import type { WholeRequest } from '../requests/requests.js';
import type { UserRow } from '../../db/schema.js';

export type RequestFacts = ReturnType<typeof factsOfRequest>;

export function factsOfRequest(db: Db, { request, customer, contracts, payments }: WholeRequest) {
  const { id: equipmentId, name, model, serialNumber } = requireEquipment(db, { id: request.equipmentId });
  const { id, reference, title, description, status, createdAt, updatedAt } = request;
  return {
    request: { id, reference, title, description, status, createdAt, updatedAt },
    customer: factsOfUser(customer),
    equipment: { id: equipmentId, name, model, serialNumber },
    contracts: contracts.map((contract) => ({
      id: contract.id,
      status: contract.status,
      amount: contract.amount,
      currency: contract.currency,
      createdAt: contract.createdAt,
      expiredAt: contract.expiredAt,
      signedAt: contract.signedAt,
      signId: contract.signId,
      externalId: contract.externalId,
      signerEmail: contract.signerEmail,
      pdfSha256: contract.pdfSha256,
      pdfSize: contract.pdfSize,
    })),
    payments: payments.map((payment) => ({
      contractId: payment.contractId,
      paymentId: payment.paymentId,
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

export function factsOfUser(user: UserRow) {
  const { id, username, firstName, lastName, phone, enabled, createdAt, updatedAt } = user;
  return {
    id,
    email: username,
    firstName,
    lastName,
    phone,
    roles: rolesOf(user),
    enabled: enabled === 1,
    createdAt,
    updatedAt,
  };
}
