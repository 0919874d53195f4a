/** A small firm and its last three months: most customers sign and pay; one has declined, one's good news was lost. */
import { backUpBySchedule } from '../../src/core/backup/write-backup.js';
import { SCHEDULE } from '../../src/core/actor.js';
import { expireContracts } from '../../src/core/contracts/expire-contracts.js';
import { prune } from '../../src/core/retention/prune.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { startSignature } from '../../src/core/signature/start-signature.js';
import { insertEquipment } from '../../src/db/equipments/equipments.js';
import { insertRequest } from '../../src/db/requests/requests.js';
import type { EquipmentRow } from '../../src/db/schema.js';
import { temporaryDirectory } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { ADMIN, startOffice, type Office } from '../server/admin/support.js';
import { serve } from '../machines/chromium.js';

interface Customer {
  name: [first: string, last: string];
  equipment: [name: string, model: string];
  title: string;
  /** Days before today, and days after the one before; what is missing has not happened yet. */
  started?: number;
  signed?: number;
  paid?: number;
  declined?: number;
}

const BOILER: Customer['equipment'] = ['Gas boiler', 'Thermo 24'];
const PUMP: Customer['equipment'] = ['Heat pump', 'Aero 8'];
const LIFT: Customer['equipment'] = ['Goods lift', 'L-630'];
const AIR: Customer['equipment'] = ['Air conditioning', 'Polar 5'];

const CUSTOMERS: Customer[] = [
  { name: ['Greta', 'Olsen'], equipment: PUMP, title: 'Heat pump check', started: 86, signed: 2, paid: 3 },
  {
    name: ['Luc', 'Moreau'],
    equipment: BOILER,
    title: 'Yearly boiler service',
    started: 79,
    signed: 1,
    paid: 1,
  },
  { name: ['Nadia', 'Haddad'], equipment: AIR, title: 'Filter change', started: 71, signed: 4, paid: 2 },
  {
    name: ['Tomasz', 'Wójcik'],
    equipment: BOILER,
    title: 'Yearly boiler service',
    started: 64,
    signed: 1,
    paid: 5,
  },
  { name: ['Ines', 'Carvalho'], equipment: LIFT, title: 'Lift inspection', started: 58, signed: 6, paid: 1 },
  {
    name: ['Paul', 'Becker'],
    equipment: BOILER,
    title: 'Yearly boiler service',
    started: 51,
    signed: 2,
    paid: 2,
  },
  { name: ['Maria', 'Kowalska'], equipment: PUMP, title: 'Heat pump check', started: 44, signed: 1, paid: 1 },
  { name: ['Owen', 'Hughes'], equipment: AIR, title: 'Filter change', started: 43, signed: 3, paid: 4 },
  {
    name: ['Sofia', 'Rossi'],
    equipment: BOILER,
    title: 'Yearly boiler service',
    started: 36,
    signed: 1,
    paid: 2,
  },
  {
    name: ['Jonas', 'Lindqvist'],
    equipment: LIFT,
    title: 'Lift inspection',
    started: 29,
    signed: 2,
    paid: 1,
  },
  {
    name: ['Amélie', 'Fournier'],
    equipment: PUMP,
    title: 'Heat pump check',
    started: 22,
    signed: 5,
    paid: 1,
  },
  {
    name: ['Daniel', 'Novák'],
    equipment: BOILER,
    title: 'Yearly boiler service',
    started: 16,
    signed: 1,
    paid: 1,
  },
  { name: ['Hanna', 'Virtanen'], equipment: AIR, title: 'Filter change', started: 15, signed: 2, paid: 3 },
  { name: ['Emma', 'Wagner'], equipment: LIFT, title: 'Lift inspection', started: 9, signed: 1 },
  { name: ['Henri', 'Petit'], equipment: BOILER, title: 'Yearly boiler service', started: 8, declined: 6 },
  { name: ['Zoë', 'van Dijk'], equipment: PUMP, title: 'Heat pump check', started: 5 },
  { name: ['Peter', 'Schmidt'], equipment: BOILER, title: 'Burner replacement', started: 2, signed: 1 },
  { name: ['Lena', 'Fischer'], equipment: AIR, title: 'Filter change', started: 1 },
  { name: ['Marc', 'Dubois'], equipment: BOILER, title: 'Yearly boiler service' },
];
/** She signs today, and the provider's webhook gets lost. */
const LOST: Customer = {
  name: ['Camille', 'Durand'],
  equipment: BOILER,
  title: 'Yearly boiler service',
  started: 3,
};

export interface Firm {
  office: Office;
  url: string;
  /** The request whose webhook was lost. */
  lost: number;
}

/** Its daemon answers at `url`, and its clock has arrived at the present. */
export async function aFirm(): Promise<Firm> {
  const backups = temporaryDirectory();
  const env = {
    ESIGN_BACKUP_DIR: backups,
    ESIGN_MAIL_FROM: 'Northside Heating <office@northside.example>',
    // A busy machine hears a webhook later than the sandbox waits; the repeat ends well.
    ESIGN_WEBHOOK_REPEAT_STATUS: '200',
  };
  const office = await startOffice({ env, sandbox: { retryDelaysMs: Array<number>(50).fill(500) } });
  const url = await serve(office);
  const now = Date.now();
  const morning = Math.floor(now / DAY) * DAY + 10 * HOUR;
  const at = (daysAgo: number) => new Date(morning - daysAgo * DAY).toISOString();
  const happenings: [daysAgo: number, what: () => Promise<unknown>][] = [];
  const requests = new Map<Customer, number>();

  for (const customer of [...CUSTOMERS, LOST]) {
    const { started, signed, paid, declined } = customer;
    let day = started ?? 1;
    happenings.push([day + 0.05, async () => requests.set(customer, await enter(office, customer))]);
    const id = () => requests.get(customer) as number;
    const signId = () => office.contract(id()).signId as string;
    const next = (days: number | undefined, act: () => unknown) => {
      if (days === undefined) return;
      day -= days;
      happenings.push([day, async () => act()]);
    };
    next(started === undefined ? undefined : 0, () => startSignature(office.ctx, id(), { actor: STAFF }));
    next(signed, () => office.sandbox.sign(signId()));
    next(declined, () => office.sandbox.decline(signId(), { reason: 'Too expensive' }));
    next(paid, () => pay(office, id()));
  }
  for (const [daysAgo, act] of happenings.toSorted(([a], [b]) => b - a)) {
    office.clock.set(at(daysAgo));
    await act();
    await office.sandbox.settled({ retries: true });
    await office.drain();
  }

  office.clock.set(new Date(now - 20 * MINUTE).toISOString());
  await expireContracts(office.ctx, { actor: SCHEDULE });
  await checkAllSignatures(office.ctx, { actor: SCHEDULE });
  await prune(office.ctx, { actor: SCHEDULE });
  await backUpBySchedule(office.ctx, { directory: backups });
  await office.drain();
  const lost = requests.get(LOST) as number;
  office.sandbox.setWebhookTargets({ webhookUrl: `${url}/webhook/lost` });
  office.clock.set(new Date(now - 10 * MINUTE).toISOString());
  office.sandbox.sign(office.contract(lost).signId as string);
  office.clock.set(new Date(now).toISOString());
  return { office, url, lost };
}

const STAFF = { kind: 'user', name: ADMIN } as const;

/** By the link in the newest mail, which makes a new payment page when the old one has expired. */
async function pay(office: Office, requestId: number): Promise<void> {
  const { reference } = office.request(requestId);
  const links = office.sandbox
    .mails()
    .filter(({ text }) => text.includes(reference) && text.includes('/pay/'));
  await office.visitor().get(/\/pay\/\w+/.exec(links.at(-1)?.text ?? '')?.[0] ?? '');
  office.sandbox.pay(office.request(requestId).paymentId as string);
}

/** Returns the id of the customer's request. */
async function enter(office: Office, { name: [firstName, lastName], equipment, title }: Customer) {
  const plain = `${firstName}.${lastName}`.normalize('NFD').replaceAll(/[^\w.]/g, '');
  const owner = await office.addUser({ firstName, lastName, username: `${plain.toLowerCase()}@example.org` });
  const [name, model] = equipment;
  const now = office.clock.now().toISOString();
  const { id } = await office.ctx.writer.write((db) => {
    const serialNumber = `${model.replaceAll(/\W/g, '')}-${1_000 + owner.id * 37}`.toUpperCase();
    const made = insertEquipment(db, { ownerId: owner.id, name, model, serialNumber, now }) as EquipmentRow;
    const description = 'Inspect, clean and adjust; replace wearing parts.';
    return insertRequest(db, {
      ownerId: owner.id,
      equipmentId: made.id,
      title,
      description,
      status: 'in_progress',
      now,
    });
  });
  return id;
}
