/** A request with everything that belongs to it, as the archive's `request.json` has it. */
import { requireEquipment } from '../../db/equipments/equipments.js';
import { listCasesOf } from '../../db/cases/cases.js';
import type { Db } from '../../db/db.js';
import { pick } from '../pick.js';
import { rolesOf } from '../users/rights.js';
import type { WholeRequest } from '../requests/requests.js';
import type { UserRow } from '../../db/schema.js';

export type RequestFacts = ReturnType<typeof factsOfRequest>;

export function factsOfRequest(db: Db, { request, customer, contracts, payments }: WholeRequest) {
  const equipment = requireEquipment(db, { id: request.equipmentId });
  return {
    request: pick(request, 'id', 'reference', 'title', 'description', 'status', 'createdAt', 'updatedAt'),
    customer: factsOfUser(customer),
    equipment: pick(equipment, 'id', 'name', 'model', 'serialNumber'),
    contracts: contracts.map((contract) => ({
      ...pick(contract, 'id', 'status', 'amount', 'currency', 'vat', 'createdAt', 'expiredAt', 'signedAt'),
      ...pick(contract, 'signId', 'externalId', 'signerEmail', 'pdfSha256', 'pdfSize'),
    })),
    payments: payments.map((payment) => ({
      ...pick(payment, 'contractId', 'paymentId', 'state', 'amount', 'currency'),
      ...pick(payment, 'createdAt', 'expiresAt', 'pendingSince', 'paidAt'),
    })),
    cases: listCasesOf(db, { requestId: request.id }).map((one) => ({
      ...pick(one, 'kind', 'subject', 'contractId', 'openedAt'),
      ...pick(one, 'decidedAt', 'decision', 'decidedBy', 'reason'),
    })),
  };
}

export function factsOfUser(user: UserRow) {
  return {
    id: user.id,
    email: user.username,
    ...pick(user, 'firstName', 'lastName', 'phone', 'locale', 'address'),
    roles: rolesOf(user),
    enabled: user.enabled === 1,
    ...pick(user, 'createdAt', 'updatedAt'),
  };
}
