/** Payment sessions that were given up before migration 48 are asked about from then on. */
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import { aFile, open } from './support.js';

test('only those whose money was on its way when a person renewed, and whose payment has not failed since', () => {
  const db = open(aFile());
  migrate(db, { migrations: MIGRATIONS.filter(({ version }) => version < 48) });
  db.raw.exec(`
    INSERT INTO users (id, username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES (1, 'anna', '', '', '', 'ROLE_USER', 1, '2026-03-01T09:00:00.000Z', '2026');
    INSERT INTO equipments (id, ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (1, 1, '', '', '', '2026-03-01T09:00:00.000Z', '2026');
    INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt)
      VALUES (1, 1, 1, '', '', 'WAITING_PAYMENT', '2026-03-01T09:00:00.000Z', '2026');
    INSERT INTO contracts (id, requestId, status, amount, currency, createdAt, expiredAt) VALUES (1, 1, 'EXPIRED', 1, 'eur', '2026-03-01T09:00:00.000Z', '2027');
    INSERT INTO payments (contractId, generation, paymentId, status, amount, currency, createdAt, pendingSince) VALUES
      (1, 1, 'cs_expired', 'expired', 1, 'eur', '2026', NULL),
      (1, 2, 'cs_given_up', 'expired', 1, 'eur', '2026', '2026-03-02'),
      (1, 3, 'cs_refused', 'expired', 1, 'eur', '2026', '2026-03-03'),
      (1, 4, 'cs_open', 'open', 1, 'eur', '2026', '2026-03-04');
    INSERT INTO history (at, actor, what, requestId, contractId, detail) VALUES
      ('2026', 'cli', 'payment.renewed', 1, 1, '{"paymentId":"cs_given_up","despitePending":true}'),
      ('2026', 'cli', 'payment.renewed', 1, 1, '{"paymentId":"cs_refused","despitePending":true}'),
      ('2026', 'webhook', 'payment.failed', 1, 1, '{"paymentId":"cs_refused"}');`);

  migrate(db);

  const sql = 'SELECT paymentId, givenUpAt FROM payments WHERE givenUpAt IS NOT NULL';
  expect(db.raw.prepare(sql).all()).toEqual([{ paymentId: 'cs_given_up', givenUpAt: '2026-03-02' }]);
});
